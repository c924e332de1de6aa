//! (a) `order.place` on the engine and in the bare loop, by the same number of callers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use mworld_embedded::Engine;
use mworld_placement::{Area, Entity, Placement, Value, key_values};
use mworld_shop::cart::Owner;
use mworld_shop::checkout::PlaceOrder;
use mworld_shop::event::{Happened, StockChange};
use mworld_shop::order::{OrderItem, OrderStatus};
use mworld_shop::ports::Ledger;
use mworld_shop::{OrderId, Timestamp, UserId, Zone};
use tokio::task::JoinSet;

use crate::bare::{Bare, BareOrder};
use crate::catalogue::Known;
use crate::dice::{mix, pick};
use crate::fill;
use crate::plan::BUYERS_AT_ONCE;

/// Makes orders for both sides, the same for the same number.
pub(crate) struct Orders {
    run: String,
    zone: Zone,
    products: Vec<Sold>,
    buyers: Vec<(UserId, u32)>,
    next: AtomicU64,
}

/// A product with everything that the bare loop needs ready.
struct Sold {
    known: Known,
    shard: u32,
    items: String,
    event: String,
}

impl Orders {
    pub(crate) fn new(
        run: &str,
        engine: &Engine,
        zone: &Zone,
        products: &[Known],
        buyers: &[UserId],
    ) -> Result<Orders> {
        let placement = engine.placement();
        let sold = |known: &Known| {
            let (items, event) = texts(known, buyers[0], zone)?;
            Ok(Sold { known: known.clone(), shard: product_shard(placement, known), items, event })
        };
        Ok(Orders {
            run: run.to_owned(),
            zone: zone.clone(),
            products: products.iter().map(sold).collect::<Result<_>>()?,
            buyers: buyers.iter().map(|user| (*user, buyer_shard(placement, *user))).collect(),
            next: AtomicU64::new(0),
        })
    }

    fn next(&self) -> (u64, UserId, u32, &Sold) {
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        let (user, shard) = *pick(&self.buyers, n);
        (n, user, shard, pick(&self.products, n.wrapping_mul(31)))
    }

    fn for_engine(&self) -> PlaceOrder {
        let (n, user, _, sold) = self.next();
        fill::order(user, &self.run, n, &self.zone, &sold.known)
    }

    fn for_bare(&self) -> BareOrder {
        let (n, user, shard, sold) = self.next();
        let now = now();
        BareOrder {
            shard,
            user: user.uuid().into_bytes(),
            key: format!("{}-{n}", self.run),
            cart: Owner::User(user).cart_id(u64::MAX - n).uuid().into_bytes(),
            order: OrderId::at(now, mix(n).to_be_bytes()).uuid().into_bytes(),
            now: now.micros(),
            unpaid_until: now.plus(Duration::from_secs(1800)).micros(),
            zone: "msk",
            product_shard: sold.shard,
            product: sold.known.id.uuid().into_bytes(),
            total: sold.known.price.amount(),
            items: sold.items.clone(),
            event: sold.event.clone(),
        }
    }

    /// Orders a second through the engine's port.
    pub(crate) async fn on_engine(
        self: &Arc<Self>,
        ledger: &Arc<dyn Ledger>,
        duration: Duration,
    ) -> Result<f64> {
        let (orders, ledger) = (Arc::clone(self), Arc::clone(ledger));
        repeat(duration, move || {
            let (orders, ledger) = (Arc::clone(&orders), Arc::clone(&ledger));
            async move { ledger.place(orders.for_engine()).await.map(drop).context("order.place failed") }
        })
        .await
    }

    /// Orders a second through the bare loop.
    pub(crate) async fn on_bare(self: &Arc<Self>, bare: &Arc<Bare>, duration: Duration) -> Result<f64> {
        let (orders, bare) = (Arc::clone(self), Arc::clone(bare));
        repeat(duration, move || {
            let (orders, bare) = (Arc::clone(&orders), Arc::clone(&bare));
            async move { bare.place(orders.for_bare()).await }
        })
        .await
    }
}

/// How often a second something is done by all callers together.
async fn repeat<F>(duration: Duration, once: impl Fn() -> F + Clone + Send + 'static) -> Result<f64>
where
    F: Future<Output = Result<()>> + Send,
{
    let begun = Instant::now();
    let mut callers = JoinSet::new();
    for _ in 0..BUYERS_AT_ONCE {
        let once = once.clone();
        callers.spawn(async move {
            let mut done = 0_u32;
            while begun.elapsed() < duration {
                once().await?;
                done += 1;
            }
            anyhow::Ok(done)
        });
    }
    let mut sum = 0.0;
    while let Some(done) = callers.join_next().await {
        sum += f64::from(done.context("a caller was cut off")??);
    }
    Ok(sum / begun.elapsed().as_secs_f64())
}

fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp::MIN.plus(since)
}

/// Items and event of an order, as the engine writes them.
fn texts(known: &Known, user: UserId, zone: &Zone) -> Result<(String, String)> {
    let item = OrderItem {
        product_id: known.id,
        category: known.category.clone(),
        name: known.name.clone(),
        quantity: 1,
        price: known.price,
    };
    let event = Happened::Order {
        order_id: OrderId::at(now(), [0; 8]),
        user_id: user,
        status: OrderStatus::Created,
        total: known.price,
        stock: vec![StockChange {
            product_id: known.id,
            zone: zone.clone(),
            delta: -1,
            quantity: 99_999_999,
        }],
    };
    Ok((serde_json::to_string(&[item])?, serde_json::to_string(&event)?))
}

fn product_shard(placement: &Placement, known: &Known) -> u32 {
    let map = placement.map(Entity::Products);
    let value = |field: &str| match field {
        "product_id" => Value::Uuid(known.id.uuid()),
        "category" => Value::from(known.category.as_str()),
        _ => Value::Null,
    };
    map.shard_of(&key_values(map.key(), value)).0
}

fn buyer_shard(placement: &Placement, user: UserId) -> u32 {
    let map = placement.map(Area::OrderKeys);
    map.shard_of(&key_values(map.key(), |_| Value::Uuid(user.uuid()))).0
}
