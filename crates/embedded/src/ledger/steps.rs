//! An order's steps: paid, shipped, delivered, cancelled.

use mworld_placement::Entity;
use mworld_shop::event::StockChange;
use mworld_shop::order::{Order, OrderRef, OrderStatus};
use mworld_shop::{OrderId, Refusal, Result};
use uuid::Uuid;

use super::place::order_event;
use super::record::{self, Record};
use crate::catalog::listings;
use crate::core::Core;
use crate::db::Db;
use crate::{feed, stock};

fn find(db: &Db<'_>, core: &Core, order: OrderRef) -> Result<Record> {
    record::find(db, core, order)?.ok_or_else(|| Refusal::OrderNotFound(order.id).into())
}

/// One legal step, without a return of stock.
pub(super) fn advance(db: &Db<'_>, core: &Core, order: OrderRef, to: OrderStatus) -> Result<Order> {
    let record = find(db, core, order)?;
    let from = record.order.status;
    if to == OrderStatus::Cancelled {
        return Err(Refusal::IllegalTransition { from, to }.into());
    }
    let to = from.step(to)?;
    take_step(db, core, record, to, Vec::new())
}

/// Writes a step that was found legal.
pub(super) fn take_step(
    db: &Db<'_>,
    core: &Core,
    record: Record,
    to: OrderStatus,
    changes: Vec<StockChange>,
) -> Result<Order> {
    let now = core.clock.now();
    let order = record::set_status(db, core, record, to, now)?;
    feed::append(db, now, &order_event(&order, changes))?;
    Ok(order)
}

/// Cancels and returns the stock. The status is read in this same transaction, so a second one is refused.
pub(super) fn cancel(db: &Db<'_>, core: &Core, order: OrderRef) -> Result<Order> {
    let record = find(db, core, order)?;
    record.order.status.step(OrderStatus::Cancelled)?;
    cancel_record(db, core, record)
}

fn cancel_record(db: &Db<'_>, core: &Core, record: Record) -> Result<Order> {
    let mut changes = Vec::with_capacity(record.order.items.len());
    for item in &record.order.items {
        let zone = &record.order.zone;
        let found = listings(db, core, item.product_id, Some(&item.category), Some(zone))?;
        // A product is withdrawn, never deleted, so its document is always there to return the stock to.
        if let Some(listing) = found.first() {
            changes.push(stock::give_back(db, core, listing, zone, item.quantity)?);
        }
    }
    take_step(db, core, record, OrderStatus::Cancelled, changes)
}

/// Orders whose hold is over, oldest first over all shards, so that one shard's backlog holds no other up.
pub(super) fn unpaid(db: &Db<'_>, core: &Core, limit: usize) -> Result<Vec<OrderRef>> {
    let now = core.clock.now().micros();
    let mut due: Vec<(i64, OrderRef)> = Vec::new();
    for shard in core.router.every(Entity::Orders) {
        due.extend(db.all(
            "SELECT unpaid_until, order_id, user_id FROM orders INDEXED BY orders_unpaid \
             WHERE shard = ?1 AND unpaid_until IS NOT NULL AND unpaid_until <= ?2 ORDER BY unpaid_until LIMIT ?3",
            (shard.0, now, i64::try_from(limit).unwrap_or(i64::MAX)),
            |row| {
                let id = OrderId::from_uuid(Uuid::from_bytes(row.get(1)?));
                let user = mworld_shop::UserId::from_uuid(Uuid::from_bytes(row.get(2)?));
                Ok((row.get(0)?, OrderRef { id, user: Some(user) }))
            },
        )?);
    }
    due.sort_by_key(|(until, _)| *until);
    due.truncate(limit);
    Ok(due.into_iter().map(|(_, order)| order).collect())
}

/// Cancels an order if it still is unpaid: a payment may have come since it was listed.
pub(super) fn cancel_if_unpaid(db: &Db<'_>, core: &Core, order: OrderRef) -> Result<bool> {
    let Some(record) = record::find(db, core, order)? else {
        return Ok(false);
    };
    let over = record.unpaid_until.is_some_and(|until| until <= core.clock.now());
    if record.order.status != OrderStatus::Created || !over {
        return Ok(false);
    }
    cancel_record(db, core, record)?;
    Ok(true)
}
