//! Checkout in one transaction: carts and ledger lie in the same file, so no saga is needed.

use async_trait::async_trait;
use mworld_shop::cart::{CartStatus, Owner};
use mworld_shop::checkout::{ClaimNo, IdempotencyKey, PlaceOrder, Placed, Request};
use mworld_shop::ports::Checkout;
use mworld_shop::{Operation, Refusal, Result, UserId};

use crate::core::Core;
use crate::db::Db;
use crate::engine::Engine;
use crate::{carts, ledger};

#[async_trait]
impl Checkout for Engine {
    async fn check_out(&self, user: UserId, key: &IdempotencyKey, request: &Request) -> Result<Placed> {
        let (key, request) = (key.clone(), request.clone());
        self.write(Operation::OrderPlace, move |db, core| check_out(db, core, user, key, request)).await
    }
}

fn check_out(
    db: &Db<'_>,
    core: &Core,
    user: UserId,
    key: IdempotencyKey,
    request: Request,
) -> Result<Placed> {
    let cart = carts::load(db, core, Owner::User(user))?;
    let cart = cart.filter(|cart| cart.is_active(core.clock.now()));
    let busy = cart.as_ref().is_some_and(|cart| carts::busy_for(cart, &key));
    // Without a cart the ledger is asked all the same: a repeat must find its order, not an empty cart.
    let (cart_id, lines, no) = match &cart {
        Some(cart) if !busy => (cart.id, cart.view(core).lines, ClaimNo(cart.claim_no.0 + 1)),
        Some(cart) => (cart.id, Vec::new(), ClaimNo(u64::MAX)),
        None => (Owner::User(user).cart_id(0), Vec::new(), ClaimNo(u64::MAX)),
    };
    let order = PlaceOrder { user, key, request, cart: cart_id, claim: no, lines };
    let placed = match ledger::place(db, core, &order) {
        Err(mworld_shop::Error::Refused(Refusal::CartEmpty)) if busy => return Err(Refusal::CartBusy.into()),
        other => other?,
    };
    if let Some(cart) = cart.filter(|_| !placed.repeated) {
        carts::finish(db, core, cart, CartStatus::Ordered)?;
    }
    Ok(placed)
}
