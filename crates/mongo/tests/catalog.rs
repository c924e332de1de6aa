//! Products on a real cluster, in every form: what the conformance suite cannot ask of one open store. Writers and sales
//! of several processes that meet, zones that come later, and fillings.

use std::sync::Arc;

use futures_util::future::{join, join_all};
use mworld_mongo::{Address, Engine, Options};
use mworld_placement::layout::load_shipped;
use mworld_playground::testing::cluster;
use mworld_shop::cart::CartLine;
use mworld_shop::checkout::{ClaimNo, PlaceOrder, Request};
use mworld_shop::ports::{Catalog, Ledger};
use mworld_shop::product::{Product, ProductDraft, ProductRef, ZoneStock};
use mworld_shop::search::Search;
use mworld_shop::{
    CartId, Category, Clock, Currency, Money, PageSize, ProductId, Settings, SystemClock, UserId, Zone,
};
use uuid::Uuid;

/// A layout of each form, and one whose key holds the price.
const LAYOUTS: [&str; 4] = ["category-spread", "geo-zoned", "category-spread+stock-apart", "price-bands"];

/// One store process on that database, which has so many of the default zones.
async fn open(layout: &str, database: &str, zones: usize) -> Engine {
    let mut settings = Settings::default();
    settings.zones.truncate(zones);
    let options = Options {
        address: Address::new(cluster(2, 1).await.uri_of(database)),
        layout: load_shipped(layout).expect("a shipped layout is sound").layout,
        settings: Arc::new(settings),
        clock: Arc::new(SystemClock::default()),
        observer: None,
        ages: None,
    };
    Engine::open(options).await.expect("a store opens on the cluster")
}

fn new_database() -> String {
    format!("catalog-{}", Uuid::new_v4().simple())
}

fn zone(index: usize) -> Zone {
    Settings::default().zones[index].id.clone()
}

fn category(index: usize) -> Category {
    Settings::default().categories[index].id.clone()
}

fn money(amount: i64) -> Money {
    Money::new(amount, Currency::RUB).expect("a legal amount")
}

fn draft(category: Category, price: i64, stock: Option<(Zone, u32)>) -> ProductDraft {
    ProductDraft {
        name: "Phone".to_owned(),
        description: String::new(),
        category,
        subcategory: None,
        price: money(price),
        attributes: Vec::new(),
        stock: stock.map(|(zone, quantity)| vec![ZoneStock { zone, quantity }]),
    }
}

async fn product(engine: &Engine, id: ProductId) -> Product {
    let found = engine.product(&ProductRef::by_id(id)).await.expect("products are readable");
    (**found.expect("it was written")).clone()
}

async fn found(engine: &Engine, zone: Option<Zone>) -> Vec<Product> {
    let search = Search { zone, limit: PageSize::new(PageSize::MAX), ..Search::default() };
    let page = engine.search(&search).await.expect("a search");
    page.items.iter().map(|shown| (***shown).clone()).collect()
}

fn quantities(product: &Product) -> Vec<u32> {
    product.stock.iter().map(|stock| stock.quantity).collect()
}

/// An order of one piece, whose cart has kept an old category and price.
fn order_of(id: ProductId, clock: &SystemClock) -> PlaceOrder {
    let line = CartLine {
        product_id: id,
        category: category(0),
        name: "Phone".to_owned(),
        price: money(1_000),
        quantity: 1,
        added_at: clock.now(),
    };
    PlaceOrder {
        user: UserId::generate(),
        key: Uuid::new_v4().to_string().parse().expect("a UUID is a legal key"),
        request: Request { zone: zone(0), expect_total: None },
        cart: CartId::from_uuid(Uuid::new_v4()),
        claim: ClaimNo(1),
        lines: vec![line],
    }
}

