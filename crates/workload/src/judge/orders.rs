//! What is known of each order: who placed it and when, and everything that was ever said about it.

use std::collections::HashMap;
use std::str::FromStr;

use mworld_shop::order::OrderStatus;
use mworld_shop::{OrderId, Timestamp};

use crate::record::{Asked, Call, Caller, Got, Micros, OrderSeen};
use crate::stage::{Stage, UserNo};

use super::keys::KeyFile;
use super::span::{Effect, NEVER, Span};

/// Everything about one order.
#[derive(Debug)]
pub(super) struct OrderFile<'a> {
    pub(super) id: OrderId,
    pub(super) user: UserNo,
    /// The key that made it, if its buyer was told.
    pub(super) key: Option<usize>,
    /// When it was placed.
    pub(super) placed: Span,
    /// When it was called off, if it can have been.
    pub(super) cancelled: Option<Span>,
    /// When it was placed by the store's own clock, in microseconds; `None` if that was no time.
    pub(super) created_at: Option<i64>,
    /// Every time it was shown, by when that was asked for.
    pub(super) sightings: Vec<Sighting<'a>>,
    /// Calls that pay it.
    pub(super) pays: Vec<usize>,
    /// Calls that cancel it.
    pub(super) cancels: Vec<usize>,
}

/// An order as one answer showed it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sighting<'a> {
    pub(super) call: usize,
    pub(super) span: Span,
    pub(super) order: &'a OrderSeen,
}

impl<'a> OrderFile<'a> {
    /// The order as it was told first.
    pub(super) fn told(&self) -> &'a OrderSeen {
        self.sightings[0].order
    }

    /// Whether the store's sweeper can have cancelled it by then: it was never paid, and not seen alive after that.
    /// How long it is held is the store's choice; that all are held equally long is looked at elsewhere.
    pub(super) fn can_be_swept(&self, calls: &[&Call], by: Micros) -> bool {
        !self.is_surely_paid(calls) && !self.alive().any(|seen| seen.span.from > by)
    }

    fn alive(&self) -> impl Iterator<Item = &Sighting<'a>> {
        self.sightings.iter().filter(|seen| seen.order.status != OrderStatus::Cancelled)
    }

    fn is_surely_paid(&self, calls: &[&Call]) -> bool {
        self.pays.iter().any(|at| matches!(Effect::of(calls[*at]), Effect::Sure(_)))
            || self.sightings.iter().any(|seen| seen.order.status == OrderStatus::Paid)
    }

    /// When it was called off. Nothing that was seen alive after a moment had been called off before it.
    fn when_cancelled(&self, calls: &[&Call]) -> Option<Span> {
        let effects = || self.cancels.iter().map(|at| Effect::of(calls[*at]));
        let sure = effects().filter_map(|effect| match effect {
            Effect::Sure(span) => Some(span),
            _ => None,
        });
        if let Some(sure) = sure.min_by_key(|span| span.by) {
            return Some(sure);
        }
        let dead = self.sightings.iter().filter(|seen| seen.order.status == OrderStatus::Cancelled);
        let by = dead.map(|seen| seen.span.by).min().unwrap_or(NEVER);
        let asked = effects().filter_map(Effect::span).map(|span| span.from).min();
        let swept = (!self.is_surely_paid(calls)).then_some(self.placed.from);
        let from = match (asked, swept) {
            (Some(asked), Some(swept)) => asked.min(swept),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) if by == NEVER => return None,
            (None, None) => 0,
        };
        let alive_at = self.alive().map(|seen| seen.span.from).max().unwrap_or(0);
        Some(Span { from: from.max(alive_at).min(by), by })
    }
}

/// Collects every order that any answer showed, by the moment of its first showing.
pub(super) fn collect<'a>(calls: &[&'a Call], keys: &[KeyFile<'a>], stage: &Stage) -> Vec<OrderFile<'a>> {
    let mut orders: Vec<OrderFile<'a>> = Vec::new();
    let mut known: HashMap<OrderId, usize> = HashMap::new();
    let by_sent = {
        let mut places: Vec<usize> = (0..calls.len()).collect();
        places.sort_by_key(|at| calls[*at].sent);
        places
    };
    for at in by_sent {
        let call = calls[at];
        let Caller::User(user) = call.by else { continue };
        let shown: &[OrderSeen] = match &call.got {
            Got::Order { order, .. } => std::slice::from_ref(order),
            Got::Orders { items, .. } => items,
            _ => &[],
        };
        for order in shown {
            let file = *known.entry(order.id).or_insert_with(|| {
                orders.push(OrderFile::begin(order, user));
                orders.len() - 1
            });
            orders[file].sightings.push(Sighting { call: at, span: Span::of(call), order });
        }
    }
    for (at, call) in calls.iter().enumerate() {
        match call.asked {
            Asked::Pay(id) => known.get(&id).into_iter().for_each(|file| orders[*file].pays.push(at)),
            Asked::Cancel(id) => known.get(&id).into_iter().for_each(|file| orders[*file].cancels.push(at)),
            _ => {}
        }
    }
    for (at, key) in keys.iter().enumerate() {
        let Some(made) = key.made else { continue };
        let order = &mut orders[known[&made.order]];
        if order.key.is_none() {
            (order.key, order.user, order.placed) = (Some(at), key.user, made.span);
        }
    }
    let open = open_since(keys, stage);
    for order in &mut orders {
        settle(order, calls, &open);
    }
    orders
}

/// By user and zone: since when some key that nobody was told of may have made an order.
fn open_since<'s>(keys: &[KeyFile<'_>], stage: &'s Stage) -> HashMap<(UserNo, &'s str), Micros> {
    let mut open: HashMap<(UserNo, &str), Micros> = HashMap::new();
    for key in keys {
        let (Some(since), Some(zone)) = (key.open_since, stage.zones.get(key.zone.0 as usize)) else {
            continue;
        };
        let known = open.entry((key.user, zone)).or_insert(since);
        *known = since.min(*known);
    }
    open
}

impl<'a> OrderFile<'a> {
    fn begin(order: &'a OrderSeen, user: UserNo) -> OrderFile<'a> {
        let created_at = Timestamp::from_str(&order.created_at).ok().map(Timestamp::micros);
        OrderFile {
            id: order.id,
            user,
            key: None,
            placed: Span::BEGINNING,
            cancelled: None,
            created_at,
            sightings: Vec::new(),
            pays: Vec::new(),
            cancels: Vec::new(),
        }
    }
}

/// Narrows down when an order was placed and called off by what was seen of it.
fn settle(order: &mut OrderFile<'_>, calls: &[&Call], open: &HashMap<(UserNo, &str), Micros>) {
    if order.key.is_none() {
        // Its buyer was never told which call made it: one of those that nobody answered.
        let from = open.get(&(order.user, order.told().zone.as_str())).copied().unwrap_or(0);
        order.placed = Span { from, by: NEVER };
    }
    let seen_by = order.sightings.iter().map(|seen| seen.span.by).min().unwrap_or(NEVER);
    order.placed.by = order.placed.by.min(seen_by);
    order.placed.from = order.placed.from.min(order.placed.by);
    order.cancelled = order.when_cancelled(calls);
}
