//! What `layout explain` says is what happens: every operation touches just the shards that it names, in every
//! shipped layout, on one, a few and many shards.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use mworld_embedded::{Engine, Observer, Options, Touch};
use mworld_placement::layout::{load_shipped, shipped_names};
use mworld_placement::{Area, Domain, Entity, Explanation, Form, ShardId, explain};
use mworld_shop::checkout::Request;
use mworld_shop::order::{OrderQuery, OrderRef, OrderStatus};
use mworld_shop::product::{ProductDraft, ProductRef, ZoneStock};
use mworld_shop::search::{Search, Sort};
use mworld_shop::session::{NewSession, Session, TokenDigest};
use mworld_shop::{
    Category, Currency, Money, Operation, ProductId, SessionId, Settings, Store, SystemClock, Zone,
};

/// Keeps what every operation touched.
#[derive(Default)]
struct Notebook(Mutex<Vec<(Operation, Vec<Touch>)>>);

impl Observer<Operation> for Notebook {
    fn touched(&self, operation: Operation, touches: &[Touch]) {
        self.0.lock().unwrap().push((operation, touches.to_vec()));
    }
}

impl Notebook {
    /// What was touched since the last call, by one operation (which may be several steps of the engine).
    fn take(&self, operation: Operation) -> Vec<Touch> {
        let all = std::mem::take(&mut *self.0.lock().unwrap());
        all.into_iter().filter(|(op, _)| *op == operation).flat_map(|(_, touches)| touches).collect()
    }
}

struct World {
    store: Store,
    notes: Arc<Notebook>,
    explained: Explanation,
    form: Form,
    _dir: tempfile::TempDir,
}

impl World {
    fn open(layout: &str, shards: u32) -> World {
        let layout = load_shipped(layout).expect("shipped layouts load").layout;
        let (dir, notes) = (tempfile::tempdir().unwrap(), Arc::new(Notebook::default()));
        let (settings, clock) = (Arc::new(Settings::default()), Arc::new(SystemClock::default()));
        let engine = Engine::open(Options {
            dir: dir.path().to_owned(),
            layout: layout.clone(),
            shards,
            settings: Arc::clone(&settings),
            clock: clock.clone(),
            observer: Some(Arc::clone(&notes) as Arc<dyn Observer<Operation>>),
        })
        .expect("a new store opens");
        World {
            store: Store::new(engine.parts(), settings, clock),
            notes,
            form: layout.form,
            explained: explain(&layout, shards, &Domain::default()),
            _dir: dir,
        }
    }

    /// Compares what one operation touched in an area with the explanation's row of that shape.
    fn check(&self, operation: Operation, area: &str, shape: &str, touches: &[Touch]) {
        let counted_as = match area {
            "stock" if self.form != Form::Apart => "products",
            other => other,
        };
        let shards: BTreeSet<ShardId> =
            touches.iter().filter(|touch| touch.area.name() == counted_as).map(|touch| touch.shard).collect();
        // A row's reason begins with the shape of the call; the shortest that fits is the one meant.
        let head =
            |why: &str| why.split(':').next().unwrap_or_default().replace(", naming every zone", "").len();
        let rows = self
            .explained
            .operations
            .iter()
            .filter(|row| row.op == operation.name() && row.entity == area && row.why.starts_with(shape));
        let row = rows.min_by_key(|row| head(&row.why));
        let row = row.unwrap_or_else(|| panic!("no row {operation} {area} {shape}\n{}", self.explained));
        assert!(
            (row.shards_min..=row.shards_max).contains(&shards.len()),
            "{} on {} shards: {operation} touched {shards:?} of {area} ({shape}), explained {}..{}",
            self.explained.layout,
            self.explained.shards,
            row.shards_min,
            row.shards_max
        );
    }

    async fn session(&self) -> (Session, TokenDigest) {
        let id = SessionId::generate();
        let digest = TokenDigest([7; 32]);
        let new = NewSession { id, digest, zone: zone("msk"), ip: None, user_agent: None };
        (self.store.open_session(new).await.unwrap(), digest)
    }
}

