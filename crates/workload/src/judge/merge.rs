//! What a login leaves in a user's cart: the guest's quantity and the user's own, joined by the store's policy.

use std::collections::HashMap;

use mworld_shop::cart::MergePolicy;

use super::register::{Values, Write, visible};
use super::span::Span;

/// So many logins that overlap are told apart in every order; with more, any quantity is believed.
const OVERLAPPING: usize = 3;

/// So many quantities are told apart.
const MOST_VALUES: usize = 64;

/// What a guest's cart brings of one product.
#[derive(Debug, Clone)]
pub(super) struct Arrival {
    /// The login.
    pub(super) call: usize,
    pub(super) span: Span,
    /// Whether it surely came.
    pub(super) sure: bool,
    /// How many.
    pub(super) brings: Brings,
}

/// How many pieces come.
#[derive(Debug, Clone)]
pub(super) enum Brings {
    /// One of the first; and if the guest's cart was written to while the login ran, perhaps one of the second on top:
    /// the store may look once more before it lets the guest's session go.
    OneOf(Vec<i64>, Vec<i64>),
    /// Nobody knows.
    Unknown,
}

/// How two quantities become one in this store.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joining {
    pub(super) policy: MergePolicy,
    /// The most that was ever seen of anything. If a sum is larger, the store's limit must have cut it to this.
    pub(super) most: i64,
}

impl Joining {
    fn join(self, user: i64, guest: i64) -> i64 {
        let joined = match (u32::try_from(user), u32::try_from(guest)) {
            (Ok(0), _) => guest,
            (Ok(user), Ok(guest)) => i64::from(self.policy.combine(user, guest)),
            _ => guest,
        };
        joined.min(self.most)
    }
}

/// Adds what came from guests to the writes of a user's line.
pub(super) fn add(writes: &mut Vec<Write>, arrivals: &[&Arrival], joining: Joining) {
    let mut by_end: Vec<&Arrival> = arrivals.to_vec();
    by_end.sort_by_key(|arrival| arrival.span.by);
    let first = writes.len();
    for arrival in &by_end {
        let (span, sure, call) = (arrival.span, arrival.sure, Some(arrival.call));
        writes.push(Write { span, sure, values: Values::Any, call });
    }
    let line = Line { arrivals: by_end.into_iter().zip(first..).map(|(of, at)| (at, of)).collect(), joining };
    // In the order of their ends: one that was surely there before another is settled before it.
    for at in first..writes.len() {
        writes[at].values = line.left_by(writes, at, &mut Vec::new());
    }
}

/// A user's line while arrivals are settled.
struct Line<'a> {
    /// By their place among the writes.
    arrivals: HashMap<usize, &'a Arrival>,
    joining: Joining,
}

impl Line<'_> {
    /// What an arrival can have left, if those in `without` came later.
    fn left_by(&self, writes: &[Write], at: usize, without: &mut Vec<usize>) -> Values {
        let Brings::OneOf(brought, again) = &self.arrivals[&at].brings else { return Values::Any };
        if without.len() >= OVERLAPPING {
            return Values::Any;
        }
        without.push(at);
        let met = self.met_by(writes, writes[at].span, without);
        without.pop();
        let Values::OneOf(met) = met else { return Values::Any };
        let once = met.iter().flat_map(|own| brought.iter().map(|guest| self.joining.join(*own, *guest)));
        let mut left: Vec<i64> = once.collect();
        let twice = left.iter().flat_map(|one| again.iter().map(|more| self.joining.join(*one, *more)));
        let twice: Vec<i64> = twice.collect();
        left.extend(twice);
        few(left)
    }

    /// What an arrival in this span can have met.
    fn met_by(&self, writes: &[Write], span: Span, without: &mut Vec<usize>) -> Values {
        let mut met: Vec<i64> = Vec::new();
        for other in visible(writes, span).filter(|other| !without.contains(other)).collect::<Vec<_>>() {
            let overlaps = !writes[other].span.surely_before(span);
            let left = if overlaps && self.arrivals.contains_key(&other) {
                self.left_by(writes, other, without)
            } else {
                writes[other].values.clone()
            };
            match left {
                Values::OneOf(values) => met.extend(values),
                Values::Any => return Values::Any,
            }
        }
        few(met)
    }
}

fn few(mut values: Vec<i64>) -> Values {
    values.sort_unstable();
    values.dedup();
    if values.len() > MOST_VALUES { Values::Any } else { Values::OneOf(values) }
}
