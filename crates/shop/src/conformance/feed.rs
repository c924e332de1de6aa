//! The promises of [`crate::ports::Feed`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use super::World;
use super::fixture::Shop;
use crate::event::{Event, EventId, Happened, StockChange};
use crate::ids::{OrderId, ProductId, UserId};
use crate::order::{OrderRef, OrderStatus};
use crate::page::PageSize;
use crate::product::{ProductDraft, ZoneStock};

chapter! { $ conformance_feed in feed:
    every_step_of_an_order_is_there_once_and_in_order,
    stock_changes_are_there_with_what_is_left,
    setting_stock_by_an_upsert_is_a_stock_change,
    refusals_leave_no_event,
    the_feed_reads_again_from_any_event,
    pages_of_any_size_give_the_same_feed,
    under_concurrency_quantities_chain_and_nothing_is_missed,
}

fn order_events(events: &[Event], id: OrderId) -> Vec<(OrderStatus, Vec<StockChange>)> {
    let steps = events.iter().filter_map(|event| match &event.happened {
        Happened::Order { order_id, status, stock, .. } if *order_id == id => Some((*status, stock.clone())),
        _ => None,
    });
    steps.collect()
}

/// Every change of a product's stock, by orders and by hand, in the order of the feed.
fn changes(events: &[Event], product: ProductId) -> Vec<StockChange> {
    let all = events.iter().flat_map(|event| match &event.happened {
        Happened::Order { stock, .. } => stock.clone(),
        Happened::Stock { change } => vec![change.clone()],
        Happened::RefundDue { .. } => Vec::new(),
    });
    all.filter(|change| change.product_id == product).collect()
}

fn deltas(events: &[Event], product: ProductId) -> Vec<(i64, u32)> {
    changes(events, product).iter().map(|change| (change.delta, change.quantity)).collect()
}

async fn every_step_of_an_order_is_there_once_and_in_order(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let since = shop.last_event().await;
    let order = shop.ordered(UserId::generate(), &[(&product, 2)]).await;
    let dropped = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    shop.ledger().pay(order.id, shop.payment_of(&order)).await.expect("it is paid");
    shop.ledger().cancel(OrderRef { id: dropped.id, user: None }).await.expect("it is cancelled");
    for to in [OrderStatus::Shipped, OrderStatus::Delivered] {
        shop.ledger().advance(OrderRef { id: order.id, user: None }, to).await.expect("a legal step");
    }
    let events = shop.events_after(since.as_ref()).await;
    let change =
        |delta, quantity| StockChange { product_id: product.id, zone: shop.zone(0), delta, quantity };
    let wanted = vec![
        (OrderStatus::Created, vec![change(-2, 3)]),
        (OrderStatus::Paid, vec![]),
        (OrderStatus::Shipped, vec![]),
        (OrderStatus::Delivered, vec![]),
    ];
    assert_eq!(order_events(&events, order.id), wanted);
    let wanted =
        vec![(OrderStatus::Created, vec![change(-1, 2)]), (OrderStatus::Cancelled, vec![change(1, 3)])];
    assert_eq!(order_events(&events, dropped.id), wanted);
    let first = events.iter().find_map(|event| match &event.happened {
        Happened::Order { order_id, user_id, total, .. } if *order_id == order.id => {
            Some((*user_id, *total, event.at))
        }
        _ => None,
    });
    assert_eq!(first, Some((order.user_id, order.total, order.created_at)));
}

async fn stock_changes_are_there_with_what_is_left(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let since = shop.last_event().await;
    for delta in [3, -4] {
        shop.ledger().adjust(product.id, &shop.zone(0), delta).await.expect("a legal change");
    }
    let order = shop.ordered(UserId::generate(), &[(&product, 2)]).await;
    shop.clock.advance(shop.settings.order_hold + Duration::from_secs(1));
    while shop.ledger().cancel_unpaid(100).await.expect("the sweep runs") > 0 {}
    let events = shop.events_after(since.as_ref()).await;
    assert_eq!(deltas(&events, product.id), [(3, 8), (-4, 4), (-2, 2), (2, 4)]);
    let steps: Vec<OrderStatus> = order_events(&events, order.id).iter().map(|(status, _)| *status).collect();
    assert_eq!(steps, [OrderStatus::Created, OrderStatus::Cancelled], "the sweeper's cancel is there, too");
}

async fn setting_stock_by_an_upsert_is_a_stock_change(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let since = shop.last_event().await;
    for quantity in [9, 9, 0] {
        let stock = Some(vec![ZoneStock { zone: shop.zone(0), quantity }]);
        let draft = ProductDraft { stock, ..shop.draft(10_000) };
        shop.catalog().upsert(product.id, draft).await.expect("a legal draft is written");
    }
    shop.catalog().upsert(product.id, shop.draft(1)).await.expect("a draft without stock");
    let events = shop.events_after(since.as_ref()).await;
    assert_eq!(deltas(&events, product.id), [(4, 9), (-9, 0)], "what changed is there, what did not is not");
}

