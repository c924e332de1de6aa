//! One order as it is stored.

use mongodb::bson::{Document, Uuid, doc};
use mworld_placement::{Constraint, Entity, Value};
use mworld_shop::event::Happened;
use mworld_shop::order::{Order, OrderItem, OrderRef, OrderStatus};
use mworld_shop::{Money, OrderId, ProductId, Timestamp, UserId, Zone};
use serde::{Deserialize, Serialize};

use crate::ask::Ask;
use crate::bson::{typed, uuid};
use crate::core::{Core, document};
use crate::db::{Db, Wanted};
use crate::fault::{Answer, Fault, corrupt};
use crate::feed::Unfed;

/// An order's document, without the marks of the feed and the idempotency key that may stand in it, too.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Record {
    #[serde(rename = "_id")]
    id: Uuid,
    user_id: Uuid,
    geo_zone: String,
    created_at: i64,
    /// The month, such as `2026-11`.
    period: String,
    status: String,
    items: Vec<Item>,
    total: i64,
    currency: String,
    updated_at: i64,
    /// Grows with every change.
    version: i64,
    /// Until when it may stay unpaid; absent once it is paid or cancelled, or if it may for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unpaid_until: Option<i64>,
}

/// One line, as it was when it was sold.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Item {
    product_id: Uuid,
    category: String,
    name: String,
    quantity: i64,
    price: i64,
}

/// An order and what else its document says.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) order: Order,
    pub(super) version: i64,
    pub(super) unpaid_until: Option<Timestamp>,
}

/// The month of an order: how long histories are cut into partitions.
fn period(id: OrderId) -> String {
    id.created_at().to_string()[..7].to_owned()
}

impl Record {
    pub(super) fn of(order: &Order, unpaid_until: Option<Timestamp>) -> Record {
        let item = |item: &OrderItem| Item {
            product_id: typed(item.product_id.uuid()),
            category: item.category.to_string(),
            name: item.name.clone(),
            quantity: i64::from(item.quantity),
            price: item.price.amount(),
        };
        Record {
            id: typed(order.id.uuid()),
            user_id: typed(order.user_id.uuid()),
            geo_zone: order.zone.to_string(),
            created_at: order.created_at.micros(),
            period: period(order.id),
            status: order.status.name().to_owned(),
            items: order.items.iter().map(item).collect(),
            total: order.total.amount(),
            currency: order.total.currency().to_string(),
            updated_at: order.updated_at.micros(),
            version: 1,
            unpaid_until: unpaid_until.map(Timestamp::micros),
        }
    }

    pub(super) fn read(self) -> Answer<Found> {
        let currency = self.currency.parse().map_err(|error| corrupt("currency", error))?;
        let money = |amount| Money::new(amount, currency).map_err(|error| corrupt("amount", error));
        let item = |item: Item| -> Answer<OrderItem> {
            Ok(OrderItem {
                product_id: ProductId::from_uuid(uuid(item.product_id)),
                category: mworld_shop::Category::new(&item.category)
                    .map_err(|error| corrupt("category", error))?,
                name: item.name,
                quantity: u32::try_from(item.quantity).map_err(|error| corrupt("quantity", error))?,
                price: money(item.price)?,
            })
        };
        let order = Order {
            id: OrderId::from_uuid(uuid(self.id)),
            user_id: UserId::from_uuid(uuid(self.user_id)),
            zone: Zone::new(&self.geo_zone).map_err(|error| corrupt("zone", error))?,
            status: self.status.parse().map_err(|error| corrupt("status", error))?,
            items: self.items.into_iter().map(item).collect::<Answer<_>>()?,
            total: money(self.total)?,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
        };
        let unpaid_until = self.unpaid_until.map(Timestamp::from_micros);
        Ok(Found { order, version: self.version, unpaid_until })
    }
}

/// The question for an order of which everything is known that a layout may place by.
pub(crate) fn whole_key(id: OrderId, user: UserId, zone: &str, status: &str) -> Ask {
    Ask::of(Entity::Orders)
        .known("order_id", id.uuid())
        .known("user_id", user.uuid())
        .known("geo_zone", zone)
        .known("created_at", id.created_at().micros())
        .known("period", period(id))
        .known("status", status)
}

fn key_of(order: &Order) -> Ask {
    whole_key(order.id, order.user_id, order.zone.as_str(), order.status.name())
}