fn zone(name: &str) -> Zone {
    Zone::new(name).unwrap()
}

fn draft(n: i64) -> ProductDraft {
    let category = ["electronics", "audio", "appliances", "accessories"][usize::try_from(n % 4).unwrap()];
    ProductDraft {
        name: format!("Телефон Model {n}"),
        description: String::new(),
        category: Category::new(category).unwrap(),
        subcategory: Some("phone".to_owned()),
        price: Money::new(1_000_000 + n * 300_000, Currency::RUB).unwrap(),
        attributes: Vec::new(),
        stock: Some(vec![
            ZoneStock { zone: zone("msk"), quantity: 10 },
            ZoneStock { zone: zone("spb"), quantity: 5 },
        ]),
    }
}

/// A search, a merge, a purchase and a cancel, each compared with its explanation.
async fn sell(world: &World) {
    let (store, notes) = (&world.store, &world.notes);
    let mut products = Vec::new();
    for n in 0..24 {
        let id = ProductId::generate();
        store.upsert(id, draft(n)).await.unwrap();
        let touched = notes.take(Operation::CatalogUpsert);
        world.check(Operation::CatalogUpsert, "products", "proving", &touched);
        products.push((id, draft(n).category));
    }
    search(world).await;
    let (phone, category) = products[0].clone();
    let wanted = ProductRef { id: phone, category: Some(category.clone()), zone: Some(zone("msk")) };
    store.product(&wanted).await.unwrap();
    let touched = notes.take(Operation::CatalogProduct);
    world.check(Operation::CatalogProduct, "products", "by id and category", &touched);
    store.product(&ProductRef::by_id(phone)).await.unwrap();
    let touched = notes.take(Operation::CatalogProduct);
    world.check(Operation::CatalogProduct, "products", "by id alone", &touched);
    store.stock(&wanted).await.unwrap();
    let touched = notes.take(Operation::CatalogStock);
    world.check(Operation::CatalogStock, "stock", "by id and category", &touched);

    let (guest, old) = world.session().await;
    store.put(&guest, phone, Some(category.clone()), 2).await.unwrap();
    let touched = notes.take(Operation::CartPut);
    world.check(Operation::CartPut, "carts", "a user's cart", &touched);
    world.check(Operation::CartPut, "products", "name and price of the item, by id and category", &touched);
    let user = store.create_account("a@example.org".parse().unwrap(), "hash".to_owned(), None).await.unwrap();
    let touched = notes.take(Operation::AccountCreate);
    world.check(Operation::AccountCreate, "accounts", "the new account", &touched);

    let logged_in = store.log_in(&guest, &old, TokenDigest([8; 32]), user).await.unwrap();
    let touched = notes.take(Operation::CartMerge);
    world.check(Operation::CartMerge, "carts", "the guest's cart and the user's", &touched);
    assert_eq!(logged_in.cart.unwrap().lines.len(), 1, "the guest's line is in the user's cart");
    let buyer = logged_in.session;
    store.cart(&buyer).await.unwrap().expect("the user has a cart");
    let touched = notes.take(Operation::CartGet);
    world.check(Operation::CartGet, "carts", "a user's cart", &touched);

    let request = Request { zone: zone("msk"), expect_total: None };
    let placed = store.check_out(user, &"key-1".parse().unwrap(), &request).await.unwrap();
    let touched = notes.take(Operation::OrderPlace);
    world.check(Operation::OrderPlace, "orders", "the new order", &touched);
    world.check(Operation::OrderPlace, "stock", "write-off of one item", &touched);
    world.check(Operation::OrderPlace, "carts", "the user's cart", &touched);
    let spans: BTreeSet<ShardId> = touched.iter().map(|touch| touch.shard).collect();
    let checkout = &world.explained.checkouts[0];
    assert!(
        (checkout.shards_min..=checkout.shards_max).contains(&spans.len()),
        "{} on {}: a checkout spans {spans:?}, explained {}..{}: {touched:?}",
        world.explained.layout,
        world.explained.shards,
        checkout.shards_min,
        checkout.shards_max
    );

    let own = OrderRef { id: placed.order.id, user: Some(user) };
    store.order(own).await.unwrap();
    world.check(Operation::OrderStatus, "orders", "by its buyer", &notes.take(Operation::OrderStatus));
    store.order(OrderRef { user: None, ..own }).await.unwrap();
    world.check(Operation::OrderStatus, "orders", "by an operator", &notes.take(Operation::OrderStatus));
    assert_eq!(store.history(user, &OrderQuery::default()).await.unwrap().items.len(), 1);
    world.check(Operation::OrderHistory, "orders", "by user", &notes.take(Operation::OrderHistory));
    assert_eq!(store.list(&OrderQuery::default()).await.unwrap().items.len(), 1);
    world.check(Operation::OrderList, "orders", "without a filter", &notes.take(Operation::OrderList));

    let left = |stock: Vec<ZoneStock>| stock.iter().find(|stock| stock.zone == zone("msk")).unwrap().quantity;
    assert_eq!(left(store.stock(&wanted).await.unwrap()), 8);
    store.advance(own, OrderStatus::Cancelled).await.unwrap();
    let touched = notes.take(Operation::OrderCancel);
    world.check(Operation::OrderCancel, "orders", "by its buyer", &touched);
    world.check(Operation::OrderCancel, "stock", "return of one item's stock", &touched);
    assert_eq!(left(store.stock(&wanted).await.unwrap()), 10);

    // The category is part of most product keys: changing it moves the documents, and the old hint only costs.
    let moved = ProductDraft { category: Category::new("audio").unwrap(), stock: None, ..draft(0) };
    store.upsert(phone, moved).await.unwrap();
    assert_eq!(store.product(&wanted).await.unwrap().category.as_str(), "audio");
    assert_eq!(left(store.stock(&wanted).await.unwrap()), 10, "stock moves with its product");
}

