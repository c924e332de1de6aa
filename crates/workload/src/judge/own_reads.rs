//! Rule `own-reads`: what buyers read during the run shows what they themselves have written before.

use mworld_shop::order::OrderStatus;

use crate::record::{Asked, Got};

use super::book::Book;
use super::carts::Carts;
use super::findings::{Findings, Rule};
use super::history;
use super::orders::{OrderFile, Sighting};
use super::span::{Effect, Span};
use super::views::View;

/// Carts.
pub(super) fn check_carts(book: &Book<'_>, carts: &Carts, findings: &mut Findings) {
    for (at, call) in book.calls.iter().enumerate() {
        let (Asked::Cart, Got::Cart(cart)) = (&call.asked, &call.got) else { continue };
        if book.is_reading(at) {
            continue;
        }
        findings.checked(Rule::OwnReads);
        for fault in View::of_cart(book, at, call.by, cart).faults(book, carts) {
            findings.accuse(Rule::OwnReads, fault.shown_by.iter().map(|at| book.calls[*at]), fault.detail);
        }
    }
}

/// Orders: their status, whether they are found at all, and whether the history has them.
pub(super) fn check_orders(book: &Book<'_>, findings: &mut Findings) {
    for order in &book.orders {
        for seen in order.sightings.iter().filter(|seen| !book.is_reading(seen.call)) {
            if is_read(book, seen) {
                findings.checked(Rule::OwnReads);
            }
            if let Some(written) = behind(book, order, seen) {
                let (read, write) = (book.call(seen.call), book.call(written));
                let status = seen.order.status;
                let detail = format!(
                    "{read} shows order {} as {status}, although {write} was answered before it was sent",
                    order.id
                );
                findings.accuse(Rule::OwnReads, [book.calls[seen.call], book.calls[written]], detail);
            }
        }
    }
    found(book, findings);
    history::check_pages(book, findings, Rule::OwnReads, &|at| !book.is_reading(at));
}

fn is_read(book: &Book<'_>, seen: &Sighting<'_>) -> bool {
    matches!(book.calls[seen.call].asked, Asked::Order(_) | Asked::History { .. })
}

/// The buyer's own answered call that a read does not show yet. Only reads can be behind: what a write answers is
/// judged as a step of the order.
pub(super) fn behind(book: &Book<'_>, order: &OrderFile<'_>, seen: &Sighting<'_>) -> Option<usize> {
    if !is_read(book, seen) {
        return None;
    }
    let answered = |calls: &[usize]| {
        let answered = |at: &&usize| match Effect::of(book.calls[**at]) {
            Effect::Sure(span) => span.surely_before(seen.span),
            _ => false,
        };
        calls.iter().find(answered).copied()
    };
    match seen.order.status {
        OrderStatus::Created => answered(&order.cancels).or_else(|| answered(&order.pays)),
        OrderStatus::Paid => answered(&order.cancels),
        _ => None,
    }
}

/// An order that was placed before is found.
fn found(book: &Book<'_>, findings: &mut Findings) {
    for (at, call) in book.calls.iter().enumerate() {
        let (Asked::Order(id) | Asked::Pay(id) | Asked::Cancel(id)) = call.asked else { continue };
        let Got::Refused { code, .. } = &call.got else { continue };
        let Some(order) = book.order(id) else { continue };
        if book.is_reading(at) || code != "order_not_found" || !order.placed.surely_before(Span::of(call)) {
            continue;
        }
        findings.checked(Rule::OwnReads);
        let first = order.sightings[0].call;
        let (told, lost) = (book.call(first), book.call(at));
        let detail =
            format!("{told} told of order {id}, but {lost}, sent later, was told that there is none");
        findings.accuse(Rule::OwnReads, [book.calls[first], call], detail);
    }
}
