//! A page from the middle of a wholesale buyer's history costs what a newcomer's page costs.

// In a test an error is a failure, wherever it stands.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use mworld_embedded::{Engine, Options};
use mworld_placement::layout::load_shipped;
use mworld_shop::cart::CartLine;
use mworld_shop::checkout::{ClaimNo, PlaceOrder, Request};
use mworld_shop::order::{Order, OrderQuery};
use mworld_shop::product::{ProductDraft, ZoneStock};
use mworld_shop::{
    CartId, Category, Clock, Currency, Money, Position, ProductId, Settings, StoreParts, SystemClock, UserId,
    Zone,
};
use uuid::Uuid;

/// Orders placed at once: they share commits.
const AT_ONCE: usize = 500;

/// Fails when a page is found by counting from the beginning, or when a filter has no index of its own.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_from_the_middle_costs_what_a_newcomers_page_costs() {
    let many = if std::env::var_os("MWORLD_LONG").is_some() { 100_000 } else { 20_000 };
    let dir = tempfile::tempdir().unwrap();
    let shop = Shop::open(dir.path()).await;
    let (wholesaler, newcomer) = (UserId::generate(), UserId::generate());
    let begun = Instant::now();
    let mut orders = shop.buy(wholesaler, many).await;
    println!("{many} orders placed in {:?}", begun.elapsed());
    // As many as a page has and one more, so that both pages have the same length.
    shop.buy(newcomer, 25).await;
    orders.sort_unstable_by_key(|order| order.id);
    let middle = &orders[many / 2];
    let after = Some(Position { value: middle.created_at.micros(), id: middle.id.uuid() });

    let page = shop.page(wholesaler, after).await;
    let expected: Vec<_> = orders[..many / 2].iter().rev().take(24).map(|order| order.id).collect();
    assert_eq!(page, expected, "the page after the middle one");
    let (mut middles, mut firsts) = (Vec::new(), Vec::new());
    for _ in 0..400 {
        middles.push(shop.time(wholesaler, after).await);
        firsts.push(shop.time(newcomer, None).await);
    }
    let (middle, first) = (median(middles), median(firsts));
    let ratio = middle.as_secs_f64() / first.as_secs_f64();
    println!("middle of {many}: {middle:?}, a newcomer's page: {first:?}, ratio {ratio:.2}");
    assert!(ratio <= 1.5, "{ratio:.2}");
}

struct Shop {
    parts: StoreParts,
    product: ProductId,
}

impl Shop {
    async fn open(dir: &std::path::Path) -> Shop {
        let engine = Engine::open(Options {
            dir: dir.to_owned(),
            layout: load_shipped("category-spread").unwrap().layout,
            shards: 4,
            settings: Arc::new(Settings::default()),
            clock: Arc::new(SystemClock::default()),
            observer: None,
        });
        let (parts, product) = (engine.unwrap().parts(), ProductId::generate());
        let draft = ProductDraft {
            name: "Phone".to_owned(),
            description: String::new(),
            category: Category::new("electronics").unwrap(),
            subcategory: None,
            price: Money::new(99_900, Currency::RUB).unwrap(),
            attributes: Vec::new(),
            stock: Some(vec![ZoneStock { zone: zone(), quantity: 1_000_000 }]),
        };
        parts.catalog.upsert(product, draft).await.unwrap();
        Shop { parts, product }
    }

    async fn buy(&self, user: UserId, count: usize) -> Vec<Order> {
        let mut orders = Vec::with_capacity(count);
        while orders.len() < count {
            let mut running = tokio::task::JoinSet::new();
            for _ in 0..AT_ONCE.min(count - orders.len()) {
                let (parts, order) = (self.parts.clone(), self.order(user));
                running.spawn(async move { parts.ledger.place(order).await });
            }
            orders.extend(running.join_all().await.into_iter().map(|placed| placed.unwrap().order));
        }
        orders
    }

    fn order(&self, user: UserId) -> PlaceOrder {
        let line = CartLine {
            product_id: self.product,
            category: Category::new("electronics").unwrap(),
            name: "Phone".to_owned(),
            price: Money::new(99_900, Currency::RUB).unwrap(),
            quantity: 1,
            added_at: SystemClock::default().now(),
        };
        PlaceOrder {
            user,
            key: Uuid::new_v4().to_string().parse().unwrap(),
            request: Request { zone: zone(), expect_total: None },
            cart: CartId::from_uuid(Uuid::new_v4()),
            claim: ClaimNo(1),
            lines: vec![line],
        }
    }

    async fn page(&self, user: UserId, after: Option<Position>) -> Vec<mworld_shop::OrderId> {
        let query = OrderQuery { after, ..OrderQuery::default() };
        let page = self.parts.history.page(user, &query).await.unwrap();
        page.items.iter().map(|order| order.id).collect()
    }

    async fn time(&self, user: UserId, after: Option<Position>) -> Duration {
        let begun = Instant::now();
        assert_eq!(self.page(user, after).await.len(), 24);
        begun.elapsed()
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn zone() -> Zone {
    Zone::new("msk").unwrap()
}
