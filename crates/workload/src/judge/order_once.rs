//! Rule `order-once`: there is no order that nobody asked for, and no more orders than calls that can have made them.

use std::collections::BTreeMap;

use crate::record::Caller;
use crate::stage::UserNo;

use super::book::Book;
use super::findings::{Findings, Rule};
use super::orders::OrderFile;
use super::words;

/// Finds a maker for every order.
pub(super) fn check(book: &Book<'_>, findings: &mut Findings) {
    let mut strange: BTreeMap<(UserNo, &str), Vec<&OrderFile<'_>>> = BTreeMap::new();
    for order in &book.orders {
        findings.checked(Rule::OrderOnce);
        if order.key.is_none() {
            strange.entry((order.user, order.told().zone.as_str())).or_default().push(order);
        }
        at_home(book, order, findings);
    }
    for ((user, zone), orders) in strange {
        let open = unanswered(book, user, zone);
        if orders.len() > open {
            let ids: Vec<String> = orders.iter().map(|order| order.id.to_string()).collect();
            let detail = format!(
                "orders of user {} in {zone} that no answered call has made: {} ({}); unanswered keys that can have \
                 made one each: {open}",
                user.0,
                orders.len(),
                ids.join(", ")
            );
            let shown_by = orders.iter().map(|order| book.calls[order.sightings[0].call]);
            findings.accuse(Rule::OrderOnce, shown_by, detail);
        }
    }
}

/// How many keys of a user may have made an order of which nobody was told.
fn unanswered(book: &Book<'_>, user: UserNo, zone: &str) -> usize {
    let of_user = book.keys.iter().filter(|key| key.user == user && key.open_since.is_some());
    of_user.filter(|key| book.stage.zones.get(key.zone.0 as usize).is_some_and(|asked| asked == zone)).count()
}

/// An order is shown to its buyer only.
fn at_home(book: &Book<'_>, order: &OrderFile<'_>, findings: &mut Findings) {
    let owner = Caller::User(order.user);
    let elsewhere = order.sightings.iter().find(|seen| book.calls[seen.call].by != owner);
    if let Some(seen) = elsewhere {
        let call = book.calls[seen.call];
        let (whose, who) = (words::owner(owner), words::owner(call.by));
        let detail = format!("{} shows {who} order {} of {whose}", book.call(seen.call), order.id);
        findings.accuse(Rule::OrderOnce, [call, book.calls[order.sightings[0].call]], detail);
    }
}
