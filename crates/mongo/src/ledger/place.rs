//! Placing an order: the cart, the stock of every line and the order itself in one transaction, all or nothing.
//!
//! The order's own document claims the key, so that nothing has to be read before: a repeat fails at the unique index,
//! and only then the key is looked at. The same look is taken before anything is refused, because a repeat must never
//! hear of a shortage when its order exists.

use mworld_shop::cart::CartLine;
use mworld_shop::checkout::{PlaceOrder, Placed, check_total};
use mworld_shop::event::StockChange;
use mworld_shop::order::{Order, OrderItem, OrderStatus};
use mworld_shop::{EngineError, EngineErrorKind, Error, Money, OrderId, Refusal, Shortage, Zone};

use super::hold::unpaid_until;
use super::keys::{self, Known, Void};
use super::record;
use super::steps::order_event;
use crate::carts::checkout::{CartForSale, sell};
use crate::core::Core;
use crate::db::Db;
use crate::fault::{Answer, Fault, corrupt};
use crate::own_writes;
use crate::stock::{self, Sold, Taken};
use crate::tries::Tries;

/// What is to be sold: an order of lines, and the cart that they come from where it lies in the same cluster.
#[derive(Clone, Copy)]
pub(crate) struct Sale<'a> {
    pub(crate) order: &'a PlaceOrder,
    pub(crate) cart: Option<&'a CartForSale>,
}

/// Places the order, or says why not. `None` if the cart is not as it was read any more.
pub(crate) async fn place(db: &mut Db, sale: Sale<'_>, tries: &mut Tries) -> Answer<Option<Placed>> {
    let order = sale.order;
    if order.lines.is_empty() {
        return settle(db, order, Refusal::CartEmpty).await.map(Some);
    }
    let mut void: Option<Void> = None;
    loop {
        stock::line_up(db, &order.lines, &order.request.zone).await?;
        db.begin().await?;
        let mut cart_changed = false;
        let outcome = try_once(db, sale, void.as_ref(), &mut cart_changed).await;
        let failure = match db.end(outcome, tries).await {
            Some(Ok(placed)) => {
                own_writes::note(db, order.user).await.map_err(unknown)?;
                return Ok(Some(Placed { order: placed, repeated: false, cart: order.cart }));
            }
            Some(Err(failure)) => failure,
            None if cart_changed => return Ok(None),
            None => continue,
        };
        match failure {
            Fault::Shop(Error::Refused(refusal)) => return settle(db, order, refusal).await.map(Some),
            failure if failure.is_duplicate() => match claimed(db, order).await? {
                Claimed::Placed(placed) => return Ok(Some(placed)),
                Claimed::Void(seen) => void = seen,
            },
            failure => return Err(failed(failure)),
        }
        if !tries.again().await {
            return Err(failed(Fault::Overtaken));
        }
    }
}

async fn try_once(
    db: &mut Db,
    sale: Sale<'_>,
    void: Option<&Void>,
    cart_changed: &mut bool,
) -> Answer<Order> {
    let order = sale.order;
    if let Some(cart) = sale.cart
        && !sell(db, cart).await?
    {
        *cart_changed = true;
        return Err(Fault::Overtaken);
    }
    if let Some(void) = void
        && !keys::lift(db, order.user, void).await?
    {
        // It covers more now, or an order has taken its place: the key will tell.
        return Err(Refusal::ClaimVoided.into());
    }
    let (items, changes) = take_lines(db, &order.lines, &order.request.zone).await?;
    let total = check_total(&items, &order.request, db.core.settings.currency)?;
    let now = db.core.clock.now();
    let placed = Order {
        id: OrderId::at(now, db.core.random()),
        user_id: order.user,
        zone: order.request.zone.clone(),
        status: OrderStatus::Created,
        items,
        total,
        created_at: now,
        updated_at: now,
    };
    let key = keys::made(db, order, placed.id).await?;
    let held = unpaid_until(&db.core, now);
    record::insert(db, &placed, held, order_event(&placed, changes), key).await?;
    Ok(placed)
}

/// Takes the stock of every line, in the order of ids. If any is short, all that are short are named.
async fn take_lines(
    db: &mut Db,
    lines: &[CartLine],
    zone: &Zone,
) -> Answer<(Vec<OrderItem>, Vec<StockChange>)> {
    let mut sorted: Vec<&CartLine> = lines.iter().collect();
    sorted.sort_by_key(|line| line.product_id);
    let (mut items, mut changes, mut short) = (Vec::new(), Vec::new(), Vec::new());
    for line in sorted {
        let (product_id, requested) = (line.product_id, line.quantity);
        match stock::take(db, product_id, &line.category, zone, requested).await? {
            Taken::Sold(sold) => {
                changes.push(sold.change.clone());
                items.push(item(&db.core, line, sold)?);
            }
            Taken::Short(available) => short.push(Shortage { product_id, requested, available }),
            Taken::Unknown => return Err(Refusal::ProductNotFound(product_id).into()),
            Taken::Withdrawn => return Err(Refusal::NotForSale(product_id).into()),
        }
    }
    if short.is_empty() { Ok((items, changes)) } else { Err(Refusal::InsufficientStock(short).into()) }
}

/// The line as it is sold: name, category and price of this moment.
fn item(core: &Core, line: &CartLine, sold: Sold) -> Answer<OrderItem> {
    let price = Money::new(sold.price, core.settings.currency).map_err(|error| corrupt("price", error))?;
    Ok(OrderItem {
        product_id: line.product_id,
        category: sold.category,
        name: sold.name,
        quantity: line.quantity,
        price,
    })
}

/// Why a key or a cart was taken already.
enum Claimed {
    /// By this very wish.
    Placed(Placed),
    /// By a void that does not concern this claim, or by somebody who has not committed after all.
    Void(Option<Void>),
}

async fn claimed(db: &mut Db, order: &PlaceOrder) -> Answer<Claimed> {
    match keys::look_up(db, order.user, &order.key).await? {
        Some(Known::Made(made)) => {
            order.request.check_repeat(&made.request)?;
            own_writes::note(db, order.user).await?;
            Ok(Claimed::Placed(Placed { order: made.order, repeated: true, cart: made.cart }))
        }
        Some(Known::Void(void)) if void.covers(order.claim) => Err(Refusal::ClaimVoided.into()),
        Some(Known::Void(void)) => Ok(Claimed::Void(Some(void))),
        None if keys::is_sold(db, order.user, order.cart).await? => Err(Refusal::CartEmpty.into()),
        None => Ok(Claimed::Void(None)),
    }
}

/// The last look before a refusal: what the key has made is the answer, whatever else is wrong now.
pub(crate) async fn settle(db: &mut Db, order: &PlaceOrder, refusal: Refusal) -> Answer<Placed> {
    match claimed(db, order).await? {
        Claimed::Placed(placed) => Ok(placed),
        Claimed::Void(_) => Err(refusal.into()),
    }
}

/// A failure of the sale: others were in the way until the time was over, or nobody knows.
fn failed(fault: Fault) -> Fault {
    match fault.is_transient() {
        true => unanswered("the order was not placed, because others were faster again and again", fault),
        false => unknown(fault),
    }
}

/// A failure after which nobody knows whether the order exists.
fn unknown(fault: Fault) -> Fault {
    unanswered("whether the order was placed is not known", fault)
}

fn unanswered(what: &str, fault: Fault) -> Fault {
    let problem = fault.into_shop();
    let repeat = "send it again with the same Idempotency-Key, which finds it or places it";
    EngineError::new(EngineErrorKind::Unavailable, format!("{what}; {repeat} ({problem})")).into()
}
