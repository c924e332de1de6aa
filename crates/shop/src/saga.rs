//! Checkout where carts and ledger live in different engines: a small saga whose truth is the order.
//!
//! claim the cart for the key → place the order → mark the cart ordered. Whatever dies in between, the order
//! decides: a repeat finds it by its key, the sweeper finds the stale claim and asks the ledger.

use std::sync::Arc;

use async_trait::async_trait;

use crate::cart::{CartStatus, Owner};
use crate::checkout::{Claim, IdempotencyKey, PlaceOrder, Placed, Request};
use crate::error::{Error, Refusal, Result};
use crate::ids::UserId;
use crate::ports::{Carts, Checkout, Ledger};

/// Checkout over two ports.
pub struct Saga {
    carts: Arc<dyn Carts>,
    ledger: Arc<dyn Ledger>,
}

impl Saga {
    /// Over these two.
    pub fn new(carts: Arc<dyn Carts>, ledger: Arc<dyn Ledger>) -> Saga {
        Saga { carts, ledger }
    }

    /// Resolves claims whose checkout went silent: the ledger is told first that it may not place them any
    /// more, so that a process which slept through its claim cannot sell a cart that was given back.
    pub async fn sweep(&self, limit: usize) -> Result<usize> {
        let stale = self.carts.stale_claims(limit).await?;
        let count = stale.len();
        for claim in stale {
            let owner = claim.cart.owner;
            let Some(user) = owner.user() else {
                self.carts.release(owner, claim.cart.id, claim.no).await?;
                continue;
            };
            match self.ledger.void(user, &claim.key, claim.no).await? {
                Some(made) if made.cart == claim.cart.id => {
                    self.carts.mark(owner, claim.cart.id, CartStatus::Ordered).await?;
                }
                // No order, or one that was made of an earlier cart: this one is still unsold.
                _ => self.carts.release(owner, claim.cart.id, claim.no).await?,
            }
        }
        Ok(count)
    }

    async fn place(&self, user: UserId, claim: Claim, request: &Request) -> Result<Placed> {
        let (owner, cart, no) = (claim.cart.owner, claim.cart.id, claim.no);
        let order = PlaceOrder {
            user,
            key: claim.key,
            request: request.clone(),
            cart,
            claim: no,
            lines: claim.cart.lines,
        };
        match self.ledger.place(order).await {
            Ok(placed) if placed.cart == cart => {
                self.carts.mark(owner, cart, CartStatus::Ordered).await?;
                Ok(placed)
            }
            // A late twin: its key has sold an earlier cart, and the buyer has filled the next one since.
            Ok(placed) => {
                self.carts.release(owner, cart, no).await?;
                Ok(placed)
            }
            // The ledger says no and has changed nothing: the cart is the buyer's again. Any other failure
            // leaves the claim: whether the order exists is unknown, and a repeat or the sweeper finds out.
            Err(Error::Refused(Refusal::CartEmpty)) => {
                // This very cart has been sold under another key whose own mark has not come yet.
                self.carts.mark(owner, cart, CartStatus::Ordered).await?;
                Err(Refusal::CartEmpty.into())
            }
            Err(Error::Refused(refusal)) => {
                self.carts.release(owner, cart, no).await?;
                Err(refusal.into())
            }
            Err(error) => Err(error),
        }
    }
}

#[async_trait]
impl Checkout for Saga {
    async fn check_out(&self, user: UserId, key: &IdempotencyKey, request: &Request) -> Result<Placed> {
        let owner = Owner::User(user);
        if let Some(placed) = repeat(self.ledger.as_ref(), user, key, request).await? {
            return Ok(placed);
        }
        match self.carts.claim(owner, key).await {
            Ok(claim) => self.place(user, claim, request).await,
            // Before any refusal the key is read again: between the first look and the claim, the first try of
            // this same wish may have sold the cart, and its repeat must not hear that the cart is empty.
            Err(Error::Refused(refusal)) => match repeat(self.ledger.as_ref(), user, key, request).await? {
                Some(placed) => Ok(placed),
                None => Err(refusal.into()),
            },
            Err(error) => Err(error),
        }
    }
}

/// The order that this key has made already, if the request is the same.
async fn repeat(
    ledger: &dyn Ledger,
    user: UserId,
    key: &IdempotencyKey,
    request: &Request,
) -> Result<Option<Placed>> {
    let Some(made) = ledger.placed(user, key).await? else {
        return Ok(None);
    };
    request.check_repeat(&made.request)?;
    Ok(Some(Placed { order: made.order, repeated: true, cart: made.cart }))
}
