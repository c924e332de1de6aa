//! The ledger: stock and orders together, each operation one transaction.

mod hold;
mod keys;
mod list;
mod pay;
mod place;
mod record;
mod steps;

use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream;
use mworld_shop::checkout::{ClaimNo, IdempotencyKey, Made, PlaceOrder, Placed};
use mworld_shop::event::Happened;
use mworld_shop::order::{Order, OrderQuery, OrderRef, OrderStatus, Payment};
use mworld_shop::ports::{History, Ledger};
use mworld_shop::product::{Product, ProductRef, ZoneStock};
use mworld_shop::{Operation, OrderId, Page, ProductId, Refusal, Result, UserId, Zone};

use self::keys::Known;
use self::pay::Outcome;
pub(crate) use self::place::{Sale, place, settle};
pub(crate) use self::record::whole_key;
use crate::db::Db;
use crate::engine::Engine;
use crate::fault::{Answer, Fault};
use crate::transaction::in_transaction;
use crate::tries::{TRANSACTION, Tries};
use crate::{feed, own_writes, stock};

/// So many orders are cancelled at once by one sweeper: they may well hold the same product.
const CANCELS_AT_ONCE: usize = 4;

#[async_trait]
impl Ledger for Engine {
    async fn place(&self, order: PlaceOrder) -> Result<Placed> {
        self.run(Operation::OrderPlace, |mut db| async move {
            let mut tries = Tries::within(TRANSACTION);
            let sale = Sale { order: &order, cart: None };
            place(&mut db, sale, &mut tries).await?.ok_or(Fault::Overtaken)
        })
        .await
    }

    async fn placed(&self, user: UserId, key: &IdempotencyKey) -> Result<Option<Made>> {
        let key = key.clone();
        self.run(Operation::OrderPlace, |mut db| async move {
            Ok(match keys::look_up(&mut db, user, &key).await? {
                Some(Known::Made(made)) => Some(*made),
                Some(Known::Void(_)) | None => None,
            })
        })
        .await
    }

    async fn void(&self, user: UserId, key: &IdempotencyKey, through: ClaimNo) -> Result<Option<Made>> {
        let key = key.clone();
        self.run(Operation::OrderPlace, move |mut db| async move {
            keys::void(&mut db, user, &key, through).await
        })
        .await
    }

    async fn order(&self, order: OrderRef) -> Result<Option<Order>> {
        self.run(Operation::OrderStatus, move |mut db| async move {
            if let Some(user) = order.user {
                own_writes::see(&mut db, user).await?;
            }
            Ok(record::find(&mut db, order).await?.map(|found| found.order))
        })
        .await
    }

    async fn list(&self, query: &OrderQuery) -> Result<Page<Order>> {
        let query = query.clone();
        self.run(Operation::OrderList, |mut db| async move { list::page(&mut db, None, &query).await }).await
    }

    async fn advance(&self, order: OrderRef, to: OrderStatus) -> Result<Order> {
        self.run(Operation::OrderAdvance, move |mut db| async move {
            let order = in_transaction!(db, steps::advance(&mut db, order, to))?;
            note(&mut db, order.user_id).await;
            Ok(order)
        })
        .await
    }

    async fn cancel(&self, order: OrderRef) -> Result<Order> {
        self.run(Operation::OrderCancel, move |mut db| async move {
            let order = in_transaction!(db, steps::cancel(&mut db, order))?;
            note(&mut db, order.user_id).await;
            Ok(order)
        })
        .await
    }

    async fn pay(&self, order: OrderId, payment: Payment) -> Result<Order> {
        self.run(Operation::OrderAdvance, move |mut db| async move {
            let outcome = in_transaction!(db, pay::pay(&mut db, order, &payment))?;
            let (order, refusal) = match outcome {
                Outcome::Paid(order) => (order, None),
                Outcome::RefundDue(order, refusal) => (order, Some(refusal)),
            };
            note(&mut db, order.user_id).await;
            refusal.map_or(Ok(order), |refusal: Refusal| Err(refusal.into()))
        })
        .await
    }

    async fn cancel_unpaid(&self, limit: usize) -> Result<usize> {
        let over =
            self.run(Operation::OrderCancel, move |mut db| async move { hold::over(&mut db, limit).await });
        let cancelled = stream::iter(over.await?.into_iter().map(|order| self.cancel_if_unpaid(order)))
            .buffer_unordered(CANCELS_AT_ONCE)
            .map(|done| match done {
                Ok(done) => usize::from(done),
                Err(error) => {
                    tracing::warn!(%error, "an unpaid order could not be cancelled; it is tried again");
                    0
                }
            })
            .fold(0, async |sum, done| sum + done);
        Ok(cancelled.await)
    }

    async fn stock(&self, product: &ProductRef) -> Result<Option<Vec<ZoneStock>>> {
        let product = product.clone();
        self.run(Operation::CatalogStock, |mut db| async move { stock::exact(&mut db, &product).await }).await
    }

    async fn adjust(&self, product: ProductId, zone: &Zone, delta: i64) -> Result<Product> {
        let zone = zone.clone();
        self.run(Operation::CatalogAdjust, move |mut db| async move {
            in_transaction!(db, adjust(&mut db, product, &zone, delta))
        })
        .await
    }
}

impl Engine {
    /// Cancels an order that was found unpaid, unless it is not any more; whether it did.
    async fn cancel_if_unpaid(&self, order: OrderRef) -> Result<bool> {
        self.run(Operation::OrderCancel, move |mut db| async move {
            let now = db.core.clock.now();
            let cancelled = in_transaction!(db, steps::cancel_if_unpaid(&mut db, order, now))?;
            if let Some(order) = &cancelled {
                note(&mut db, order.user_id).await;
            }
            Ok(cancelled.is_some())
        })
        .await
    }
}

/// Changes stock by an operator's word, in the transaction under way, and tells the feed.
async fn adjust(db: &mut Db, product: ProductId, zone: &Zone, delta: i64) -> Answer<Product> {
    let (change, product) = stock::adjust(db, product, zone, delta).await?;
    let now = db.core.clock.now();
    feed::append_all(db, now, vec![Happened::Stock { change }]).await?;
    Ok(product)
}

/// Notes that something of the buyer's was written, after a step that is done and cannot be repeated: that the note
/// failed must not look as if the step had.
async fn note(db: &mut Db, user: UserId) {
    if let Err(fault) = own_writes::note(db, user).await {
        let error = fault.into_shop();
        tracing::warn!(%error, "a buyer's last write could not be noted; a secondary may show the order as it was");
    }
}

#[async_trait]
impl History for Engine {
    async fn page(&self, user: UserId, query: &OrderQuery) -> Result<Page<Order>> {
        let query = query.clone();
        self.run(Operation::OrderHistory, move |mut db| async move {
            own_writes::see(&mut db, user).await?;
            list::page(&mut db, Some(user), &query).await
        })
        .await
    }
}
