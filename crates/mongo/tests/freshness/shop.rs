//! Stores on a replicated cluster, and what they sell.

use std::sync::Arc;

use mworld_mongo::{Address, Engine, Options};
use mworld_placement::layout::load_shipped;
use mworld_playground::testing::TestCluster;
use mworld_shop::cart::{Buyer, Owner, PutLine};
use mworld_shop::product::{ProductDraft, ZoneStock};
use mworld_shop::{Category, Currency, Money, ProductId, SessionId, Settings, SystemClock, UserId, Zone};

/// A layout that reads the catalogue and histories from secondaries, at most five seconds old.
pub(crate) const LAYOUT: &str = "category-spread";

/// Opens one store process' engine.
pub(crate) async fn open(cluster: &TestCluster, database: &str) -> Engine {
    let options = Options {
        address: Address::new(cluster.uri_of(database)),
        layout: load_shipped(LAYOUT).expect("a shipped layout is sound").layout,
        settings: Arc::new(Settings::default()),
        clock: Arc::new(SystemClock::default()),
        observer: None,
        ages: None,
    };
    Engine::open(options).await.expect("a store opens on the cluster")
}

pub(crate) fn zone() -> Zone {
    Settings::default().default_zone()
}

pub(crate) fn category() -> Category {
    Settings::default().categories[0].id.clone()
}

/// A product at that price, of which there is plenty.
pub(crate) fn draft(price: i64) -> ProductDraft {
    ProductDraft {
        name: "Phone".to_owned(),
        description: String::new(),
        category: category(),
        subcategory: None,
        price: Money::new(price, Currency::RUB).expect("a small price"),
        attributes: Vec::new(),
        stock: Some(vec![ZoneStock { zone: zone(), quantity: 1_000_000 }]),
    }
}

/// A line of one piece.
pub(crate) fn line(product: ProductId) -> PutLine {
    let price = Money::new(100, Currency::RUB).expect("a small price");
    PutLine { product_id: product, category: category(), name: "Phone".to_owned(), price, quantity: 1 }
}

pub(crate) fn buyer(user: UserId) -> Buyer {
    Buyer { owner: Owner::User(user), session: SessionId::generate(), zone: zone() }
}
