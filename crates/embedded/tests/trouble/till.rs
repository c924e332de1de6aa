//! An open store with a few products, at which orders are placed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mworld_embedded::{Engine, OpenError, Options};
use mworld_placement::layout::load_shipped;
use mworld_shop::cart::CartLine;
use mworld_shop::checkout::{ClaimNo, PlaceOrder, Request};
use mworld_shop::order::{Order, OrderQuery};
use mworld_shop::product::{ProductDraft, ProductRef, ZoneStock};
use mworld_shop::{
    CartId, Category, Clock, Currency, Money, PageSize, ProductId, Result, Settings, StoreParts, SystemClock,
    UserId, Zone,
};
use uuid::Uuid;

/// Pieces that every product begins with.
pub(crate) const PIECES: u32 = 1_000_000;

pub(crate) fn options(dir: &Path) -> Options {
    Options {
        dir: dir.to_owned(),
        layout: load_shipped("category-spread").expect("a shipped layout is sound").layout,
        shards: 4,
        settings: Arc::new(Settings::default()),
        clock: Arc::new(SystemClock::default()),
        observer: None,
    }
}

/// A store and the products in it.
#[derive(Clone)]
pub(crate) struct Till {
    pub(crate) parts: StoreParts,
    pub(crate) products: Vec<ProductId>,
}

impl Till {
    /// A new store with so many products.
    pub(crate) async fn furnish(dir: &Path, products: usize) -> Till {
        let mut till = Till::open(dir, Vec::new()).expect("a new store opens");
        for n in 0..products {
            let id = ProductId::generate();
            till.parts.catalog.upsert(id, draft(n)).await.expect("a legal draft is written");
            till.products.push(id);
        }
        till
    }

    /// The store that is there, in which these products were listed.
    pub(crate) fn open(dir: &Path, products: Vec<ProductId>) -> Result<Till, OpenError> {
        Ok(Till { parts: Engine::open(options(dir))?.parts(), products })
    }

    /// Sells one piece of the product of that number.
    pub(crate) async fn sell(&self, user: UserId, n: usize) -> Result<Order> {
        let line = CartLine {
            product_id: self.products[n % self.products.len()],
            category: category(n % self.products.len()),
            name: "phone".to_owned(),
            price: price(),
            quantity: 1,
            added_at: SystemClock::default().now(),
        };
        let order = PlaceOrder {
            user,
            key: Uuid::new_v4().to_string().parse().expect("a UUID is a legal key"),
            request: Request { zone: zone(), expect_total: None },
            cart: CartId::from_uuid(Uuid::new_v4()),
            claim: ClaimNo(1),
            lines: vec![line],
        };
        Ok(self.parts.ledger.place(order).await?.order)
    }

    /// Sells with so many clerks at once until it is told to stop; each order goes to `done` once it is placed.
    pub(crate) fn sell_until(
        &self,
        clerks: usize,
        stop: &Arc<AtomicBool>,
        done: impl Fn(Order) + Clone + Send + Sync + 'static,
    ) -> Vec<tokio::task::JoinHandle<()>> {
        let clerk = |n: usize| {
            let (till, stop, done) = (self.clone(), Arc::clone(stop), done.clone());
            tokio::spawn(async move {
                let user = UserId::generate();
                for turn in n.. {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    done(till.sell(user, turn).await.expect("what is in stock is sold"));
                }
            })
        };
        (0..clerks).map(clerk).collect()
    }

    /// Every order, or the first error on the way to it.
    pub(crate) async fn orders(&self) -> Result<Vec<Order>> {
        let mut query = OrderQuery { limit: PageSize::new(100), ..OrderQuery::default() };
        let mut orders = Vec::new();
        loop {
            let page = self.parts.ledger.list(&query).await?;
            orders.extend(page.items);
            match page.next {
                Some(next) => query.after = Some(next),
                None => return Ok(orders),
            }
        }
    }

    /// The pieces that are left of each product.
    pub(crate) async fn left(&self) -> Result<BTreeMap<ProductId, u32>> {
        let mut left = BTreeMap::new();
        for product in &self.products {
            let stock = self.parts.ledger.stock(&ProductRef::by_id(*product)).await?.unwrap_or_default();
            let here = stock.iter().find(|stock| stock.zone == zone());
            left.insert(*product, here.map_or(0, |stock| stock.quantity));
        }
        Ok(left)
    }

    /// Checks that of every product what is left and what is sold are all the pieces there ever were.
    pub(crate) async fn balance(&self) {
        let (left, orders) = (self.left().await.unwrap(), self.orders().await.unwrap());
        for product in &self.products {
            let items =
                orders.iter().flat_map(|order| &order.items).filter(|item| item.product_id == *product);
            let sold: u32 = items.map(|item| item.quantity).sum();
            assert_eq!(left[product] + sold, PIECES, "{sold} of {product} sold");
        }
    }
}

fn draft(n: usize) -> ProductDraft {
    ProductDraft {
        name: format!("Phone {n}"),
        description: "made for trouble".to_owned(),
        category: category(n),
        subcategory: None,
        price: price(),
        attributes: Vec::new(),
        stock: Some(vec![ZoneStock { zone: zone(), quantity: PIECES }]),
    }
}

fn category(n: usize) -> Category {
    Category::new(["electronics", "audio", "appliances", "accessories"][n % 4]).expect("a legal name")
}

fn price() -> Money {
    Money::new(99_900, Currency::RUB).expect("a legal amount")
}

fn zone() -> Zone {
    Zone::new("msk").expect("a legal name")
}
