//! Rule `status`: an order only moves along legal arrows, and only where somebody moved it.

use mworld_shop::order::OrderStatus;

use crate::record::{Asked, Call, Got};

use super::book::Book;
use super::findings::{Findings, Rule};
use super::orders::{OrderFile, Sighting};
use super::own_reads;
use super::span::Effect;

/// Looks at every order as it was seen from call to call.
pub(super) fn check(book: &Book<'_>, findings: &mut Findings) {
    for order in &book.orders {
        for seen in &order.sightings {
            findings.checked(Rule::Status);
            if let Some(why) = without_cause(book, order, seen) {
                let (told, id, status) = (book.call(seen.call), order.id, seen.order.status);
                let detail = format!("{told} shows order {id} as {status}, but {why}");
                findings.accuse(Rule::Status, [book.calls[seen.call]], detail);
            }
        }
        arrows(book, order, findings);
        once(book, order, &order.pays, findings);
        once(book, order, &order.cancels, findings);
        refusals(book, order, findings);
    }
}

/// Why an order cannot have this status, if nobody has moved it there.
fn without_cause(book: &Book<'_>, order: &OrderFile<'_>, seen: &Sighting<'_>) -> Option<String> {
    let asked = |calls: &[usize]| calls.iter().any(|at| can_have_acted(book.calls[*at], seen.span.by));
    let answer = &book.calls[seen.call].asked;
    match seen.order.status {
        OrderStatus::Created => match answer {
            Asked::Pay(_) => Some("it answers a payment".to_owned()),
            Asked::Cancel(_) => Some("it answers a cancellation".to_owned()),
            _ => None,
        },
        OrderStatus::Paid if matches!(answer, Asked::Cancel(_)) => {
            Some("it answers a cancellation".to_owned())
        }
        OrderStatus::Paid => (!asked(&order.pays)).then(|| "nobody had paid it".to_owned()),
        OrderStatus::Cancelled => {
            let caused = asked(&order.cancels) || order.can_be_swept(&book.calls, seen.span.by);
            (!caused).then(|| {
                "nobody had cancelled it, and it was paid or is seen alive later: the store did not do so by itself"
                    .to_owned()
            })
        }
        OrderStatus::Shipped | OrderStatus::Delivered => Some("nobody had sent it on its way".to_owned()),
    }
}

fn can_have_acted(call: &Call, by: u64) -> bool {
    Effect::of(call).span().is_some_and(|span| span.from <= by)
}

/// Whether an order can come from one status to the other by any number of legal steps.
fn leads_to(from: OrderStatus, to: OrderStatus) -> bool {
    from == to || from.next().iter().any(|next| leads_to(*next, to))
}

/// No later sight is behind, or beside, an earlier one.
fn arrows(book: &Book<'_>, order: &OrderFile<'_>, findings: &mut Findings) {
    let mut by_end: Vec<&Sighting<'_>> = order.sightings.iter().collect();
    by_end.sort_by_key(|seen| seen.span.by);
    let mut over = by_end.into_iter().peekable();
    let mut earlier: Vec<&Sighting<'_>> = Vec::new();
    for seen in &order.sightings {
        while let Some(past) = over.next_if(|past| past.span.surely_before(seen.span)) {
            // The first sight of each status says it all.
            if earlier.iter().all(|known| known.order.status != past.order.status) {
                earlier.push(past);
            }
        }
        let illegal = earlier.iter().find(|past| !leads_to(past.order.status, seen.order.status));
        let Some(past) = illegal else { continue };
        // What a buyer reads during the run and is behind the buyer's own step is told by `own-reads`.
        if !book.is_reading(seen.call) && own_reads::behind(book, order, seen).is_some() {
            continue;
        }
        let detail = format!(
            "order {} went from {} to {}: the first was told by {}, the second by {}, sent after it",
            order.id,
            past.order.status,
            seen.order.status,
            book.call(past.call),
            book.call(seen.call)
        );
        findings.accuse(Rule::Status, [book.calls[past.call], book.calls[seen.call]], detail);
        return;
    }
}

/// A step is taken once.
fn once(book: &Book<'_>, order: &OrderFile<'_>, steps: &[usize], findings: &mut Findings) {
    let done: Vec<usize> =
        steps.iter().copied().filter(|at| matches!(Effect::of(book.calls[*at]), Effect::Sure(_))).collect();
    if let [first, second, ..] = done[..] {
        let (a, b) = (book.call(first), book.call(second));
        let detail =
            format!("{a} and {b} were both told that they have moved order {} by the same step", order.id);
        findings.accuse(Rule::Status, [book.calls[first], book.calls[second]], detail);
    }
}

/// A step is refused only where another one can have come first.
fn refusals(book: &Book<'_>, order: &OrderFile<'_>, findings: &mut Findings) {
    for at in order.pays.iter().chain(&order.cancels) {
        let call = book.calls[*at];
        let Got::Refused { code, .. } = &call.got else { continue };
        if !matches!(code.as_str(), "illegal_transition" | "order_cancelled") {
            continue;
        }
        findings.checked(Rule::Status);
        let acted = |calls: &[usize]| {
            calls.iter().any(|other| other != at && can_have_acted(book.calls[*other], call.ended))
        };
        let paid_first = matches!(call.asked, Asked::Pay(_)) && acted(&order.pays);
        if paid_first || acted(&order.cancels) || order.can_be_swept(&book.calls, call.ended) {
            continue;
        }
        let (told, id) = (book.call(*at), order.id);
        let detail =
            format!("{told} was refused for order {id} ({code}), but nothing else has moved the order");
        findings.accuse(Rule::Status, [call], detail);
    }
}