async fn search(world: &World) {
    let electronics = Some(Category::new("electronics").unwrap());
    let shapes = [
        (
            "in a category and zone",
            Search { category: electronics.clone(), zone: Some(zone("msk")), ..Search::default() },
            6,
        ),
        (
            "in a category",
            Search { category: electronics.clone(), sort: Sort::PriceUp, ..Search::default() },
            6,
        ),
        ("by words alone", Search { q: Some("model".to_owned()), ..Search::default() }, 24),
    ];
    for (shape, search, expected) in shapes {
        world.notes.take(Operation::CatalogSearch);
        let page = world.store.search(&search).await.unwrap();
        let ids: BTreeSet<_> = page.items.iter().map(|product| product.id).collect();
        assert_eq!((page.items.len(), ids.len()), (expected, expected), "{shape}");
        let touched = world.notes.take(Operation::CatalogSearch);
        world.check(Operation::CatalogSearch, "products", shape, &touched);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_layout_touches_the_shards_that_its_explanation_names() {
    let names = shipped_names();
    assert_eq!(names.len(), 17, "five layouts and twelve variants");
    for name in names {
        for shards in [1, 3, 16] {
            sell(&World::open(name, shards)).await;
        }
    }
}

#[test]
fn the_shop_and_the_layouts_call_operations_by_the_same_names() {
    let shop: Vec<_> = Operation::ALL.iter().map(|operation| operation.name()).collect();
    let placement: Vec<_> =
        mworld_placement::Operation::ALL.iter().map(|operation| operation.name()).collect();
    assert_eq!(shop, placement);
}

#[test]
fn every_area_is_listed_once() {
    let areas: BTreeSet<_> = Area::ALL.into_iter().collect();
    assert_eq!(areas.len(), Area::ALL.len());
    assert!(Entity::ALL.into_iter().all(|entity| areas.contains(&Area::Entity(entity))));
}
