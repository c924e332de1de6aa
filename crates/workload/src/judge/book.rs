//! The evidence, put in order: what is known of every key, every order and every history.

use std::collections::{HashMap, HashSet};

use mworld_shop::{OrderId, ProductId};

use crate::record::{Asked, Call, Caller, Evidence, Got, Micros};
use crate::stage::{ProductNo, Stage, UserNo};

use super::keys::{self, KeyFile};
use super::orders::{self, OrderFile};

/// The evidence in order.
pub(super) struct Book<'a> {
    pub(super) stage: &'a Stage,
    /// Calls of the run, then readings after its end.
    pub(super) calls: Vec<&'a Call>,
    first_reading: usize,
    products: HashMap<ProductId, ProductNo>,
    /// Every idempotency key that was used.
    pub(super) keys: Vec<KeyFile<'a>>,
    /// Every order that was ever shown.
    pub(super) orders: Vec<OrderFile<'a>>,
    order_at: HashMap<OrderId, usize>,
    /// What was read of each user's history after the end.
    histories: Vec<Option<HistoryRead>>,
    /// Users of whom an order was shown that no answered call has made.
    with_strange_orders: HashSet<UserNo>,
}

/// A history read from its first page to its last after the end of the run.
#[derive(Debug)]
pub(super) struct HistoryRead {
    /// The calls, page by page.
    pub(super) pages: Vec<usize>,
    /// When the first page was asked for.
    pub(super) from: Micros,
}

impl<'a> Book<'a> {
    /// Puts the evidence in order.
    pub(super) fn open(evidence: &'a Evidence) -> Book<'a> {
        let stage = &evidence.stage;
        let calls: Vec<&Call> = evidence.calls.iter().chain(&evidence.readings).collect();
        let numbered = stage.products.iter().zip(0..);
        let products = numbered.map(|(product, no)| (product.id, ProductNo(no))).collect();
        let keys = keys::collect(&calls);
        let orders = orders::collect(&calls, &keys, stage);
        let order_at = orders.iter().enumerate().map(|(at, order)| (order.id, at)).collect();
        let strange = orders.iter().filter(|order: &&OrderFile<'_>| order.key.is_none());
        let with_strange_orders = strange.map(|order| order.user).collect();
        let first_reading = evidence.calls.len();
        let histories = histories(stage, &calls, first_reading);
        Book { stage, calls, first_reading, products, keys, orders, order_at, histories, with_strange_orders }
    }

    /// Whether the call was made after the end of the run.
    pub(super) const fn is_reading(&self, call: usize) -> bool {
        call >= self.first_reading
    }

    /// The run's number of a product; none of a stranger's.
    pub(super) fn product(&self, id: ProductId) -> Option<ProductNo> {
        self.products.get(&id).copied()
    }

    /// The file of an order.
    pub(super) fn order(&self, id: OrderId) -> Option<&OrderFile<'a>> {
        self.order_at.get(&id).map(|at| &self.orders[*at])
    }

    /// What was read of a user's history after the end.
    pub(super) fn history(&self, user: UserNo) -> Option<&HistoryRead> {
        self.histories.get(user.0 as usize)?.as_ref()
    }

    /// From when on a key whose outcome nobody was told may have made an order. If all orders of the user are known
    /// to be of other keys, it has made none before the user's history was read.
    pub(super) fn may_make_order_from(&self, key: &KeyFile<'_>) -> Option<Micros> {
        if self.with_strange_orders.contains(&key.user) {
            key.open_since
        } else {
            self.may_hide_order_from(key)
        }
    }

    /// From when on a key whose outcome nobody was told may have made an order that was never shown: every order
    /// that was there before the user's history was read is in it.
    pub(super) fn may_hide_order_from(&self, key: &KeyFile<'_>) -> Option<Micros> {
        let read_from = self.history(key.user).map_or(0, |read| read.from);
        key.open_since.map(|since| since.max(read_from))
    }
}

/// Follows the readings of each user's history from page to page.
fn histories(stage: &Stage, calls: &[&Call], first_reading: usize) -> Vec<Option<HistoryRead>> {
    let mut first_pages: Vec<Option<usize>> = vec![None; stage.users.len()];
    let mut by_cursor: HashMap<(UserNo, &str), usize> = HashMap::new();
    for (at, call) in calls.iter().enumerate().skip(first_reading) {
        let (Caller::User(user), Asked::History { cursor, .. }, Got::Orders { .. }) =
            (call.by, &call.asked, &call.got)
        else {
            continue;
        };
        match cursor {
            Some(cursor) => {
                by_cursor.insert((user, cursor), at);
            }
            None => {
                if let Some(first) = first_pages.get_mut(user.0 as usize) {
                    *first = Some(at);
                }
            }
        }
    }
    let users = first_pages.into_iter().zip(0..);
    users.map(|(first, user)| follow(calls, &by_cursor, UserNo(user), first?)).collect()
}

fn follow(
    calls: &[&Call],
    by_cursor: &HashMap<(UserNo, &str), usize>,
    user: UserNo,
    first: usize,
) -> Option<HistoryRead> {
    let (mut pages, from) = (vec![first], calls[first].sent);
    while let Got::Orders { next: Some(next), .. } = &calls[*pages.last()?].got {
        let page = *by_cursor.get(&(user, next.as_str()))?;
        if pages.contains(&page) {
            return None;
        }
        pages.push(page);
    }
    Some(HistoryRead { pages, from })
}
