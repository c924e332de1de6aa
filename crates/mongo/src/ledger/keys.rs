//! Idempotency keys: what each made, and up to which claim it is void.
//!
//! A key is a few fields of the order that it made, where the buyer alone says on which shard that lies, and a record of
//! its own elsewhere. A void is a record without an order. Orders and voids of one key meet in a unique index, so that of
//! two transactions that do not see each other one fails.

use mongodb::bson::{Bson, Document, Uuid, deserialize_from_document, doc};
use mworld_placement::{Area, Entity, OrderKeysAt};
use mworld_shop::checkout::{ClaimNo, IdempotencyKey, Made, PlaceOrder, Request};
use mworld_shop::{CartId, Money, OrderId, UserId, Zone};
use serde::{Deserialize, Serialize};

use super::record::{self, Record};
use crate::ask::Ask;
use crate::bson::{id, typed, uuid};
use crate::collection::Collection;
use crate::core::document;
use crate::db::{Db, Wanted};
use crate::fault::{Answer, corrupt};
use crate::transaction::in_transaction;

/// The fields of a key that has made an order.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Used {
    key: String,
    cart_id: Uuid,
    request: Asked,
}

/// The request that made it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Asked {
    zone: String,
    expect_amount: Option<i64>,
    expect_currency: Option<String>,
}

/// What is known of a key.
#[derive(Debug, Clone)]
pub(super) enum Known {
    /// It has made an order.
    Made(Box<Made>),
    /// No order may be placed under a claim up to this.
    Void(Void),
}

/// A void.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Void {
    #[serde(rename = "_id")]
    id: String,
    voided: i64,
}

impl Void {
    /// Whether an order under this claim comes too late.
    pub(super) fn covers(&self, claim: ClaimNo) -> bool {
        number(claim) <= self.voided
    }
}

/// Claims are counted in steps of one from zero, so that none is ever cut off; the greatest of all means «any».
fn number(claim: ClaimNo) -> i64 {
    i64::try_from(claim.0).unwrap_or(i64::MAX)
}

fn collection(db: &Db) -> Collection {
    match db.core.shape.order_keys {
        OrderKeysAt::BesideOrders => Entity::Orders.into(),
        OrderKeysAt::Apart => Area::OrderKeys.into(),
    }
}

/// The question for a record among a user's keys.
fn of_user(db: &Db, user: UserId) -> Ask {
    Ask::of(collection(db)).known("user_id", user.uuid())
}

/// Takes note of the order that a key makes: the fields that shall stand in the order's own document.
pub(super) async fn made(db: &mut Db, order: &PlaceOrder, made: OrderId) -> Answer<Document> {
    let expect = order.request.expect_total;
    let used = document(&Used {
        key: order.key.as_str().to_owned(),
        cart_id: typed(order.cart.uuid()),
        request: Asked {
            zone: order.request.zone.to_string(),
            expect_amount: expect.map(Money::amount),
            expect_currency: expect.map(|expect| expect.currency().to_string()),
        },
    });
    if db.core.shape.order_keys == OrderKeysAt::BesideOrders {
        return Ok(used);
    }
    let mut record = doc! { "_id": id(made.uuid()), "user_id": id(order.user.uuid()) };
    record.extend(used);
    db.insert(&of_user(db, order.user), &record).await?;
    Ok(Document::new())
}

/// Looks a key up, as freshly as a write would: in a transaction, which sees all that was committed before it.
pub(super) async fn look_up(db: &mut Db, user: UserId, key: &IdempotencyKey) -> Answer<Option<Known>> {
    in_transaction!(db, read(db, user, key))
}

