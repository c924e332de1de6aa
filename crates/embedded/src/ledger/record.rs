//! One order as it is stored.

use mworld_placement::{Entity, ShardId};
use mworld_shop::order::{Order, OrderRef, OrderStatus};
use mworld_shop::{Money, OrderId, Result, Timestamp, UserId, Zone};
use rusqlite::Row;
use uuid::Uuid;

use crate::core::Core;
use crate::db::Db;
use crate::error::corrupt;

/// An order and where it lies.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) shard: ShardId,
    pub(super) order: Order,
    /// Until when it may stay unpaid; `None` once it is paid or cancelled, or if it may for ever.
    pub(super) unpaid_until: Option<Timestamp>,
}

pub(super) const COLUMNS: &str = "o.shard, o.user_id, o.order_id, o.zone, o.status, o.total, o.currency, o.updated_at, o.unpaid_until, o.items";

/// The columns as SQLite gives them.
pub(super) struct Raw {
    shard: u32,
    user_id: [u8; 16],
    pub(super) order_id: [u8; 16],
    zone: String,
    status: String,
    total: i64,
    currency: String,
    updated_at: i64,
    unpaid_until: Option<i64>,
    items: String,
}

pub(super) fn raw(row: &Row<'_>) -> rusqlite::Result<Raw> {
    Ok(Raw {
        shard: row.get(0)?,
        user_id: row.get(1)?,
        order_id: row.get(2)?,
        zone: row.get(3)?,
        status: row.get(4)?,
        total: row.get(5)?,
        currency: row.get(6)?,
        updated_at: row.get(7)?,
        unpaid_until: row.get(8)?,
        items: row.get(9)?,
    })
}

impl Raw {
    pub(super) fn read(self) -> Result<Record> {
        let id = OrderId::from_uuid(Uuid::from_bytes(self.order_id));
        let currency = self.currency.parse().map_err(|error| corrupt("currency", error))?;
        let order = Order {
            id,
            user_id: UserId::from_uuid(Uuid::from_bytes(self.user_id)),
            zone: Zone::new(&self.zone).map_err(|error| corrupt("zone", error))?,
            status: self.status.parse().map_err(|error| corrupt("status", error))?,
            items: serde_json::from_str(&self.items).map_err(|error| corrupt("list of items", error))?,
            total: Money::new(self.total, currency).map_err(|error| corrupt("total", error))?,
            created_at: id.created_at(),
            updated_at: Timestamp::from_micros(self.updated_at),
        };
        let unpaid_until = self.unpaid_until.map(Timestamp::from_micros);
        Ok(Record { shard: ShardId(self.shard), order, unpaid_until })
    }
}

/// Writes a new order, and its line in the buyer's history.
pub(super) fn insert(db: &Db<'_>, core: &Core, order: &Order, unpaid_until: Option<Timestamp>) -> Result<()> {
    let shard = core.router.order(order.id, order.user_id, order.zone.as_str(), order.status.name());
    db.writes(Entity::Orders.into(), shard);
    let items = serde_json::to_string(&order.items).map_err(|error| corrupt("list of items", error))?;
    db.run(
        "INSERT INTO orders (shard, user_id, order_id, zone, status, total, currency, updated_at, unpaid_until, items) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        (
            shard.0,
            order.user_id.uuid().into_bytes(),
            order.id.uuid().into_bytes(),
            order.zone.as_str(),
            order.status.name(),
            order.total.amount(),
            order.total.currency().as_str(),
            order.updated_at.micros(),
            unpaid_until.map(Timestamp::micros),
            items,
        ),
    )?;
    db.run(
        "INSERT INTO buyers (shard, user_id, what, ref, status) VALUES (?1, ?2, 'order', ?3, ?4)",
        (shard.0, order.user_id.uuid().into_bytes(), order.id.uuid().into_bytes(), order.status.name()),
    )?;
    Ok(())
}

/// The order, if there is one and it is the given buyer's.
pub(super) fn find(db: &Db<'_>, core: &Core, wanted: OrderRef) -> Result<Option<Record>> {
    let mut record = None;
    for shard in core.router.find_order(wanted.id, wanted.user).shards() {
        db.reads(Entity::Orders.into(), shard);
        let key = (shard.0, wanted.id.uuid().into_bytes());
        if let Some(found) = db.one(BY_ID, key, raw)? {
            record = Some(found.read()?);
        }
    }
    Ok(record.filter(|record: &Record| wanted.user.is_none_or(|user| record.order.user_id == user)))
}

const BY_ID: &str = "SELECT o.shard, o.user_id, o.order_id, o.zone, o.status, o.total, o.currency, o.updated_at, \
     o.unpaid_until, o.items FROM orders o WHERE o.shard = ?1 AND o.order_id = ?2";

/// Takes an order to its next status. Where the layout's key has the status in it, the order moves.
pub(super) fn set_status(
    db: &Db<'_>,
    core: &Core,
    record: Record,
    status: OrderStatus,
    now: Timestamp,
) -> Result<Order> {
    let Record { shard, mut order, .. } = record;
    order.status = status;
    order.updated_at = now.after(order.updated_at);
    let target = core.router.order(order.id, order.user_id, order.zone.as_str(), status.name());
    db.writes(Entity::Orders.into(), shard);
    db.writes(Entity::Orders.into(), target);
    let id = order.id.uuid().into_bytes();
    db.run(
        "UPDATE orders SET shard = ?3, status = ?4, updated_at = ?5, unpaid_until = NULL \
         WHERE shard = ?1 AND order_id = ?2",
        (shard.0, id, target.0, status.name(), order.updated_at.micros()),
    )?;
    db.run(
        "UPDATE buyers SET shard = ?4, status = ?5 WHERE shard = ?1 AND user_id = ?2 AND what = 'order' AND ref = ?3",
        (shard.0, order.user_id.uuid().into_bytes(), id, target.0, status.name()),
    )?;
    Ok(order)
}
