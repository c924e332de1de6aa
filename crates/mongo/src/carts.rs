//! Carts: one active per owner, under any concurrency and from any number of processes.
//!
//! An edit is read, change, write back if nothing has changed since. Where the owner decides a cart's place there is one
//! document per owner and every edit is one write; else a look-up says where the cart is, and only what begins a cart or
//! moves it is a transaction.

pub(crate) mod checkout;
mod claims;
mod document;
mod edit;
mod expire;
mod kept;
mod merge;
mod owners;
mod record;
mod store;

use async_trait::async_trait;
use mworld_shop::cart::{Buyer, Cart, CartStatus, Merged, Owner, PutLine};
use mworld_shop::checkout::{Claim, ClaimNo, IdempotencyKey};
use mworld_shop::ports::Carts;
use mworld_shop::{CartId, Operation, ProductId, Result, SessionId};

pub(crate) use self::kept::Kept;
use crate::engine::Engine;

#[async_trait]
impl Carts for Engine {
    async fn active(&self, owner: Owner) -> Result<Option<Cart>> {
        self.run(Operation::CartGet, move |mut db| async move {
            let seen = store::show(&mut db, owner).await?;
            Ok(seen.active(db.core.clock.now()).map(|record| record.view(&db.core)))
        })
        .await
    }

    async fn put(&self, buyer: &Buyer, line: PutLine) -> Result<Cart> {
        let buyer = buyer.clone();
        self.run(Operation::CartPut, |mut db| async move { edit::put(&mut db, &buyer, &line).await }).await
    }

    async fn remove(&self, owner: Owner, product: ProductId) -> Result<Option<Cart>> {
        let work = move |mut db| async move { edit::remove(&mut db, owner, product).await };
        self.run(Operation::CartRemove, work).await
    }

    async fn merge(&self, guest: SessionId, into: &Buyer) -> Result<Merged> {
        let into = into.clone();
        let work = move |mut db| async move { merge::merge(&mut db, guest, &into).await };
        self.run(Operation::CartMerge, work).await
    }

    async fn claim(&self, owner: Owner, key: &IdempotencyKey) -> Result<Claim> {
        let key = key.clone();
        let work = move |mut db| async move { claims::claim(&mut db, owner, &key).await };
        self.run(Operation::CartMark, work).await
    }

    async fn release(&self, owner: Owner, cart: CartId, claim: ClaimNo) -> Result<()> {
        let work = move |mut db| async move { claims::release(&mut db, owner, cart, claim).await };
        self.run(Operation::CartMark, work).await
    }

    async fn mark(&self, owner: Owner, cart: CartId, status: CartStatus) -> Result<()> {
        let work = move |mut db| async move { claims::mark(&mut db, owner, cart, status).await };
        self.run(Operation::CartMark, work).await
    }

    async fn stale_claims(&self, limit: usize) -> Result<Vec<Claim>> {
        self.run(Operation::CartMark, move |mut db| async move { claims::stale(&mut db, limit).await }).await
    }

    async fn expire(&self, limit: usize) -> Result<usize> {
        self.run(Operation::CartMark, move |mut db| async move { expire::expire(&mut db, limit).await }).await
    }
}
