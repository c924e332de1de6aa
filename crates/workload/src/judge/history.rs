//! Rule `history`: a history has every order, each once, newest first, and its pages join without gap or repeat.

use std::collections::{HashMap, HashSet};

use mworld_shop::OrderId;

use crate::record::{Asked, Caller, Got, Micros, OrderSeen};
use crate::stage::UserNo;

use super::book::Book;
use super::findings::{Findings, Rule};
use super::orders::OrderFile;
use super::span::Span;

/// Two processes of one store may have clocks that differ: an order is surely older than another only if it was
/// answered so long before the other one was asked for.
const CLOCKS_DIFFER: Micros = 1_000_000;

/// A page of a history.
struct Page<'a> {
    call: usize,
    user: UserNo,
    items: &'a [OrderSeen],
    /// Whether there are older orders on a further page.
    more: bool,
    /// The page before, if this is not the first.
    before: Option<usize>,
}

/// Looks at every page, and at every history as it was after the end.
pub(super) fn check(book: &Book<'_>, findings: &mut Findings) {
    for page in pages(book) {
        findings.checked(Rule::History);
        sorted(book, &page, findings);
        joined(book, &page, findings);
    }
    check_pages(book, findings, Rule::History, &|at| book.is_reading(at));
    for user in 0..book.stage.users.len() {
        each_once(book, UserNo(u32::try_from(user).unwrap_or(u32::MAX)), findings);
    }
}

/// Every page that can be placed in its history.
fn pages<'a>(book: &Book<'a>) -> Vec<Page<'a>> {
    let mut pages = Vec::new();
    let mut by_next: HashMap<(UserNo, &str), usize> = HashMap::new();
    for (at, call) in book.calls.iter().enumerate() {
        if let (Caller::User(user), Got::Orders { next: Some(next), .. }) = (call.by, &call.got) {
            by_next.insert((user, next), at);
        }
    }
    for (at, call) in book.calls.iter().enumerate() {
        let (Caller::User(user), Asked::History { cursor, .. }, Got::Orders { items, next }) =
            (call.by, &call.asked, &call.got)
        else {
            continue;
        };
        let before = match cursor {
            None => None,
            Some(cursor) => match by_next.get(&(user, cursor.as_str())) {
                Some(before) => Some(*before),
                None => continue,
            },
        };
        pages.push(Page { call: at, user, items, more: next.is_some(), before });
    }
    pages
}

/// Newest first, by the store's own clock and by ours, and no order twice.
fn sorted(book: &Book<'_>, page: &Page<'_>, findings: &mut Findings) {
    let orders: Vec<&OrderFile<'_>> = page.items.iter().filter_map(|item| book.order(item.id)).collect();
    for pair in orders.windows(2) {
        if pair[0].id != pair[1].id && pair[0].created_at < pair[1].created_at {
            let (first, second) = (pair[0], pair[1]);
            let detail = format!(
                "{} lists order {} of {} before order {} of {}, which is newer",
                book.call(page.call),
                first.id,
                first.told().created_at,
                second.id,
                second.told().created_at
            );
            findings.accuse(Rule::History, [book.calls[page.call]], detail);
            return;
        }
    }
    let mut oldest: Option<&OrderFile<'_>> = None;
    for order in &orders {
        if let Some(above) = oldest.filter(|above| above.placed.by + CLOCKS_DIFFER < order.placed.from) {
            let detail = format!(
                "{} lists order {} before order {}, although the second was asked for after the first was answered",
                book.call(page.call),
                above.id,
                order.id
            );
            let shown_by = [page.call, above.sightings[0].call, order.sightings[0].call];
            findings.accuse(Rule::History, shown_by.map(|at| book.calls[at]), detail);
            return;
        }
        oldest = Some(oldest.filter(|above| above.placed.by <= order.placed.by).unwrap_or(order));
    }
    let mut seen: HashSet<OrderId> = HashSet::new();
    if let Some(twice) = page.items.iter().find(|item| !seen.insert(item.id)) {
        let detail = format!("{} lists order {} twice", book.call(page.call), twice.id);
        findings.accuse(Rule::History, [book.calls[page.call]], detail);
    }
}

/// A page begins where the page before it ends.
fn joined(book: &Book<'_>, page: &Page<'_>, findings: &mut Findings) {
    let Some(before) = page.before else { return };
    let Got::Orders { items: earlier, .. } = &book.calls[before].got else { return };
    let again = page.items.iter().find(|item| earlier.iter().any(|known| known.id == item.id));
    let newer = || {
        let created = |item: &OrderSeen| book.order(item.id).and_then(|order| order.created_at);
        let last = created(earlier.last()?)?;
        page.items.iter().find(|item| created(item).is_some_and(|created| created > last))
    };
    if let Some(item) = again.or_else(newer) {
        let detail = format!(
            "{} and {} are pages that follow each other, but order {} of the second belongs to the first or before it",
            book.call(before),
            book.call(page.call),
            item.id
        );
        findings.accuse(Rule::History, [book.calls[before], book.calls[page.call]], detail);
    }
}

