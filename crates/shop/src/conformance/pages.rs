//! Paging through a list to its end, as a patient client does.

use super::fixture::Shop;
use crate::event::{Event, EventId};
use crate::ids::UserId;
use crate::order::{Order, OrderQuery};
use crate::page::{Page, PageSize, Position};
use crate::product::Product;
use crate::search::Search;

/// A page size that is legal.
pub(super) fn size(items: u32) -> Option<PageSize> {
    Some(PageSize::new(items).expect("cases use sizes from 1 to 100"))
}

/// Checks the shape of one page: not above its size, and a next page only after a full one.
#[track_caller]
fn check_shape<T, C>(page: &Page<T, C>, size: PageSize) {
    assert!(page.items.len() <= size.get(), "a page of {} holds {} items", size.get(), page.items.len());
    assert!(page.next.is_none() || page.items.len() == size.get(), "a page with a next one is full");
}

/// Checks that a cursor goes on: one that stands still would let a client page for ever.
#[track_caller]
fn check_moves<C: PartialEq + std::fmt::Debug>(before: Option<&C>, next: Option<&C>) {
    assert!(next.is_none() || next != before, "the next page begins where this one did: {next:?}");
}

impl Shop {
    /// One page of a search.
    pub(super) async fn search_page(&self, search: &Search, after: Option<Position>) -> Page<Product> {
        let search = Search { after, ..search.clone() };
        let page = self.catalog().search(&search).await.expect("a legal search is answered");
        check_shape(&page, search.page_size());
        let items = page.items.iter().map(|product| Product::clone(product)).collect();
        Page { items, next: page.next }
    }

    /// This shop's own products that a search finds, in its order, over all pages.
    pub(super) async fn search_all(&self, search: &Search) -> Vec<Product> {
        let mut found = Vec::new();
        let mut after = None;
        loop {
            let page = self.search_page(search, after).await;
            found.extend(page.items.into_iter().filter(|product| product.name.contains(&self.tag)));
            check_moves(after.as_ref(), page.next.as_ref());
            after = page.next;
            if after.is_none() {
                return found;
            }
        }
    }

    /// One page of orders: a buyer's history, or everybody's list.
    pub(super) async fn orders_page(&self, user: Option<UserId>, query: &OrderQuery) -> Page<Order> {
        let page = match user {
            Some(user) => self.history().page(user, query).await,
            None => self.ledger().list(query).await,
        };
        let page = page.expect("a legal list is answered");
        check_shape(&page, query.page_size());
        page
    }

    /// All orders of a list over all its pages.
    pub(super) async fn orders_all(&self, user: Option<UserId>, query: &OrderQuery) -> Vec<Order> {
        let mut found = Vec::new();
        let mut query = query.clone();
        loop {
            let page = self.orders_page(user, &query).await;
            found.extend(page.items);
            check_moves(query.after.as_ref(), page.next.as_ref());
            query.after = page.next;
            if query.after.is_none() {
                return found;
            }
        }
    }

    /// All events after that one.
    pub(super) async fn events_after(&self, after: Option<&EventId>) -> Vec<Event> {
        let mut found: Vec<Event> = Vec::new();
        let mut after = after.cloned();
        loop {
            let limit = PageSize::new(PageSize::MAX).expect("the most is legal");
            let page = self.feed().events(after.as_ref(), limit).await.expect("the feed is readable");
            check_shape(&page, limit);
            found.extend(page.items);
            check_moves(after.as_ref(), page.next.as_ref());
            after = page.next;
            if after.is_none() {
                return found;
            }
        }
    }

    /// The last event so far: what a case makes comes after it.
    pub(super) async fn last_event(&self) -> Option<EventId> {
        self.events_after(None).await.last().map(|event| event.id.clone())
    }
}
