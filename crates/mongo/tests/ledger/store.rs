//! Store processes on one database, and what they sell.

use std::sync::Arc;
use std::time::Duration;

use mworld_mongo::admin::{Direct, Document, doc};
use mworld_mongo::{Address, Engine, Options};
use mworld_placement::layout::load_shipped;
use mworld_playground::testing::{TestCluster, cluster};
use mworld_shop::cart::CartLine;
use mworld_shop::checkout::{ClaimNo, PlaceOrder, Request};
use mworld_shop::event::{Event, EventId};
use mworld_shop::ports::{Catalog, Feed};
use mworld_shop::product::{Product, ProductDraft, ZoneStock};
use mworld_shop::{CartId, Clock, Currency, Money, PageSize, ProductId, Settings, SystemClock, UserId, Zone};
use uuid::Uuid;

/// A database of one test, on which processes open stores.
pub(crate) struct Database {
    layout: &'static str,
    name: String,
    uri: String,
}

impl Database {
    /// On the cluster that tests share.
    pub(crate) async fn new(layout: &'static str) -> Database {
        Database::on(&*cluster(2, 1).await, layout)
    }

    pub(crate) fn on(cluster: &TestCluster, layout: &'static str) -> Database {
        let name = format!("ledger-{}", Uuid::new_v4().simple());
        Database { layout, uri: cluster.uri_of(&name), name }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// One store process.
    pub(crate) async fn open(&self) -> Engine {
        let options = Options {
            address: Address::new(self.uri.clone()),
            layout: load_shipped(self.layout).expect("a shipped layout is sound").layout,
            settings: Arc::new(Settings::default()),
            clock: Arc::new(SystemClock::default()),
            observer: None,
            ages: None,
        };
        Engine::open(options).await.expect("a store opens on the cluster")
    }

    /// A command of the cluster's keeper.
    pub(crate) async fn run(&self, command: Document) -> Document {
        let router = Direct::at(&self.uri, Duration::from_secs(10)).await;
        let router = router.expect("the router's address is legal");
        router.run(&self.name, command).await.expect("the router does it")
    }

    /// The record of a collection with the greatest id, as it is stored.
    pub(crate) async fn newest(&self, collection: &str) -> Document {
        let found = self.run(doc! { "find": collection, "sort": { "_id": -1 }, "limit": 1 }).await;
        let batch = found.get_document("cursor").and_then(|cursor| cursor.get_array("firstBatch"));
        batch.expect("a page")[0].as_document().expect("a record").clone()
    }
}

pub(crate) fn zone() -> Zone {
    Settings::default().zones[0].id.clone()
}

/// A new product with so many pieces.
pub(crate) async fn product(engine: &Engine, pieces: u32) -> Product {
    let draft = ProductDraft {
        name: "Phone".to_owned(),
        description: String::new(),
        category: Settings::default().categories[0].id.clone(),
        subcategory: None,
        price: Money::new(10_000, Currency::RUB).expect("a legal amount"),
        attributes: Vec::new(),
        stock: Some(vec![ZoneStock { zone: zone(), quantity: pieces }]),
    };
    engine.upsert(ProductId::generate(), draft).await.expect("a product is written").product
}

/// An order of one piece of each of these, of a user and a cart of its own.
pub(crate) fn order_of(products: &[&Product]) -> PlaceOrder {
    let line = |product: &&Product| CartLine {
        product_id: product.id,
        category: product.category.clone(),
        name: product.name.clone(),
        price: product.price,
        quantity: 1,
        added_at: SystemClock::default().now(),
    };
    PlaceOrder {
        user: UserId::generate(),
        key: Uuid::new_v4().to_string().parse().expect("a UUID is a legal key"),
        request: Request { zone: zone(), expect_total: None },
        cart: CartId::from_uuid(Uuid::new_v4()),
        claim: ClaimNo(1),
        lines: products.iter().map(line).collect(),
    }
}

/// All of the feed after an event, in pages.
pub(crate) async fn events_after(engine: &Engine, after: Option<EventId>) -> Vec<Event> {
    let (mut read, mut after) = (Vec::new(), after);
    loop {
        let page = engine.events(after.as_ref(), PageSize::DEFAULT).await.expect("the feed is readable");
        read.extend(page.items);
        after = page.next;
        if after.is_none() {
            return read;
        }
    }
}
