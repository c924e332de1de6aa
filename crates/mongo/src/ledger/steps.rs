//! An order's steps: paid, shipped, delivered, cancelled. Each is one transaction that reads the order and writes it, so
//! that of two that meet one begins anew and sees the other's.

use mworld_shop::event::{Happened, StockChange};
use mworld_shop::order::{Order, OrderItem, OrderRef, OrderStatus};
use mworld_shop::{Refusal, Timestamp};

use super::record::{self, Found};
use crate::db::Db;
use crate::fault::Answer;
use crate::stock;

/// The order, or the refusal that there is none.
pub(super) async fn find(db: &mut Db, order: OrderRef) -> Answer<Found> {
    Ok(record::find(db, order).await?.ok_or(Refusal::OrderNotFound(order.id))?)
}

/// What the feed says of an order.
pub(super) fn order_event(order: &Order, stock: Vec<StockChange>) -> Happened {
    Happened::Order {
        order_id: order.id,
        user_id: order.user_id,
        status: order.status,
        total: order.total,
        stock,
    }
}

/// One legal step, without a return of stock.
pub(super) async fn advance(db: &mut Db, order: OrderRef, to: OrderStatus) -> Answer<Order> {
    let found = find(db, order).await?;
    let from = found.order.status;
    if to == OrderStatus::Cancelled {
        return Err(Refusal::IllegalTransition { from, to }.into());
    }
    let to = from.step(to)?;
    record::set_status(db, found, to, |order| order_event(order, Vec::new())).await
}

/// Cancels and returns the stock.
pub(super) async fn cancel(db: &mut Db, order: OrderRef) -> Answer<Order> {
    let found = find(db, order).await?;
    found.order.status.step(OrderStatus::Cancelled)?;
    cancel_found(db, found).await
}

/// Cancels an order if it still is unpaid and its time is over: a payment may have come since it was listed, or another
/// sweeper.
pub(super) async fn cancel_if_unpaid(db: &mut Db, order: OrderRef, now: Timestamp) -> Answer<Option<Order>> {
    let Some(found) = record::find(db, order).await? else { return Ok(None) };
    let over = found.unpaid_until.is_some_and(|until| until <= now);
    if found.order.status != OrderStatus::Created || !over {
        return Ok(None);
    }
    cancel_found(db, found).await.map(Some)
}

async fn cancel_found(db: &mut Db, found: Found) -> Answer<Order> {
    // In the order of products, as they were taken: two that meet do so at the first they share.
    let mut items: Vec<&OrderItem> = found.order.items.iter().collect();
    items.sort_by_key(|item| item.product_id);
    let mut changes = Vec::with_capacity(items.len());
    for item in items {
        let zone = &found.order.zone;
        changes.push(stock::give_back(db, item.product_id, &item.category, zone, item.quantity).await?);
    }
    record::set_status(db, found, OrderStatus::Cancelled, |order| order_event(order, changes)).await
}
