//! Rule `order-kept`: an order that a buyer was told of is there ever after, unchanged, and is what was in the cart.

use crate::record::{Asked, Caller, Got, OrderSeen};

use super::book::Book;
use super::carts::Carts;
use super::findings::{Findings, Rule};
use super::orders::OrderFile;
use super::span::Span;
use super::views::View;

/// Looks at everything that was ever said about each order.
pub(super) fn check(book: &Book<'_>, findings: &mut Findings) {
    for order in &book.orders {
        findings.checked(Rule::OrderKept);
        unchanged(book, order, findings);
        in_the_zone(book, order, findings);
    }
    for (at, call) in book.calls.iter().enumerate() {
        let Asked::Order(id) = call.asked else { continue };
        match &call.got {
            Got::Order { order, .. } if order.id != id => {
                let detail = format!("{} asked for order {id} and was shown {}", book.call(at), order.id);
                findings.accuse(Rule::OrderKept, [*call], detail);
            }
            Got::Refused { code, .. } if code == "order_not_found" && book.is_reading(at) => {
                let Some(order) = book.order(id) else { continue };
                if order.placed.surely_before(Span::of(call)) {
                    let first = order.sightings[0].call;
                    let told = book.call(first);
                    let detail = format!("{told} told of order {id}, but after the end there is none");
                    findings.accuse(Rule::OrderKept, [book.calls[first]], detail);
                }
            }
            _ => {}
        }
    }
}

/// Looks at whether each order can be what was in the cart.
pub(super) fn check_contents(book: &Book<'_>, carts: &Carts, findings: &mut Findings) {
    for order in &book.orders {
        findings.checked(Rule::OrderKept);
        let first = order.sightings[0].call;
        let told_by = order.key.and_then(|key| book.keys[key].made).map(|made| made.told_by);
        let view = View::of_order(Caller::User(order.user), first, order.placed, order.told());
        let view = View { except: told_by, ..view };
        for fault in view.faults(book, carts) {
            findings.accuse(Rule::OrderKept, fault.shown_by.iter().map(|at| book.calls[*at]), fault.detail);
        }
        if order.told().items.is_empty() {
            let detail = format!("{} tells of order {}, which has no items", book.call(first), order.id);
            findings.accuse(Rule::OrderKept, [book.calls[first]], detail);
        }
    }
}

fn unchanged(book: &Book<'_>, order: &OrderFile<'_>, findings: &mut Findings) {
    let first = &order.sightings[0];
    for later in &order.sightings[1..] {
        let Some((what, was, is)) = difference(first.order, later.order) else { continue };
        let (told, tells) = (book.call(first.call), book.call(later.call));
        let id = order.id;
        let detail = format!("{told} told of order {id} with {what} {was}, but {tells} with {what} {is}");
        findings.accuse(Rule::OrderKept, [book.calls[first.call], book.calls[later.call]], detail);
        return;
    }
}

/// The first thing that differs and must not.
fn difference(a: &OrderSeen, b: &OrderSeen) -> Option<(&'static str, String, String)> {
    let items = |order: &OrderSeen| {
        let mut items: Vec<_> =
            order.items.iter().map(|item| (item.product, item.quantity, item.price)).collect();
        items.sort_unstable();
        items
    };
    if a.zone != b.zone {
        return Some(("the zone", a.zone.clone(), b.zone.clone()));
    }
    if a.created_at != b.created_at {
        return Some(("the creation time", a.created_at.clone(), b.created_at.clone()));
    }
    // Almost always the lines stand in the same order; only if not they are compared as sets.
    if a.items != b.items && items(a) != items(b) {
        let told = |order: &OrderSeen| {
            let told =
                items(order).into_iter().map(|(id, quantity, price)| format!("{quantity} × {id} at {price}"));
            told.collect::<Vec<_>>().join(", ")
        };
        return Some(("the items", told(a), told(b)));
    }
    (a.total != b.total).then(|| ("the total", a.total.to_string(), b.total.to_string()))
}

fn in_the_zone(book: &Book<'_>, order: &OrderFile<'_>, findings: &mut Findings) {
    let Some(key) = order.key.map(|key| &book.keys[key]) else { return };
    let Some(made) = key.made else { return };
    let asked = book.stage.zones.get(key.zone.0 as usize);
    let told = &order.told().zone;
    if asked.is_some_and(|asked| asked != told) {
        let asked = asked.map_or("", String::as_str);
        let call = book.call(made.told_by);
        let detail = format!("{call} ordered from {asked}, but order {} is from {told}", order.id);
        findings.accuse(Rule::OrderKept, [book.calls[made.told_by]], detail);
    }
}
