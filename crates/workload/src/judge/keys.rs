//! What is known of each idempotency key: who used it, for what, and which order it made.

use std::collections::HashMap;

use mworld_shop::OrderId;

use crate::record::{Asked, Call, Caller, Got, Micros};
use crate::stage::{UserNo, ZoneNo};

use super::span::{Effect, Span};

/// An idempotency key and every call that carried it.
#[derive(Debug)]
pub(super) struct KeyFile<'a> {
    pub(super) user: UserNo,
    pub(super) key: &'a str,
    pub(super) zone: ZoneNo,
    /// The total that the buyer expected.
    pub(super) expect_total: Option<i64>,
    /// The calls, as they were sent.
    pub(super) attempts: Vec<usize>,
    /// The order that it made, as the buyer was told.
    pub(super) made: Option<Made>,
    /// If nobody was told of an order: since when it may have made one all the same.
    pub(super) open_since: Option<Micros>,
}

/// What a key is known to have made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Made {
    pub(super) order: OrderId,
    /// When.
    pub(super) span: Span,
    /// The first call that told of it.
    pub(super) told_by: usize,
}

/// Collects the keys of all calls, in the order of their first use.
pub(super) fn collect<'a>(calls: &[&'a Call]) -> Vec<KeyFile<'a>> {
    let mut keys: Vec<KeyFile<'a>> = Vec::new();
    let mut known: HashMap<(UserNo, &str), usize> = HashMap::new();
    for (at, call) in calls.iter().enumerate() {
        let (Caller::User(user), Asked::Place { key, zone, expect_total }) = (call.by, &call.asked) else {
            continue;
        };
        let file = *known.entry((user, key)).or_insert_with(|| {
            keys.push(KeyFile {
                user,
                key,
                zone: *zone,
                expect_total: *expect_total,
                attempts: Vec::new(),
                made: None,
                open_since: None,
            });
            keys.len() - 1
        });
        keys[file].attempts.push(at);
    }
    for key in &mut keys {
        key.made = made(calls, &key.attempts);
        if key.made.is_none() {
            key.open_since = unanswered_since(calls, &key.attempts);
        }
    }
    keys
}

/// When the first attempt was sent whose outcome nobody knows.
pub(super) fn unanswered_since(calls: &[&Call], attempts: &[usize]) -> Option<Micros> {
    let unanswered = attempts.iter().filter(|at| matches!(Effect::of(calls[**at]), Effect::Maybe(_)));
    unanswered.map(|at| calls[*at].sent).min()
}

/// What the answers say. A call that claims to have made the order made it while it was under way; one that repeats
/// an earlier answer says only that some attempt before has made it.
fn made(calls: &[&Call], attempts: &[usize]) -> Option<Made> {
    let told = attempts.iter().filter_map(|at| match &calls[*at].got {
        Got::Order { order, created } => Some((*at, order.id, *created)),
        _ => None,
    });
    let told: Vec<(usize, OrderId, bool)> = told.collect();
    let (told_by, order, _) = *told.iter().min_by_key(|(at, ..)| calls[*at].ended)?;
    let maker = told.iter().find(|(_, id, created)| *id == order && *created);
    let span = match maker {
        Some((at, ..)) => Span::of(calls[*at]),
        None => {
            let own = calls[told_by].sent;
            let from = unanswered_since(calls, attempts).map_or(own, |since| since.min(own));
            Span { from, by: calls[told_by].ended }
        }
    };
    Some(Made { order, span, told_by })
}