async fn read(db: &mut Db, user: UserId, key: &IdempotencyKey) -> Answer<Option<Known>> {
    let ask = of_user(db, user).also("key", key.as_str());
    let found: Option<Document> = db.one(&ask, Wanted::default()).await?;
    let Some(found) = found else { return Ok(None) };
    if found.contains_key("voided") {
        let void = deserialize_from_document(found).map_err(|error| corrupt("void", error))?;
        return Ok(Some(Known::Void(void)));
    }
    let used: Used =
        deserialize_from_document(found.clone()).map_err(|error| corrupt("idempotency key", error))?;
    let request = used.request.read()?;
    let order = match db.core.shape.order_keys {
        OrderKeysAt::BesideOrders => {
            let record: Record = deserialize_from_document(found).map_err(|error| corrupt("order", error))?;
            Some(record.read()?)
        }
        OrderKeysAt::Apart => {
            let order = order_of(&found)?;
            record::find_in_zone(db, order, user, &request.zone).await?
        }
    };
    let order = order.ok_or_else(|| corrupt("idempotency key", "its order is not there"))?.order;
    let cart = CartId::from_uuid(uuid(used.cart_id));
    Ok(Some(Known::Made(Box::new(Made { order, request, cart }))))
}

/// A key's record has its order's id.
fn order_of(record: &Document) -> Answer<OrderId> {
    match record.get("_id") {
        Some(Bson::Binary(binary)) => {
            let id = binary.to_uuid().map_err(|error| corrupt("idempotency key", error))?;
            Ok(OrderId::from_uuid(uuid(id)))
        }
        other => Err(corrupt("idempotency key", format!("its order is {other:?}"))),
    }
}

impl Asked {
    fn read(self) -> Answer<Request> {
        let zone = Zone::new(&self.zone).map_err(|error| corrupt("zone", error))?;
        let expect_total = match (self.expect_amount, self.expect_currency) {
            (Some(amount), Some(currency)) => {
                let currency = currency.parse().map_err(|error| corrupt("currency", error))?;
                Some(Money::new(amount, currency).map_err(|error| corrupt("amount", error))?)
            }
            _ => None,
        };
        Ok(Request { zone, expect_total })
    }
}

/// Whether this cart has been sold, under whatever key.
pub(super) async fn is_sold(db: &mut Db, user: UserId, cart: CartId) -> Answer<bool> {
    let ask = of_user(db, user).also("cart_id", id(cart.uuid()));
    let wanted = Wanted { projection: Some(doc! { "_id": 1 }), ..Wanted::default() };
    let sold: Option<Document> = in_transaction!(db, db.one(&ask, wanted.clone()))?;
    Ok(sold.is_some())
}

/// Takes a void away that does not cover the claim under which an order is placed now, in the transaction under way;
/// whether it was as it had been read.
pub(super) async fn lift(db: &mut Db, user: UserId, void: &Void) -> Answer<bool> {
    let ask = of_user(db, user).also("_id", void.id.as_str()).also("voided", void.voided);
    db.delete(&ask).await
}

/// Voids a key up to a claim, unless it has made an order.
pub(super) async fn void(
    db: &mut Db,
    user: UserId,
    key: &IdempotencyKey,
    through: ClaimNo,
) -> Answer<Option<Made>> {
    in_transaction!(db, void_once(db, user, key, through))
}

async fn void_once(
    db: &mut Db,
    user: UserId,
    key: &IdempotencyKey,
    through: ClaimNo,
) -> Answer<Option<Made>> {
    match read(db, user, key).await? {
        Some(Known::Made(made)) => return Ok(Some(*made)),
        Some(Known::Void(void)) => {
            let ask = of_user(db, user).also("_id", void.id);
            db.update(&ask, doc! { "$max": { "voided": number(through) } }).await?;
        }
        None => {
            // A text, so that it lies outside every range of order ids, and no list shows it.
            let record = doc! {
                "_id": format!("void/{user}/{}", key.as_str()),
                "user_id": id(user.uuid()),
                "key": key.as_str(),
                "voided": number(through),
            };
            db.insert(&of_user(db, user), &record).await?;
        }
    }
    Ok(None)
}
