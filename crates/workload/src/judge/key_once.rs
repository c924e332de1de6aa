//! Rule `key-once`: one key makes one order at most, and a repeat of it is told of that same order.

use std::collections::HashMap;

use mworld_shop::OrderId;

use crate::record::Got;

use super::book::Book;
use super::findings::{Findings, Rule};
use super::keys::KeyFile;
use super::span::{Effect, Span};

/// Looks at all answers to each key, and at who claims each order.
pub(super) fn check(book: &Book<'_>, findings: &mut Findings) {
    let mut makers: HashMap<OrderId, usize> = HashMap::new();
    for (at, key) in book.keys.iter().enumerate() {
        findings.checked(Rule::KeyOnce);
        one_order(book, key, findings);
        repeats(book, key, findings);
        let Some(made) = key.made else { continue };
        if let Some(other) = makers.insert(made.order, at) {
            let first = &book.keys[other];
            let detail = format!(
                "order {} was told to two keys: {:?} of user {} and {:?} of user {}",
                made.order, first.key, first.user.0, key.key, key.user.0
            );
            let shown_by = [first.made.map_or(made.told_by, |made| made.told_by), made.told_by];
            findings.accuse(Rule::KeyOnce, shown_by.map(|at| book.calls[at]), detail);
        }
    }
}

/// All answers tell of one order, and only one of them made it.
fn one_order(book: &Book<'_>, key: &KeyFile<'_>, findings: &mut Findings) {
    let mut told: Vec<(usize, OrderId, bool)> = Vec::new();
    for at in &key.attempts {
        if let Got::Order { order, created } = &book.calls[*at].got {
            told.push((*at, order.id, *created));
        }
    }
    let Some((first, id, _)) = told.first().copied() else { return };
    if let Some((other, another, _)) = told.iter().find(|(_, other, _)| *other != id) {
        let detail = format!(
            "key {:?} has two orders: {} was told of {id}, {} of {another}",
            key.key,
            book.call(first),
            book.call(*other)
        );
        findings.accuse(Rule::KeyOnce, [book.calls[first], book.calls[*other]], detail);
        return;
    }
    let makers: Vec<usize> = told.iter().filter(|(.., created)| *created).map(|(at, ..)| *at).collect();
    if let [first, second, ..] = makers[..] {
        let detail = format!(
            "{} and {} both say that they have just made order {id} for key {:?}",
            book.call(first),
            book.call(second),
            key.key
        );
        findings.accuse(Rule::KeyOnce, [book.calls[first], book.calls[second]], detail);
    }
}

/// A repeat repeats something; and what was made once is not refused later.
fn repeats(book: &Book<'_>, key: &KeyFile<'_>, findings: &mut Findings) {
    for at in &key.attempts {
        let call = book.calls[*at];
        match &call.got {
            Got::Order { order, created: false } => {
                let can_have_made = |other: &&usize| {
                    let other = book.calls[**other];
                    let made = match &other.got {
                        Got::Order { created, .. } => *created,
                        _ => Effect::of(other) != Effect::None,
                    };
                    made && other.sent <= call.ended
                };
                if !key.attempts.iter().any(|other| can_have_made(&other)) {
                    let detail = format!(
                        "{} was told that key {:?} had made order {} before, but no earlier try can have made it",
                        book.call(*at),
                        key.key,
                        order.id
                    );
                    findings.accuse(Rule::KeyOnce, [call], detail);
                }
            }
            Got::Refused { code, .. }
                if matches!(code.as_str(), "cart_empty" | "insufficient_stock" | "price_changed") =>
            {
                let before = key.made.filter(|made| {
                    let told = Span::of(book.calls[made.told_by]);
                    told.surely_before(Span::of(call))
                });
                if let Some(made) = before {
                    let detail = format!(
                        "{} was refused ({code}), although {} had been told that key {:?} made order {}",
                        book.call(*at),
                        book.call(made.told_by),
                        key.key,
                        made.order
                    );
                    findings.accuse(Rule::KeyOnce, [call, book.calls[made.told_by]], detail);
                }
            }
            _ => {}
        }
    }
}