/// Whether the layout places orders by this field. Only then a question says what follows from others anyway: every
/// condition more is one more index that the server may think of.
pub(super) fn placed_by(core: &Core, field: &str) -> bool {
    let on = core.layout.entities.get(&Entity::Orders).and_then(|placed| placed.mongodb.as_ref());
    on.is_some_and(|on| on.shard_key.fields().iter().any(|key| key.name == field))
}

/// Every zone that the store has ever had.
pub(super) fn any_zone(core: &Core) -> Constraint {
    Constraint::In(core.zones.iter().map(|zone| Value::from(zone.as_str())).collect())
}

/// The question for an order by its id, with its buyer and zone if known. Its time, and so its month, stand in the id.
fn by_reference(core: &Core, wanted: OrderRef, zone: Option<&Zone>) -> Ask {
    let mut ask = Ask::of(Entity::Orders).known("order_id", wanted.id.uuid());
    if let Some(user) = wanted.user {
        ask = ask.known("user_id", user.uuid());
    }
    if placed_by(core, "created_at") {
        ask = ask.known("created_at", wanted.id.created_at().micros());
    }
    if placed_by(core, "period") {
        ask = ask.known("period", period(wanted.id));
    }
    match zone {
        Some(zone) => ask.known("geo_zone", zone.as_str()),
        None if placed_by(core, "geo_zone") => ask.within("geo_zone", any_zone(core)),
        None => ask,
    }
}

/// The order, if there is one and it is the given buyer's.
pub(super) async fn find(db: &mut Db, wanted: OrderRef) -> Answer<Option<Found>> {
    found(db, by_reference(&db.core, wanted, None)).await
}

/// The order of a buyer that was placed in a zone.
pub(super) async fn find_in_zone(
    db: &mut Db,
    id: OrderId,
    user: UserId,
    zone: &Zone,
) -> Answer<Option<Found>> {
    found(db, by_reference(&db.core, OrderRef { id, user: Some(user) }, Some(zone))).await
}

async fn found(db: &mut Db, ask: Ask) -> Answer<Option<Found>> {
    let record: Option<Record> = db.one(&ask, Wanted::default()).await?;
    record.map(Record::read).transpose()
}

/// Writes a new order; `more` stands in its document, too.
pub(super) async fn insert(
    db: &mut Db,
    order: &Order,
    unpaid_until: Option<Timestamp>,
    happened: Happened,
    more: Document,
) -> Answer<()> {
    let stamp = db.stamp()?;
    let event = Unfed::new(1, stamp, order.created_at, happened);
    let mut record = document(&Record::of(order, unpaid_until));
    record.extend(doc! { "unfed": [document(&event)], "unfed_at": stamp });
    record.extend(more);
    db.insert(&key_of(order), &record).await
}

/// Takes an order to its next status, and notes what happened for the feed. Where the layout's key has the status in
/// it, the document moves.
pub(super) async fn set_status(
    db: &mut Db,
    found: Found,
    status: OrderStatus,
    happened: impl FnOnce(&Order) -> Happened,
) -> Answer<Order> {
    let now = db.core.clock.now();
    let mut order = found.order.clone();
    order.status = status;
    order.updated_at = now.after(order.updated_at);
    let set = doc! { "status": status.name(), "updated_at": order.updated_at.micros() };
    let event = happened(&order);
    change(db, &found, set, now, event).await?;
    Ok(order)
}

/// Notes something for the feed that leaves the order as it is.
pub(super) async fn note(db: &mut Db, found: &Found, happened: Happened) -> Answer<()> {
    let now = db.core.clock.now();
    change(db, found, Document::new(), now, happened).await
}

async fn change(
    db: &mut Db,
    found: &Found,
    mut set: Document,
    now: Timestamp,
    happened: Happened,
) -> Answer<()> {
    let (version, stamp) = (found.version + 1, db.stamp()?);
    let event = Unfed::new(version, stamp, now, happened);
    let mut change = doc! { "$push": { "unfed": document(&event) }, "$min": { "unfed_at": stamp } };
    if set.contains_key("status") {
        change.insert("$unset", doc! { "unpaid_until": "" });
    }
    set.insert("version", version);
    change.insert("$set", set);
    let ask = key_of(&found.order).also("version", found.version);
    if db.update(&ask, change).await? { Ok(()) } else { Err(Fault::Overtaken) }
}
