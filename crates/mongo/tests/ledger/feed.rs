//! The feed, numbered by several processes at once, in small batches, and by one that died half-way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::{join, join_all};
use mworld_mongo::Engine;
use mworld_mongo::admin::{Bson, doc};
use mworld_shop::ProductId;
use mworld_shop::event::{Event, EventId, Happened};
use mworld_shop::order::OrderRef;
use mworld_shop::ports::Ledger;

use crate::store::{Database, events_after, order_of, product, zone};

/// What each event says of a product's stock: the change, and what is left.
fn changes(events: &[Event], product: ProductId) -> Vec<(i64, i64)> {
    let all = events.iter().flat_map(|event| match &event.happened {
        Happened::Order { stock, .. } => stock.clone(),
        Happened::Stock { change } => vec![change.clone()],
        Happened::RefundDue { .. } => Vec::new(),
    });
    let of_product = all.filter(|change| change.product_id == product);
    of_product.map(|change| (change.delta, i64::from(change.quantity))).collect()
}

/// Each change goes on from the one before: the feed tells commits in their order.
fn assert_chained(events: &[Event], product: ProductId) {
    let mut left = 0;
    for (delta, quantity) in changes(events, product) {
        left += delta;
        assert_eq!(quantity, left, "{:?}", changes(events, product));
    }
}

fn assert_each_once(events: &[Event]) {
    let numbers: Vec<i64> = events.iter().map(|event| event.id.0.parse().expect("a number")).collect();
    assert!(numbers.is_sorted_by(|a, b| a + 1 == *b), "one after the other, without a gap: {numbers:?}");
}

/// Sells to ten buyers, of whom every third cancels, with a delivery in between.
async fn trade(engine: &Engine, products: [&mworld_shop::product::Product; 2]) {
    for i in 0..10 {
        let order = engine.place(order_of(&products)).await.expect("it is in stock").order;
        if i % 3 == 0 {
            engine.cancel(OrderRef { id: order.id, user: None }).await.expect("it may be cancelled");
        }
        if i % 4 == 0 {
            engine.adjust(products[i % 2].id, &zone(), 1).await.expect("a legal change");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn processes_that_number_events_at_once_miss_none_and_repeat_none() {
    let database = Database::new("category-spread").await;
    let (first, second) = (database.open().await, database.open().await);
    let (a, b) = (product(&first, 100).await, product(&first, 100).await);
    let over = Arc::new(AtomicBool::new(false));
    // Two readers, one on each process, who come back again and again to where they stopped.
    let read = |engine: Engine| {
        let over = Arc::clone(&over);
        async move {
            let mut seen: Vec<Event> = Vec::new();
            loop {
                let last_round = over.load(Ordering::SeqCst);
                let after: Option<EventId> = seen.last().map(|event| event.id.clone());
                seen.extend(events_after(&engine, after).await);
                if last_round {
                    return seen;
                }
            }
        }
    };
    let readers = [tokio::spawn(read(first.clone())), tokio::spawn(read(second.clone()))];
    join(trade(&first, [&a, &b]), trade(&second, [&b, &a])).await;
    over.store(true, Ordering::SeqCst);
    let all = events_after(&first, None).await;
    for seen in join_all(readers).await {
        assert_eq!(seen.expect("a reader reads"), all, "who paged along saw just what is there in the end");
    }
    assert_each_once(&all);
    for product in [&a, &b] {
        assert_chained(&all, product.id);
    }
    let orders = all.iter().filter(|event| matches!(event.happened, Happened::Order { .. })).count();
    assert_eq!(orders, 20 + 8, "each order, and each that was cancelled");
}

/// Orders with events that wait.
async fn marked(database: &Database) -> i32 {
    let count = doc! { "count": "orders", "query": { "unfed_at": { "$exists": true } } };
    database.run(count).await.get_i32("n").expect("a count")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn batches_that_cannot_take_all_keep_the_order() {
    let database = Database::new("category-spread+stock-apart").await;
    let engine = database.open().await;
    let (a, b) = (product(&engine, 100).await, product(&engine, 100).await);
    join(trade(&engine, [&a, &b]), trade(&engine, [&b, &a])).await;
    // The store's own sweeper works beside it.
    let mut waiting = marked(&database).await;
    for _ in 0..1_000 {
        engine.feed(3).await.expect("a batch is numbered");
        waiting = marked(&database).await;
        if waiting == 0 {
            break;
        }
    }
    assert_eq!(waiting, 0, "small batches come to an end, too");
    let all = events_after(&engine, None).await;
    assert_each_once(&all);
    for product in [&a, &b] {
        assert_chained(&all, product.id);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn marks_that_a_dead_process_left_behind_are_not_fed_again() {
    let database = Database::new("geo-zoned+orders-by-zone").await;
    let engine = database.open().await;
    let product = product(&engine, 1_000).await;
    // Until one is read before the store's own sweeper has come by.
    let (order, stored) = loop {
        let order = engine.place(order_of(&[&product])).await.expect("it is in stock").order;
        let stored = database.newest("orders").await;
        if stored.contains_key("unfed") {
            break (order, stored);
        }
    };
    let before = events_after(&engine, None).await;
    // As it is when a process numbers the event and dies before it takes the mark away.
    let marks = doc! { "unfed": stored.get("unfed"), "unfed_at": stored.get("unfed_at") };
    let mut whole = doc! {};
    for field in ["_id", "geo_zone", "created_at"] {
        whole.insert(field, stored.get(field));
    }
    let update = doc! { "q": whole, "u": { "$set": marks } };
    let marked = database.run(doc! { "update": "orders", "updates": [update] }).await;
    assert_eq!(marked.get("nModified"), Some(&Bson::Int32(1)), "{marked}");
    assert_eq!(engine.feed(10).await.expect("a batch"), 0, "there is nothing new");
    assert_eq!(events_after(&engine, None).await, before, "and nothing is there twice");
    engine.cancel(OrderRef { id: order.id, user: None }).await.expect("it may be cancelled");
    let after = events_after(&engine, None).await;
    assert_eq!(after.len(), before.len() + 1, "what happens later comes after it");
    assert_chained(&after, product.id);
}
