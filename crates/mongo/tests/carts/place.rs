//! A database of one test, the stores on it, and what is done to it past them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use mworld_mongo::admin::{Direct, Document, doc};
use mworld_mongo::{Address, Engine, Options};
use mworld_placement::layout::load_shipped;
use mworld_placement::touched::{Observer, Touch};
use mworld_placement::{Entity, KeyField, Layout, Order, ShardKey};
use mworld_playground::testing::cluster;
use mworld_shop::cart::{Buyer, Cart, Owner, PutLine};
use mworld_shop::ports::Carts;
use mworld_shop::{
    CartId, Clock, Currency, ManualClock, Money, Operation, ProductId, SessionId, Settings, SystemClock,
    UserId,
};

/// A database of one test, looked at past the store.
pub(crate) struct Place {
    name: String,
    uri: String,
    pub(crate) layout: Layout,
    pub(crate) clock: ManualClock,
    router: Direct,
    notes: Arc<Notebook>,
}

/// Keeps what every operation touched.
#[derive(Default)]
struct Notebook(Mutex<Vec<(Operation, Vec<Touch>)>>);

impl Observer<Operation> for Notebook {
    fn touched(&self, operation: Operation, touches: &[Touch]) {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        notes.push((operation, touches.to_vec()));
    }
}

pub(crate) fn shipped(layout: &str) -> Layout {
    load_shipped(layout).expect("a shipped layout is sound").layout
}

impl Place {
    pub(crate) async fn of(test: &str, layout: Layout) -> Place {
        let cluster = cluster(2, 1).await;
        let name = format!("carts-{test}-{}", layout.name.replace('+', "-"));
        let uri = cluster.uri_of(&name);
        let router = Direct::at(&uri, Duration::from_secs(10)).await.expect("the router's address");
        let clock = ManualClock::at(SystemClock::default().now());
        let place = Place { name, uri, layout, clock, router, notes: Arc::default() };
        for collection in ["carts", "cart_owners"] {
            place.delete_all(collection).await;
        }
        place
    }

    /// Opens the store as one more process would.
    pub(crate) async fn open(&self) -> Engine {
        let options = Options {
            address: Address::new(self.uri.clone()),
            layout: self.layout.clone(),
            settings: Arc::new(Settings::default()),
            clock: Arc::new(self.clock.clone()),
            observer: Some(Arc::clone(&self.notes) as Arc<dyn Observer<Operation>>),
            ages: None,
        };
        Engine::open(options).await.expect("a store opens on the cluster")
    }

    /// Deletes past the store, as the server does when a date is over.
    pub(crate) async fn delete_all(&self, collection: &str) {
        let everything = doc! { "delete": collection, "deletes": [{ "q": {}, "limit": 0 }] };
        self.router.run(&self.name, everything).await.expect("the cluster deletes");
    }

    /// What every operation has touched so far.
    pub(crate) fn touched(&self) -> Vec<(Operation, Vec<Touch>)> {
        self.notes.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Every record of a small collection.
    pub(crate) async fn all(&self, collection: &str) -> Vec<Document> {
        let found =
            self.router.run(&self.name, doc! { "find": collection }).await.expect("the cluster reads");
        let batch = found.get_document("cursor").and_then(|cursor| cursor.get_array("firstBatch"));
        batch.expect("a batch").iter().filter_map(|record| record.as_document().cloned()).collect()
    }
}

pub(crate) fn guest() -> Owner {
    Owner::Guest(SessionId::generate())
}

pub(crate) fn user() -> Owner {
    Owner::User(UserId::generate())
}

/// Puts one piece of something new, each time from another device.
pub(crate) async fn put(store: &Engine, owner: Owner) -> Cart {
    let settings = Settings::default();
    let session = match owner {
        Owner::Guest(session) => session,
        Owner::User(_) => SessionId::generate(),
    };
    let buyer = Buyer { owner, session, zone: settings.default_zone() };
    let line = PutLine {
        product_id: ProductId::generate(),
        category: settings.categories[0].id.clone(),
        name: "Phone".to_owned(),
        price: Money::new(100, Currency::RUB).expect("a small price"),
        quantity: 1,
    };
    store.put(&buyer, line).await.expect("a put into a free cart is done")
}

pub(crate) async fn active(store: &Engine, owner: Owner) -> Option<Cart> {
    store.active(owner).await.expect("carts are readable")
}

/// How many puts each store does at once.
pub(crate) const AT_ONCE: usize = 6;

/// Puts from all stores at once; the carts that they went into.
pub(crate) async fn put_at_once(stores: &[Engine], owner: Owner) -> BTreeSet<CartId> {
    let puts = stores.iter().cycle().take(stores.len() * AT_ONCE).map(|store| {
        let store = store.clone();
        tokio::spawn(async move { put(&store, owner).await.id })
    });
    join_all(puts).await.into_iter().map(|put| put.expect("a put does not panic")).collect()
}

/// Carts of one status together: no shipped layout does that, but one may.
pub(crate) fn by_status() -> Layout {
    let mut layout = Layout { name: "by-status".to_owned(), ..shipped("category-range") };
    let carts = layout.entities.get_mut(&Entity::Carts).and_then(|placed| placed.mongodb.as_mut());
    let field = |name: &str, order| KeyField { name: name.to_owned(), order };
    let key = vec![field("status", Order::Ranged), field("owner_key", Order::Hashed)];
    carts.expect("it places carts").shard_key = ShardKey::new(key).expect("two fields are a key");
    layout
}
