//! The ledger: stock and orders together, each operation one transaction.

mod keys;
mod list;
mod pay;
mod place;
mod record;
mod steps;

use async_trait::async_trait;
use futures_util::future::join_all;
use mworld_shop::checkout::{ClaimNo, IdempotencyKey, Made, PlaceOrder, Placed};
use mworld_shop::order::{Order, OrderQuery, OrderRef, OrderStatus, Payment};
use mworld_shop::ports::{History, Ledger};
use mworld_shop::product::{Product, ProductRef, ZoneStock};
use mworld_shop::{Operation, OrderId, Page, ProductId, Result, UserId, Zone};

pub(crate) use self::place::place;
use crate::engine::Engine;
use crate::{catalog, stock};

#[async_trait]
impl Ledger for Engine {
    async fn place(&self, order: PlaceOrder) -> Result<Placed> {
        self.write(Operation::OrderPlace, move |db, core| place(db, core, &order)).await
    }

    async fn placed(&self, user: UserId, key: &IdempotencyKey) -> Result<Option<Made>> {
        self.read(Operation::OrderPlace, |db, core| keys::placed(db, core, user, key))
    }

    async fn void(&self, user: UserId, key: &IdempotencyKey, through: ClaimNo) -> Result<Option<Made>> {
        let key = key.clone();
        self.write(Operation::OrderPlace, move |db, core| keys::void(db, core, user, &key, through)).await
    }

    async fn order(&self, order: OrderRef) -> Result<Option<Order>> {
        self.read(Operation::OrderStatus, |db, core| {
            Ok(record::find(db, core, order)?.map(|found| found.order))
        })
    }

    async fn list(&self, query: &OrderQuery) -> Result<Page<Order>> {
        let query = query.clone();
        // A rare status may have to be looked for along a long list: not on a thread that serves others.
        self.read_long(Operation::OrderList, move |db, core| list::page(db, core, None, &query)).await
    }

    async fn advance(&self, order: OrderRef, to: OrderStatus) -> Result<Order> {
        self.write(Operation::OrderAdvance, move |db, core| steps::advance(db, core, order, to)).await
    }

    async fn cancel(&self, order: OrderRef) -> Result<Order> {
        self.write(Operation::OrderCancel, move |db, core| steps::cancel(db, core, order)).await
    }

    async fn pay(&self, order: OrderId, payment: Payment) -> Result<Order> {
        let outcome =
            self.write(Operation::OrderAdvance, move |db, core| pay::pay(db, core, order, payment)).await?;
        outcome.into_result()
    }

    async fn cancel_unpaid(&self, limit: usize) -> Result<usize> {
        let due = self.read(Operation::OrderCancel, |db, core| steps::unpaid(db, core, limit))?;
        // All at once, so that they share commits; one that fails keeps none of the others.
        let cancel = |order| {
            self.write(Operation::OrderCancel, move |db, core| steps::cancel_if_unpaid(db, core, order))
        };
        let mut cancelled = 0;
        for outcome in join_all(due.into_iter().map(cancel)).await {
            match outcome {
                Ok(done) => cancelled += usize::from(done),
                Err(error) => {
                    tracing::warn!(%error, "an unpaid order could not be cancelled; it is tried again");
                }
            }
        }
        Ok(cancelled)
    }

    async fn stock(&self, product: &ProductRef) -> Result<Option<Vec<ZoneStock>>> {
        self.read(Operation::CatalogStock, |db, core| {
            let found = catalog::listings(db, core, product.id, product.category.as_ref(), None)?;
            if found.is_empty() {
                return Ok(None);
            }
            catalog::stock_of(db, core, &found).map(Some)
        })
    }

    async fn adjust(&self, product: ProductId, zone: &Zone, delta: i64) -> Result<Product> {
        let zone = zone.clone();
        self.write(Operation::CatalogAdjust, move |db, core| stock::adjust(db, core, product, &zone, delta))
            .await
    }
}

#[async_trait]
impl History for Engine {
    async fn page(&self, user: UserId, query: &OrderQuery) -> Result<Page<Order>> {
        self.read(Operation::OrderHistory, |db, core| list::page(db, core, Some(user), query))
    }
}