async fn refusals_leave_no_event(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 1).await;
    let order = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    let since = shop.last_event().await;
    let late = shop.order_of(UserId::generate(), &[(&product, 1)]);
    assert!(shop.ledger().place(late).await.is_err(), "sold out");
    assert!(shop.ledger().adjust(product.id, &shop.zone(0), -1).await.is_err(), "below zero");
    let delivered =
        shop.ledger().advance(OrderRef { id: order.id, user: None }, OrderStatus::Delivered).await;
    assert!(delivered.is_err(), "an illegal step");
    let events = shop.events_after(since.as_ref()).await;
    assert_eq!((deltas(&events, product.id), order_events(&events, order.id)), (vec![], vec![]));
}

/// A feed of some forty events of this shop.
async fn some_feed(shop: &Arc<Shop>) -> (Option<EventId>, Vec<Event>) {
    let since = shop.last_event().await;
    let product = shop.stocked(10_000, 100).await;
    for _ in 0..20 {
        let order = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
        shop.ledger().cancel(OrderRef { id: order.id, user: None }).await.expect("it is cancelled");
    }
    let events = shop.events_after(since.as_ref()).await;
    assert!(events.len() >= 40, "each order and each cancel is an event: {}", events.len());
    (since, events)
}

async fn the_feed_reads_again_from_any_event(world: &World) {
    let shop = world.shop().await;
    let (since, events) = some_feed(&shop).await;
    assert_eq!(shop.events_after(since.as_ref()).await, events, "reading again gives the same");
    let ids: BTreeSet<&str> = events.iter().map(|event| event.id.0.as_str()).collect();
    assert_eq!(ids.len(), events.len(), "each event has a place of its own");
    for (i, event) in events.iter().enumerate() {
        assert_eq!(shop.events_after(Some(&event.id)).await, events[i + 1..], "from event {i} on");
    }
    let last = events.last().map(|event| event.id.clone());
    let product = shop.stocked(10_000, 100).await;
    shop.ledger().adjust(product.id, &shop.zone(0), 1).await.expect("a legal change");
    let news = shop.events_after(last.as_ref()).await;
    assert!(deltas(&news, product.id).contains(&(1, 101)), "what is new comes after the last one read");
}

async fn pages_of_any_size_give_the_same_feed(world: &World) {
    let shop = world.shop().await;
    let (since, events) = some_feed(&shop).await;
    for size in [1, 7, 24] {
        let limit = PageSize::new(size).expect("a legal size");
        let (mut read, mut after) = (Vec::new(), since.clone());
        loop {
            let page = shop.feed().events(after.as_ref(), limit).await.expect("the feed is readable");
            assert!(page.items.len() <= limit.get(), "no more than asked");
            read.extend(page.items);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(read, events, "in pages of {size}");
    }
}

async fn under_concurrency_quantities_chain_and_nothing_is_missed(world: &World) {
    let shop = world.shop().await;
    let (a, b) = (shop.stocked(10_000, 40).await, shop.stocked(20_000, 40).await);
    let since = shop.last_event().await;
    let made = shop
        .at_once(16, |i, shop| {
            let order = shop.order_of(UserId::generate(), &[(&a, 1), (&b, 2)]);
            let (product, zone) = (if i % 2 == 0 { a.id } else { b.id }, shop.zone(0));
            async move {
                let order = shop.ledger().place(order).await.expect("it is in stock").order;
                shop.ledger().adjust(product, &zone, 1).await.expect("a legal change");
                if i % 3 == 0 {
                    let found = OrderRef { id: order.id, user: None };
                    shop.ledger().cancel(found).await.expect("it is cancelled");
                }
                (order.id, i % 3 == 0)
            }
        })
        .await;
    let events = shop.events_after(since.as_ref()).await;
    for (id, cancelled) in made {
        let steps: Vec<OrderStatus> = order_events(&events, id).iter().map(|(status, _)| *status).collect();
        let wanted: &[OrderStatus] =
            if cancelled { &[OrderStatus::Created, OrderStatus::Cancelled] } else { &[OrderStatus::Created] };
        assert_eq!(steps, wanted, "each step once, in order");
    }
    let mut left = BTreeMap::from([(a.id, 40_i64), (b.id, 40)]);
    for (product, quantity) in &mut left {
        for change in changes(&events, *product) {
            *quantity += change.delta;
            assert_eq!(i64::from(change.quantity), *quantity, "each change goes on from the one before");
        }
        assert_eq!(i64::from(shop.pieces(*product).await), *quantity, "and the last one is what is there");
    }
}
