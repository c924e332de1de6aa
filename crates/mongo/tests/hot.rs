//! One phone on sale, many buyers, two stores: its stock is split while they fight for it, the sum is exact at every
//! moment, the last piece is sold once, and when they have gone the stock lies in one record again.

// How many buckets there were is a result of these tests.
#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use mworld_mongo::admin::{Direct, doc};
use mworld_mongo::{Address, Engine, Options};
use mworld_placement::layout::load_shipped;
use mworld_playground::testing::{TestCluster, cluster};
use mworld_shop::cart::{Buyer, Owner, PutLine};
use mworld_shop::checkout::Request;
use mworld_shop::product::{ProductDraft, ProductRef, ZoneStock};
use mworld_shop::{
    Category, Currency, Error, Money, ProductId, Refusal, SessionId, Settings, StoreParts, SystemClock,
    UserId, Zone,
};
use uuid::Uuid;

/// Buyers at once.
const BUYERS: u32 = 32;

async fn open(cluster: &TestCluster, database: &str, layout: &str) -> StoreParts {
    let options = Options {
        address: Address::new(cluster.uri_of(database)),
        layout: load_shipped(layout).expect("a shipped layout is sound").layout,
        settings: Arc::new(Settings::default()),
        clock: Arc::new(SystemClock::default()),
        observer: None,
        ages: None,
    };
    Engine::open(options).await.expect("a store opens on the cluster").parts()
}

fn zone() -> Zone {
    Settings::default().default_zone()
}

fn category() -> Category {
    Settings::default().categories[0].id.clone()
}

fn price() -> Money {
    Money::new(100, Currency::RUB).expect("a small price")
}

/// Puts a phone on sale of which there are so many.
async fn on_sale(store: &StoreParts, quantity: u32) -> ProductId {
    let draft = ProductDraft {
        name: "Phone".to_owned(),
        description: String::new(),
        category: category(),
        subcategory: None,
        price: price(),
        attributes: Vec::new(),
        stock: Some(vec![ZoneStock { zone: zone(), quantity }]),
    };
    let product = ProductId::generate();
    store.catalog.upsert(product, draft).await.expect("the product is new");
    product
}

/// Buys one piece; `false` if it is sold out.
async fn buy(store: &StoreParts, product: ProductId) -> bool {
    let user = UserId::generate();
    let buyer = Buyer { owner: Owner::User(user), session: SessionId::generate(), zone: zone() };
    let line = PutLine {
        product_id: product,
        category: category(),
        name: "Phone".to_owned(),
        price: price(),
        quantity: 1,
    };
    store.carts.put(&buyer, line).await.expect("a put");
    let key = Uuid::new_v4().to_string().parse().expect("a UUID is a legal key");
    let request = Request { zone: zone(), expect_total: None };
    match store.checkout.check_out(user, &key, &request).await {
        Ok(_) => true,
        Err(Error::Refused(Refusal::InsufficientStock(short))) => {
            assert_eq!(short[0].available, 0, "whoever wants one piece is refused only when there is none");
            false
        }
        Err(error) => panic!("{error}"),
    }
}

async fn left(store: &StoreParts, product: ProductId) -> u32 {
    let stock = store.ledger.stock(&ProductRef { id: product, category: Some(category()), zone: None }).await;
    let stock = stock.expect("the stock can be read").expect("the product is there");
    stock.iter().find(|stock| stock.zone == zone()).expect("the zone has stock").quantity
}

async fn buckets(router: &Direct, database: &str) -> i64 {
    let counted = router.run(database, doc! { "count": "stock_buckets" }).await.expect("a count");
    counted.get_i32("n").map(i64::from).or_else(|_| counted.get_i64("n")).expect("a number")
}

