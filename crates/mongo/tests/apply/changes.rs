//! Changes of a database that holds documents: none gets lost, and all lie where the new layout says.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mworld_mongo::admin::{Bson, doc};
use mworld_mongo::apply::Kind;
use uuid::Uuid;

use crate::database::{Database, layout};

/// Applies one layout, fills it, and applies another while products are being written.
async fn changed_while_it_sells(test: &str, from: &str, to: &str, by: Kind) {
    let database = Arc::new(Database::empty(test).await);
    database.apply(&layout(from)).await;
    database.fill((0..1_000).map(|_| Uuid::now_v7())).await;
    let before = database.products().await;
    let plan = database.prepare(&layout(to)).await.expect("a plan");
    assert!(plan.plan().steps.iter().any(|step| step.kind == by), "{}", plan.plan());

    let done = Arc::new(AtomicBool::new(false));
    let seller = tokio::spawn({
        let (database, done) = (Arc::clone(&database), Arc::clone(&done));
        async move {
            let mut written = BTreeSet::new();
            while !done.load(Ordering::Relaxed) {
                let id = Uuid::now_v7();
                database.fill([id].into_iter()).await;
                written.insert(mworld_mongo::admin::id(id).to_string());
            }
            written
        }
    });
    database.apply(&layout(to)).await;
    done.store(true, Ordering::Relaxed);
    let sold = seller.await.expect("every product is taken");
    assert!(!sold.is_empty());
    let wanted: BTreeSet<String> = before.union(&sold).cloned().collect();
    assert!(database.products().await == wanted, "a product got lost or stands twice");
    database.lies_as(&layout(to)).await;
    assert!(database.prepare(&layout(to)).await.expect("a plan").plan().is_empty());
    database.open(&layout(to)).await.expect("the store opens by the new layout");
}

#[tokio::test]
async fn a_longer_key_is_refined_and_no_document_gets_lost() {
    changed_while_it_sells("refine", "category", "category-spread", Kind::Refine).await;
}

#[tokio::test]
async fn another_key_is_a_copy_and_no_document_gets_lost() {
    changed_while_it_sells("reshard", "category-spread", "category+products-by-id-hash", Kind::Reshard).await;
}

#[tokio::test]
async fn a_range_that_was_moved_by_hand_is_moved_back() {
    let (database, layout) = (Database::empty("moved").await, layout("category-spread"));
    database.apply(&layout).await;
    database.fill((0..200).map(|_| Uuid::now_v7())).await;
    let name = format!("{}.products", database.name);
    let (_, from) = database.ranges("products").await.pop().expect("a last range");
    let shards = database.find("config", doc! { "find": "shards" }).await;
    let to = shards.iter().filter_map(|shard| shard.get_str("_id").ok()).find(|shard| *shard != from);
    let last = doc! { "category": "electronics", "_id": 0_i64 };
    let end = doc! { "category": Bson::MaxKey, "_id": Bson::MaxKey };
    database
        .admin(doc! { "moveRange": name, "min": last, "max": end, "toShard": to.expect("another shard") })
        .await;

    let apply = database.prepare(&layout).await.expect("a plan");
    let said: Vec<&str> = apply.plan().steps.iter().map(|step| step.what.as_str()).collect();
    assert_eq!(said, ["cut 0 ranges, move 1 range", "mark the database as laid out by category-spread"]);
    database.apply(&layout).await;
    database.lies_as(&layout).await;
    assert_eq!(database.products().await.len(), 200);
}
