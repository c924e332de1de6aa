//! What is refused, and in which words.

use mworld_mongo::admin::doc;
use mworld_mongo::{Engine, OpenError};
use uuid::Uuid;

use crate::database::{Database, layout};

fn words(refused: Result<Engine, OpenError>) -> String {
    refused.err().expect("it is refused").to_string()
}

#[tokio::test]
async fn a_store_opens_only_on_what_its_layout_made() {
    let database = Database::empty("others").await;
    database.apply(&layout("category")).await;
    let other = words(database.open(&layout("category-spread")).await);
    assert!(other.contains("was laid out by category, not by category-spread"), "{other}");
    assert!(other.contains("mworld layout apply category-spread --mongodb"), "{other}");

    let products = format!("{}.products", database.name);
    database.router.run(&database.name, doc! { "createIndexes": "products", "indexes": [{ "key": { "category": 1, "_id": 1 }, "name": "longer" }] }).await.expect("an index");
    database.admin(doc! { "refineCollectionShardKey": &products, "key": { "category": 1, "_id": 1 } }).await;
    let other_key = words(database.open(&layout("category")).await);
    assert!(other_key.contains(&format!("{products} is sharded by {{category: 1, _id: 1}}")), "{other_key}");
    assert!(other_key.contains("layout category wants {category: 1}"), "{other_key}");

    let newer = doc! { "q": { "_id": "layout" }, "u": { "$set": { "schema": 99_i64 } } };
    database
        .router
        .run(&database.name, doc! { "update": "mworld_meta", "updates": [newer] })
        .await
        .expect("an update");
    let newer = words(database.open(&layout("category")).await);
    assert!(newer.contains("schema version 99, this mworld knows up to 1"), "{newer}");
}

#[tokio::test]
async fn what_documents_are_cannot_be_changed_in_place() {
    let database = Database::empty("shapes").await;
    database.apply(&layout("category-spread")).await;
    let refused = database.prepare(&layout("geo-zoned")).await.err().expect("it is refused").to_string();
    assert!(refused.contains("products would have the form per-zone instead of whole"), "{refused}");
    assert!(refused.contains("a database of its own"), "{refused}");
}

#[tokio::test]
async fn documents_of_somebody_else_are_left_in_peace() {
    let database = Database::empty("foreign").await;
    database.fill([Uuid::now_v7()].into_iter()).await;
    let refused = words(database.open(&layout("category-spread")).await);
    assert!(refused.contains("a collection products with 1 documents that no mworld wrote"), "{refused}");
    assert_eq!(database.products().await.len(), 1);
    assert!(database.mark().await.is_none());
}
