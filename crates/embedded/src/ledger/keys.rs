//! Idempotency keys: what each made, and up to which claim it is void.

use mworld_placement::{Area, ShardId};
use mworld_shop::checkout::{ClaimNo, IdempotencyKey, Made, PlaceOrder, Request};
use mworld_shop::order::OrderRef;
use mworld_shop::{CartId, Money, OrderId, Result, UserId, Zone};
use uuid::Uuid;

use super::record;
use crate::core::Core;
use crate::db::Db;
use crate::error::corrupt;

/// What is known of a key.
pub(super) struct Known {
    /// The order it made, the request that made it, and the cart that was sold.
    pub(super) made: Option<(OrderId, Request, CartId)>,
    /// No order may be placed under a claim up to this.
    pub(super) voided: ClaimNo,
}

fn shard(core: &Core, user: UserId) -> (Area, ShardId) {
    (core.router.home(Area::OrderKeys), core.router.order_keys(user))
}

type Columns = (Option<[u8; 16]>, Option<String>, Option<i64>, Option<String>, u64, Option<[u8; 16]>);

/// Looks a key up.
pub(super) fn look_up(db: &Db<'_>, core: &Core, user: UserId, key: &IdempotencyKey) -> Result<Option<Known>> {
    let (area, shard) = shard(core, user);
    db.reads(area, shard);
    let columns: Option<Columns> = db.one(
        "SELECT order_id, zone, expect_amount, expect_currency, voided, cart_id FROM buyers \
         WHERE shard = ?1 AND user_id = ?2 AND what = 'key' AND ref = ?3",
        (shard.0, user.uuid().into_bytes(), key.as_str().as_bytes()),
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?)),
    )?;
    let Some((order, zone, amount, currency, voided, cart)) = columns else {
        return Ok(None);
    };
    let made = match order.zip(cart) {
        None => None,
        Some((order, cart)) => {
            let zone = Zone::new(&zone.unwrap_or_default()).map_err(|error| corrupt("zone", error))?;
            let expect_total = expected(amount, currency)?;
            let order = OrderId::from_uuid(Uuid::from_bytes(order));
            Some((order, Request { zone, expect_total }, CartId::from_uuid(Uuid::from_bytes(cart))))
        }
    };
    Ok(Some(Known { made, voided: ClaimNo(voided) }))
}

fn expected(amount: Option<i64>, currency: Option<String>) -> Result<Option<Money>> {
    let (Some(amount), Some(currency)) = (amount, currency) else {
        return Ok(None);
    };
    let currency = currency.parse().map_err(|error| corrupt("currency", error))?;
    Money::new(amount, currency).map(Some).map_err(|error| corrupt("amount", error))
}

/// Takes note of the order that a key has made.
pub(super) fn made(db: &Db<'_>, core: &Core, order: &PlaceOrder, made: OrderId) -> Result<()> {
    let (area, shard) = shard(core, order.user);
    db.writes(area, shard);
    let expect = order.request.expect_total;
    db.run(
        "INSERT INTO buyers (shard, user_id, what, ref, zone, expect_amount, expect_currency, cart_id, order_id, voided) \
         VALUES (?1, ?2, 'key', ?3, ?4, ?5, ?6, ?7, ?8, 0) \
         ON CONFLICT (shard, user_id, what, ref) DO UPDATE SET zone = ?4, expect_amount = ?5, expect_currency = ?6, \
         cart_id = ?7, order_id = ?8",
        (
            shard.0,
            order.user.uuid().into_bytes(),
            order.key.as_str().as_bytes(),
            order.request.zone.as_str(),
            expect.map(Money::amount),
            expect.map(|expect| expect.currency().as_str().to_owned()),
            order.cart.uuid().into_bytes(),
            made.uuid().into_bytes(),
        ),
    )?;
    db.run(
        "INSERT INTO buyers (shard, user_id, what, ref) VALUES (?1, ?2, 'cart', ?3)",
        (shard.0, order.user.uuid().into_bytes(), order.cart.uuid().into_bytes()),
    )?;
    Ok(())
}

/// Whether this cart has been sold, under whatever key.
pub(super) fn is_sold(db: &Db<'_>, core: &Core, user: UserId, cart: CartId) -> Result<bool> {
    let (area, shard) = shard(core, user);
    db.reads(area, shard);
    let sold = db.one(
        "SELECT 1 FROM buyers WHERE shard = ?1 AND user_id = ?2 AND what = 'cart' AND ref = ?3",
        (shard.0, user.uuid().into_bytes(), cart.uuid().into_bytes()),
        |_| Ok(()),
    )?;
    Ok(sold.is_some())
}

/// The order that a key has made, with the request that made it.
pub(super) fn placed(db: &Db<'_>, core: &Core, user: UserId, key: &IdempotencyKey) -> Result<Option<Made>> {
    let Some((id, request, cart)) = look_up(db, core, user, key)?.and_then(|known| known.made) else {
        return Ok(None);
    };
    let found = record::find(db, core, OrderRef { id, user: Some(user) })?;
    let found = found.ok_or_else(|| corrupt("idempotency key", "its order is not there"))?;
    Ok(Some(Made { order: found.order, request, cart }))
}

/// Voids a key up to a claim, unless it has made an order.
pub(super) fn void(
    db: &Db<'_>,
    core: &Core,
    user: UserId,
    key: &IdempotencyKey,
    through: ClaimNo,
) -> Result<Option<Made>> {
    if let Some(made) = placed(db, core, user, key)? {
        return Ok(Some(made));
    }
    let (area, shard) = shard(core, user);
    db.writes(area, shard);
    db.run(
        "INSERT INTO buyers (shard, user_id, what, ref, voided) VALUES (?1, ?2, 'key', ?3, ?4) \
         ON CONFLICT (shard, user_id, what, ref) DO UPDATE SET voided = max(voided, ?4)",
        (shard.0, user.uuid().into_bytes(), key.as_str().as_bytes(), through.0),
    )?;
    Ok(None)
}
