//! Checkout in one transaction: carts and ledger lie in the same cluster, so no saga is needed.

use async_trait::async_trait;
use mworld_shop::cart::Owner;
use mworld_shop::checkout::{ClaimNo, IdempotencyKey, PlaceOrder, Placed, Request};
use mworld_shop::ports::Checkout;
use mworld_shop::{Operation, Refusal, Result, UserId};

use crate::carts::checkout::for_sale;
use crate::db::Db;
use crate::engine::Engine;
use crate::fault::Answer;
use crate::ledger::{Sale, place, settle};
use crate::tries::{TRANSACTION, Tries};

#[async_trait]
impl Checkout for Engine {
    async fn check_out(&self, user: UserId, key: &IdempotencyKey, request: &Request) -> Result<Placed> {
        let (key, request) = (key.clone(), request.clone());
        self.run(Operation::OrderPlace, move |mut db| async move {
            check_out(&mut db, user, &key, &request).await
        })
        .await
    }
}

async fn check_out(db: &mut Db, user: UserId, key: &IdempotencyKey, request: &Request) -> Answer<Placed> {
    let mut tries = Tries::within(TRANSACTION);
    loop {
        // Read before the transaction, which then sells exactly what was read or begins anew.
        let cart = for_sale(db, user).await?;
        let (cart_id, claim, lines) = match &cart {
            Some(cart) => (cart.id, cart.claim, cart.lines.clone()),
            None => (Owner::User(user).cart_id(0), ClaimNo(u64::MAX), Vec::new()),
        };
        let order =
            PlaceOrder { user, key: key.clone(), request: request.clone(), cart: cart_id, claim, lines };
        let refusal = match &cart {
            None => Some(Refusal::CartEmpty),
            Some(cart) => cart.busy_for(key).then_some(Refusal::CartBusy),
        };
        // Without a cart the ledger is asked all the same: a repeat must find its order, not an empty cart.
        if let Some(refusal) = refusal {
            return settle(db, &order, refusal).await;
        }
        let sale = Sale { order: &order, cart: cart.as_ref() };
        if let Some(placed) = place(db, sale, &mut tries).await? {
            return Ok(placed);
        }
    }
}
