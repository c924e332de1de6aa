//! A buyer writes through one store and reads through another, from secondaries: the write is always there.

use std::sync::Arc;

use mworld_playground::testing::cluster;
use mworld_shop::checkout::Request;
use mworld_shop::order::OrderQuery;
use mworld_shop::{ProductId, StoreParts, UserId};
use uuid::Uuid;

use super::shop::{buyer, draft, line, open, zone};

/// Buyers at once.
const BUYERS: usize = 16;

/// Pairs of a write and a read; ten thousand in the long run.
fn pairs() -> usize {
    if std::env::var_os("MWORLD_LONG").is_some() { 10_000 } else { 800 }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_buyer_reads_own_writes_through_another_store() {
    let cluster = cluster(1, 3).await;
    let (one, other) = (open(&cluster, "own").await.parts(), open(&cluster, "own").await.parts());
    let product = ProductId::generate();
    one.catalog.upsert(product, draft(100)).await.expect("the product is new");
    let shopping = (0..BUYERS).map(|number| {
        let (writer, reader) = if number % 2 == 0 { (&one, &other) } else { (&other, &one) };
        tokio::spawn(shop(writer.clone(), reader.clone(), product, pairs() / BUYERS))
    });
    let mut stale = 0;
    for buyer in shopping.collect::<Vec<_>>() {
        stale += buyer.await.expect("a buyer goes to the end");
    }
    println!("{} orders, each looked for at once in the history of another store: {stale} missing", pairs());
    assert_eq!(stale, 0, "orders were missing in their buyer's own history");
}

/// Orders and looks into the history, so many times; how often the order was not there.
async fn shop(writer: StoreParts, reader: StoreParts, product: ProductId, times: usize) -> usize {
    let user = UserId::generate();
    let request = Arc::new(Request { zone: zone(), expect_total: None });
    let mut missing = 0;
    for _ in 0..times {
        writer.carts.put(&buyer(user), line(product)).await.expect("a put");
        let key = Uuid::new_v4().to_string().parse().expect("a UUID is a legal key");
        let placed = writer.checkout.check_out(user, &key, &request).await.expect("a checkout");
        let page = reader.history.page(user, &OrderQuery::default()).await.expect("a page");
        missing += usize::from(page.items.first().map(|order| order.id) != Some(placed.order.id));
    }
    missing
}
