//! The store cancels what stays unpaid too long, and nobody told us how long that is. But it is the same time for all:
//! who lets an order go has no older one left.

use mworld_shop::order::OrderStatus;

use crate::record::Micros;

use super::book::Book;
use super::findings::{Findings, Rule};
use super::orders::OrderFile;
use super::span::Effect;

/// A store that goes round and cancels may take so long from the first to the last, and its clocks may be so far apart.
const SLACK: Micros = 10_000_000;

/// An order that the store has cancelled by itself.
#[derive(Clone, Copy)]
struct Swept {
    order: usize,
    /// The call that told it first, and when that was.
    told_by: usize,
    gone: Micros,
    placed_from: Micros,
}

/// No order is seen unpaid long after a clearly younger one was cancelled for being unpaid.
pub(super) fn check(book: &Book<'_>, findings: &mut Findings) {
    let youngest = youngest_gone(book);
    for order in &book.orders {
        let unpaid = order.sightings.iter().filter(|seen| seen.order.status == OrderStatus::Created);
        let Some(last) = unpaid.max_by_key(|seen| seen.span.from) else { continue };
        let past = youngest.partition_point(|swept| swept.gone.saturating_add(SLACK) < last.span.from);
        let Some(swept) = youngest[..past].last() else { continue };
        findings.checked(Rule::Status);
        if order.placed.by.saturating_add(SLACK) < swept.placed_from {
            let detail = format!(
                "{} shows order {} as created, but {} has shown order {}, placed later, as cancelled by the store itself",
                book.call(last.call),
                order.id,
                book.call(swept.told_by),
                book.orders[swept.order].id
            );
            findings.accuse(Rule::Status, [book.calls[swept.told_by], book.calls[last.call]], detail);
        }
    }
}

/// By the moment at which it was known: the youngest order that the store had cancelled by then.
fn youngest_gone(book: &Book<'_>) -> Vec<Swept> {
    let all = book.orders.iter().enumerate();
    let mut swept: Vec<Swept> = all.filter_map(|(at, order)| swept(book, at, order)).collect();
    swept.sort_by_key(|swept| swept.gone);
    for at in 1..swept.len() {
        if swept[at].placed_from < swept[at - 1].placed_from {
            swept[at] = Swept { gone: swept[at].gone, ..swept[at - 1] };
        }
    }
    swept
}

/// An order that is cancelled although no call can have done it.
fn swept(book: &Book<'_>, at: usize, order: &OrderFile<'_>) -> Option<Swept> {
    let dead = order.sightings.iter().filter(|seen| seen.order.status == OrderStatus::Cancelled);
    let first = dead.min_by_key(|seen| seen.span.by)?;
    let asked = order.cancels.iter().filter_map(|at| Effect::of(book.calls[*at]).span());
    if asked.into_iter().any(|span| span.from <= first.span.by) {
        return None;
    }
    Some(Swept { order: at, told_by: first.call, gone: first.span.by, placed_from: order.placed.from })
}
