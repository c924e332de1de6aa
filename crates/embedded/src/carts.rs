//! Carts: one record per owner, which holds the owner's present or last cart with all its lines.
//!
//! There is one writer, so an edit is read, change, write back; the rules themselves are the shop's.

mod claims;
mod edit;
mod merge;
mod record;

use async_trait::async_trait;
use mworld_placement::Entity;
use mworld_shop::cart::{Buyer, Cart, CartStatus, Merged, Owner, PutLine};
use mworld_shop::checkout::{Claim, ClaimNo, IdempotencyKey};
use mworld_shop::ports::Carts;
use mworld_shop::{CartId, Operation, ProductId, Result, SessionId};

pub(crate) use self::claims::{busy_for, finish};
pub(crate) use self::record::load;
use crate::engine::Engine;

#[async_trait]
impl Carts for Engine {
    async fn active(&self, owner: Owner) -> Result<Option<Cart>> {
        self.read(Operation::CartGet, |db, core| {
            let record = load(db, core, owner)?.filter(|record| record.is_active(core.clock.now()));
            Ok(record.map(|record| record.view(core)))
        })
    }

    async fn put(&self, buyer: &Buyer, line: PutLine) -> Result<Cart> {
        let buyer = buyer.clone();
        self.write(Operation::CartPut, move |db, core| edit::put(db, core, &buyer, line)).await
    }

    async fn remove(&self, owner: Owner, product: ProductId) -> Result<Option<Cart>> {
        self.write(Operation::CartRemove, move |db, core| edit::remove(db, core, owner, product)).await
    }

    async fn merge(&self, guest: SessionId, into: &Buyer) -> Result<Merged> {
        let into = into.clone();
        self.write(Operation::CartMerge, move |db, core| merge::merge(db, core, guest, &into)).await
    }

    async fn claim(&self, owner: Owner, key: &IdempotencyKey) -> Result<Claim> {
        let key = key.clone();
        self.write(Operation::CartMark, move |db, core| claims::claim(db, core, owner, key)).await
    }

    async fn release(&self, owner: Owner, cart: CartId, claim: ClaimNo) -> Result<()> {
        self.write(Operation::CartMark, move |db, core| claims::release(db, core, owner, cart, claim)).await
    }

    async fn mark(&self, owner: Owner, cart: CartId, status: CartStatus) -> Result<()> {
        self.write(Operation::CartMark, move |db, core| claims::mark(db, core, owner, cart, status)).await
    }

    async fn stale_claims(&self, limit: usize) -> Result<Vec<Claim>> {
        self.read(Operation::CartMark, |db, core| claims::stale(db, core, limit))
    }

    async fn expire(&self, limit: usize) -> Result<usize> {
        self.write(Operation::CartMark, move |db, core| {
            let now = core.clock.now().micros();
            let mut deleted = 0;
            for shard in core.router.every(Entity::Carts) {
                let wanted = i64::try_from(limit - deleted).unwrap_or(i64::MAX);
                deleted += record::delete_expired(db, core, shard, now, wanted)?;
            }
            Ok(deleted)
        })
        .await
    }
}