/// Two processes: one moves the product from place to place, the other sells it.
async fn writers_and_sales_meet(layout: &str) {
    let database = new_database();
    let (writer, seller) = (open(layout, &database, 4).await, open(layout, &database, 4).await);
    let id = ProductId::generate();
    writer.upsert(id, draft(category(0), 1_000, Some((zone(0), 100)))).await.expect("a new product");
    let write = async {
        for i in 1..=6_i64 {
            let draft = draft(category(usize::from(i % 2 == 0)), 1_000 + 3_000_000 * i, None);
            writer.upsert(id, draft).await.unwrap_or_else(|error| panic!("{layout}, write {i}: {error}"));
        }
    };
    let clock = SystemClock::default();
    let sell = join_all((0..3).map(|_| async {
        for _ in 0..4 {
            let placed = seller.place(order_of(id, &clock)).await;
            placed.unwrap_or_else(|error| panic!("{layout}, a sale of what is in stock: {error}"));
        }
    }));
    join(write, sell).await;
    let last = product(&seller, id).await;
    assert_eq!(quantities(&last), [88, 0, 0, 0], "{layout}: twelve were sold, and no write brought one back");
    assert_eq!((last.version, last.price), (7, money(18_001_000)), "{layout}: every write counts");
    assert_eq!(found(&seller, None).await, [last], "{layout}: it is there once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writers_and_sales_of_one_product_lose_nothing_of_each_other() {
    for layout in LAYOUTS {
        writers_and_sales_meet(layout).await;
    }
}

/// A store that gets a zone, loses it and gets it again.
async fn a_zone_comes_and_goes(layout: &str) {
    let database = new_database();
    let small = open(layout, &database, 3).await;
    let id = ProductId::generate();
    small.upsert(id, draft(category(0), 1_000, Some((zone(0), 5)))).await.expect("a new product");
    let large = open(layout, &database, 4).await;
    assert_eq!(quantities(&product(&large, id).await), [5, 0, 0, 0], "{layout}: nothing there yet");
    assert_eq!(found(&large, Some(zone(3))).await, [], "{layout}: nothing to find there");
    let stocked = large.adjust(id, &zone(3), 2).await.expect("pieces come to the new zone");
    assert_eq!(quantities(&stocked), [5, 0, 0, 2], "{layout}: now there are some");
    assert_eq!(found(&large, Some(zone(3))).await.len(), 1, "{layout}: found in the new zone");
    assert_eq!(found(&large, None).await, [stocked], "{layout}: and once everywhere");
    let small = open(layout, &database, 3).await;
    let moved = small.upsert(id, draft(category(1), 9_000_000, None)).await.expect("it moves");
    assert_eq!(quantities(&moved.product), [5, 0, 0], "{layout}: a zone that is gone is not shown");
    let large = open(layout, &database, 4).await;
    let last = product(&large, id).await;
    assert_eq!(quantities(&last), [5, 0, 0, 2], "{layout}: but it has kept what it had");
    assert_eq!(found(&large, None).await, [last], "{layout}: and the product is there once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_zone_that_comes_later_is_stocked_and_one_that_goes_keeps_its_stock() {
    for layout in LAYOUTS {
        a_zone_comes_and_goes(layout).await;
    }
}

/// More than one batch, with a product that is there already and one that comes three times.
async fn a_filling_is_written(layout: &str) {
    let store = open(layout, &new_database(), 4).await;
    assert!(store.is_empty().await.expect("emptiness is readable"), "{layout}: a new store");
    let (known, often) = (ProductId::generate(), ProductId::generate());
    store.upsert(known, draft(category(0), 10, Some((zone(1), 7)))).await.expect("a new product");
    let mut drafts = vec![(known, draft(category(1), 20, None)), (often, draft(category(2), 1, None))];
    for i in 0..118 {
        drafts.push((ProductId::generate(), draft(category(i % 4), 1_000, Some((zone(0), 1)))));
    }
    drafts.insert(60, (often, draft(category(3), 2, Some((zone(2), 9)))));
    drafts.push((often, draft(category(0), 3, None)));
    store.upsert_many(drafts).await.expect("a filling");
    let (known, often) = (product(&store, known).await, product(&store, often).await);
    assert_eq!((known.version, quantities(&known)), (2, vec![0, 7, 0, 0]), "{layout}: stock is kept");
    assert_eq!((often.version, often.price), (3, money(3)), "{layout}: the last of three drafts stands");
    assert_eq!(quantities(&often), [0, 0, 9, 0], "{layout}: with the stock that the second one named");
    let page = |after| {
        let search = Search { limit: PageSize::new(PageSize::MAX), after, ..Search::default() };
        let store = store.clone();
        async move { store.search(&search).await.expect("a search") }
    };
    let first = page(None).await;
    let second = page(first.next).await;
    assert_eq!(
        (first.items.len(), second.items.len(), second.next),
        (100, 20, None),
        "{layout}: all are there"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_filling_writes_each_product_as_its_last_draft_says() {
    for layout in LAYOUTS {
        a_filling_is_written(layout).await;
    }
}