/// Sells out a phone over two stores, and judges every reading of its stock.
async fn sell_out(layout: &str, database: &str, stock: u32) {
    let cluster = cluster(2, 1).await;
    let stores = [open(&cluster, database, layout).await, open(&cluster, database, layout).await];
    let product = on_sale(&stores[0], stock).await;
    let (begun, sold) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let buying = (0..BUYERS).map(|number| {
        let (store, begun, sold) =
            (stores[number as usize % 2].clone(), Arc::clone(&begun), Arc::clone(&sold));
        tokio::spawn(async move {
            loop {
                begun.fetch_add(1, Ordering::SeqCst);
                if !buy(&store, product).await {
                    return;
                }
                sold.fetch_add(1, Ordering::SeqCst);
            }
        })
    });
    let buying: Vec<_> = buying.collect();
    let router = Direct::at(&cluster.uri(), Duration::from_secs(10)).await.expect("a client");
    let mut most_buckets = 0;
    while !buying.iter().all(tokio::task::JoinHandle::is_finished) {
        let at_least_sold = sold.load(Ordering::SeqCst);
        let left = left(&stores[0], product).await;
        let at_most_sold = begun.load(Ordering::SeqCst);
        assert!(
            left <= stock - at_least_sold,
            "{left} are shown although {at_least_sold} of {stock} were sold before"
        );
        assert!(
            left + at_most_sold >= stock,
            "{left} are shown although at most {at_most_sold} of {stock} were bought"
        );
        most_buckets = most_buckets.max(buckets(&router, database).await);
    }
    for buyer in buying {
        buyer.await.expect("a buyer goes on until it is sold out");
    }
    println!("{layout}: {stock} pieces, {BUYERS} buyers over two stores, up to {most_buckets} buckets");
    assert_eq!(sold.load(Ordering::SeqCst), stock, "every piece is sold, and none twice");
    assert_eq!(left(&stores[1], product).await, 0);
    assert!(most_buckets > 1, "an item that {BUYERS} buyers fight for is split");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_last_piece_of_a_contended_item_is_sold_once() {
    sell_out("category-spread", "hot-whole", 400).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn so_it_is_where_each_zone_has_its_document() {
    sell_out("geo-zoned", "hot-per-zone", 300).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn so_it_is_where_stock_lies_apart() {
    sell_out("category-spread+stock-apart", "hot-apart", 300).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_item_that_nobody_wants_any_more_lies_in_one_record_again() {
    let cluster = cluster(2, 1).await;
    let store = open(&cluster, "hot-calm", "category-spread").await;
    let product = on_sale(&store, 100_000).await;
    let router = Direct::at(&cluster.uri(), Duration::from_secs(10)).await.expect("a client");
    let sold = Arc::new(AtomicU32::new(0));
    let until = Instant::now() + Duration::from_secs(60);
    while buckets(&router, "hot-calm").await == 0 {
        assert!(Instant::now() < until, "an item that {BUYERS} buyers fight for is split");
        let rush = (0..BUYERS).map(|_| {
            let (store, sold) = (store.clone(), Arc::clone(&sold));
            tokio::spawn(async move {
                sold.fetch_add(u32::from(buy(&store, product).await), Ordering::SeqCst);
            })
        });
        for buyer in rush.collect::<Vec<_>>() {
            buyer.await.expect("a buyer comes to the end");
        }
    }
    assert_eq!(left(&store, product).await, 100_000 - sold.load(Ordering::SeqCst));
    // An edit of the product brings the stock home at once, and loses none of it.
    let shown =
        store.catalog.product(&ProductRef::by_id(product)).await.expect("a read").expect("the product");
    let edited = ProductDraft {
        name: "Phone, new".to_owned(),
        description: String::new(),
        category: shown.category.clone(),
        subcategory: None,
        price: shown.price,
        attributes: Vec::new(),
        stock: None,
    };
    store.catalog.upsert(product, edited).await.expect("an edit");
    assert_eq!(buckets(&router, "hot-calm").await, 0);
    assert_eq!(left(&store, product).await, 100_000 - sold.load(Ordering::SeqCst));
}
