//! Placing an order: the key first, then the stock of every line, then the order itself; all or nothing.

use mworld_placement::Form;
use mworld_shop::cart::CartLine;
use mworld_shop::checkout::{PlaceOrder, Placed, check_total};
use mworld_shop::event::{Happened, StockChange};
use mworld_shop::order::{Order, OrderItem, OrderStatus};
use mworld_shop::{Money, OrderId, Refusal, Result, Shortage, Timestamp, Zone};

use super::{keys, record};
use crate::catalog::{Listing, listings};
use crate::core::Core;
use crate::db::Db;
use crate::error::corrupt;
use crate::{feed, stock};

/// Places the order, or says why not. A refusal is undone by the caller's savepoint.
pub(crate) fn place(db: &Db<'_>, core: &Core, order: &PlaceOrder) -> Result<Placed> {
    if let Some(known) = keys::look_up(db, core, order.user, &order.key)? {
        if let Some((id, first, cart)) = known.made {
            order.request.check_repeat(&first)?;
            let user = Some(order.user);
            let found = record::find(db, core, mworld_shop::order::OrderRef { id, user })?;
            let found = found.ok_or_else(|| corrupt("idempotency key", "its order is not there"))?;
            return Ok(Placed { order: found.order, repeated: true, cart });
        }
        if order.claim <= known.voided {
            return Err(Refusal::ClaimVoided.into());
        }
    }
    if order.lines.is_empty() || keys::is_sold(db, core, order.user, order.cart)? {
        return Err(Refusal::CartEmpty.into());
    }
    let zone = &order.request.zone;
    let (items, changes) = take_lines(db, core, &order.lines, zone)?;
    let total = check_total(&items, &order.request, core.settings.currency)?;
    let now = core.clock.now();
    let id = OrderId::at(now, core.random());
    let placed = Order {
        id,
        user_id: order.user,
        zone: zone.clone(),
        status: OrderStatus::Created,
        items,
        total,
        created_at: now,
        updated_at: now,
    };
    record::insert(db, core, &placed, unpaid_until(core, now))?;
    keys::made(db, core, order, id)?;
    feed::append(db, now, &order_event(&placed, changes))?;
    Ok(Placed { order: placed, repeated: false, cart: order.cart })
}

/// Until when the stock of an order made now is held without a payment.
fn unpaid_until(core: &Core, now: Timestamp) -> Option<Timestamp> {
    let hold = core.settings.order_hold;
    (!hold.is_zero()).then(|| now.plus(hold))
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

/// Takes the stock of every line, in the order of ids. If any is short, all that are short are named.
fn take_lines(
    db: &Db<'_>,
    core: &Core,
    lines: &[CartLine],
    zone: &Zone,
) -> Result<(Vec<OrderItem>, Vec<StockChange>)> {
    let mut sorted: Vec<&CartLine> = lines.iter().collect();
    sorted.sort_by_key(|line| line.product_id);
    let (mut items, mut changes, mut short) = (Vec::new(), Vec::new(), Vec::new());
    for line in sorted {
        let listing = sold_document(db, core, line, zone)?;
        let taken = match &listing {
            Stocked::Here(listing) => stock::take(db, core, listing, zone, line.quantity)?,
            Stocked::Elsewhere => Err(0),
        };
        match (listing, taken) {
            (Stocked::Here(listing), Ok(change)) => {
                changes.push(change);
                items.push(item(core, line, listing)?);
            }
            (_, Ok(_)) => {}
            (_, Err(available)) => {
                short.push(Shortage { product_id: line.product_id, requested: line.quantity, available });
            }
        }
    }
    if short.is_empty() { Ok((items, changes)) } else { Err(Refusal::InsufficientStock(short).into()) }
}

/// Whether a product has a document for the zone.
enum Stocked {
    Here(Listing),
    Elsewhere,
}

/// The document of what a line sells. The category in the line is a hint: if the product has moved, it is looked
/// for everywhere before anything is said to be short.
fn sold_document(db: &Db<'_>, core: &Core, line: &CartLine, zone: &Zone) -> Result<Stocked> {
    let found = listings(db, core, line.product_id, Some(&line.category), Some(zone))?.into_iter().next();
    let listing = match found {
        Some(listing) => listing,
        None if core.router.form() == Form::PerZone => {
            let elsewhere = listings(db, core, line.product_id, None, None)?;
            let known = elsewhere.first().ok_or(Refusal::ProductNotFound(line.product_id))?;
            if known.withdrawn {
                return Err(Refusal::NotForSale(line.product_id).into());
            }
            return Ok(Stocked::Elsewhere);
        }
        None => return Err(Refusal::ProductNotFound(line.product_id).into()),
    };
    if listing.withdrawn {
        return Err(Refusal::NotForSale(line.product_id).into());
    }
    Ok(Stocked::Here(listing))
}

/// The line as it is sold: name, category and price of this moment.
fn item(core: &Core, line: &CartLine, listing: Listing) -> Result<OrderItem> {
    let price = Money::new(listing.price, core.settings.currency).map_err(|error| corrupt("price", error))?;
    Ok(OrderItem {
        product_id: line.product_id,
        category: listing.category,
        name: listing.name,
        quantity: line.quantity,
        price,
    })
}
