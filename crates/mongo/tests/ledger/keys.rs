//! Idempotency keys where processes meet: voids are seen by nobody but the ledger, and one wish is one order.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use mworld_shop::OrderId;
use mworld_shop::checkout::{ClaimNo, PlaceOrder};
use mworld_shop::order::OrderQuery;
use mworld_shop::ports::{History, Ledger};
use mworld_shop::product::ProductRef;

use crate::store::{Database, events_after, order_of, product};

/// Layouts that keep keys in the orders themselves, and beside them.
const LAYOUTS: [&str; 2] = ["category-spread", "geo-zoned+orders-by-zone"];

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_wish_sent_to_several_processes_is_one_order() {
    for layout in LAYOUTS {
        let database = Database::new(layout).await;
        let (first, second) = (database.open().await, database.open().await);
        let product = product(&first, 1).await;
        let order = order_of(&[&product]);
        let send = |i: usize| {
            let (engine, order) = ([&first, &second][i % 2], order.clone());
            async move { engine.place(order).await.expect("a wish that is repeated hears of its order") }
        };
        let placed = join_all((0..8).map(send)).await;
        let ids: BTreeSet<OrderId> = placed.iter().map(|placed| placed.order.id).collect();
        assert_eq!(ids.len(), 1, "{layout}: the last piece is sold once, and everybody is told so");
        assert_eq!(placed.iter().filter(|placed| !placed.repeated).count(), 1, "{layout}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_void_is_no_order_anywhere() {
    for layout in LAYOUTS {
        let database = Database::new(layout).await;
        let engine = database.open().await;
        let product = product(&engine, 5).await;
        let order = order_of(&[&product]);
        let void = engine.void(order.user, &order.key, ClaimNo(7)).await.expect("a void is written");
        assert_eq!(void, None);
        let query = OrderQuery::default();
        assert_eq!(engine.list(&query).await.expect("a list").items, [], "{layout}");
        assert_eq!(engine.page(order.user, &query).await.expect("a history").items, [], "{layout}");
        assert_eq!(engine.cancel_unpaid(100).await.expect("a sweep"), 0, "{layout}");
        let placed = engine.place(PlaceOrder { claim: ClaimNo(8), ..order.clone() }).await;
        let placed = placed.expect("a later claim is not void").order;
        let listed = engine.list(&query).await.expect("a list").items;
        assert_eq!(listed.as_slice(), std::slice::from_ref(&placed), "{layout}");
        let again = engine.void(order.user, &order.key, ClaimNo(9)).await.expect("a void is answered");
        assert_eq!(again.map(|made| made.order), Some(placed), "{layout}: the order has taken its place");
        let left = engine.stock(&ProductRef::by_id(product.id)).await.expect("stock is readable");
        assert_eq!(left.expect("the product is there")[0].quantity, 4, "{layout}");
        assert_eq!(events_after(&engine, None).await.len(), 2, "{layout}: the first stock and the order");
    }
}