/// Every order that was surely placed before a page was asked for, and whose place is on that page, is on it.
pub(super) fn check_pages(
    book: &Book<'_>,
    findings: &mut Findings,
    rule: Rule,
    wanted: &dyn Fn(usize) -> bool,
) {
    let buyers = Buyer::all(book);
    for page in pages(book).into_iter().filter(|page| wanted(page.call)) {
        if rule == Rule::OwnReads {
            findings.checked(rule);
        }
        let Some(buyer) = buyers.get(&page.user) else { continue };
        let Some(range) = Range::of(book, &page) else { continue };
        let listed: HashSet<OrderId> = page.items.iter().map(|item| item.id).collect();
        let due = buyer.due(&range, Span::of(book.calls[page.call]));
        for order in due.filter(|order| !listed.contains(&order.id)) {
            let first = order.sightings[0].call;
            let detail = format!(
                "{} does not list order {}, of which {} had told before",
                book.call(page.call),
                order.id,
                book.call(first)
            );
            findings.accuse(rule, [book.calls[page.call], book.calls[first]], detail);
        }
    }
}

/// A buyer's orders, oldest first by the store's clock.
#[derive(Default)]
struct Buyer<'b> {
    orders: Vec<(i64, &'b OrderFile<'b>)>,
    /// When the first of the orders from here on was surely placed: where to stop looking.
    placed_from_here: Vec<Micros>,
}

impl<'b> Buyer<'b> {
    fn all(book: &'b Book<'_>) -> HashMap<UserNo, Buyer<'b>> {
        let mut buyers: HashMap<UserNo, Buyer<'b>> = HashMap::new();
        for order in &book.orders {
            if let Some(created) = order.created_at {
                buyers.entry(order.user).or_default().orders.push((created, order));
            }
        }
        for buyer in buyers.values_mut() {
            buyer.orders.sort_by_key(|(created, order)| (*created, order.id));
            let mut first = Micros::MAX;
            let newest_first = buyer.orders.iter().rev().map(|(_, order)| {
                first = first.min(order.placed.by);
                first
            });
            buyer.placed_from_here = newest_first.collect();
            buyer.placed_from_here.reverse();
        }
        buyers
    }

    /// The orders that belong on a page and were there when it was read.
    fn due<'d>(&'d self, range: &'d Range, read: Span) -> impl Iterator<Item = &'b OrderFile<'b>> + 'd {
        let oldest = range.newer_than.map_or(0, |bound| self.orders.partition_point(|(at, _)| *at <= bound));
        let older = move |created: i64| range.older_than.is_none_or(|bound| created < bound);
        let from_here = self.orders[oldest..].iter().zip(&self.placed_from_here[oldest..]);
        let there = from_here.take_while(move |((created, _), first)| **first < read.from && older(*created));
        there.map(|((_, order), _)| *order).filter(move |order| order.placed.surely_before(read))
    }
}

/// Which orders belong on a page: those strictly between its neighbours' by the store's clock.
struct Range {
    newer_than: Option<i64>,
    older_than: Option<i64>,
}

impl Range {
    /// None if the page's neighbours have no time.
    fn of(book: &Book<'_>, page: &Page<'_>) -> Option<Range> {
        let created = |items: &[OrderSeen]| book.order(items.last()?.id)?.created_at;
        let newer_than = if page.more { Some(created(page.items)?) } else { None };
        let older_than = match page.before.map(|before| &book.calls[before].got) {
            Some(Got::Orders { items, .. }) => Some(created(items)?),
            _ => None,
        };
        Some(Range { newer_than, older_than })
    }
}

/// A whole history after the end has no order twice.
fn each_once(book: &Book<'_>, user: UserNo, findings: &mut Findings) {
    let Some(read) = book.history(user) else { return };
    let mut seen: HashMap<OrderId, usize> = HashMap::new();
    for page in &read.pages {
        let Got::Orders { items, .. } = &book.calls[*page].got else { continue };
        for item in items {
            findings.checked(Rule::History);
            if let Some(before) = seen.insert(item.id, *page).filter(|before| before != page) {
                let detail =
                    format!("order {} stands on two pages of the history of user {}", item.id, user.0);
                findings.accuse(Rule::History, [book.calls[before], book.calls[*page]], detail);
            }
        }
    }
}
