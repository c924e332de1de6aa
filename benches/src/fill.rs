//! Filling stores through the engine's own ports, so that what lies in them is what the store itself would write.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context, Result};
use mworld_embedded::FILE_NAME;
use mworld_shop::cart::{CartLine, Owner};
use mworld_shop::checkout::{ClaimNo, PlaceOrder, Request};
use mworld_shop::order::OrderQuery;
use mworld_shop::ports::{Catalog, History, Ledger};
use mworld_shop::{PageSize, Settings, StoreParts, Timestamp, UserId, Zone};
use tokio::task::JoinSet;

use crate::catalogue::{self, Known};
use crate::dice::{mix, pick};
use crate::output::notice;
use crate::people::{self, Token};
use crate::plan::{BUYERS_AT_ONCE, Size};
use crate::store::{self, Hold};

/// Orders of an ordinary buyer.
const ORDERS_EACH: u64 = 5;
/// Buyers with more: one full page of history, and one more order.
const REGULARS: u64 = 499;
const ORDERS_OF_A_REGULAR: u64 = 25;
/// Callers at once while filling: more than when measuring, so that each commit carries more.
const CALLERS: usize = 1024;
/// Buyers with a session. With carts of a few lines each they are many more than connections.
const SESSIONS: u64 = 20_000;
/// No two operations at one time may be the same buyer's, so even a tiny store has more buyers than connections.
const FEWEST_SESSIONS: u64 = 4 * BUYERS_AT_ONCE as u64;
/// Sessions of the wholesale buyer: a token may send 2,000 requests a second, which one alone would exceed.
const WHOLESALE_SESSIONS: usize = 64;
/// Places in the middle of the long history from which pages are asked for.
const CURSORS: usize = 200;

/// A filled store and what requests to it are made of.
pub(crate) struct Filled {
    pub(crate) dir: PathBuf,
    pub(crate) products: Arc<Vec<Known>>,
    /// Logged-in buyers, ordinary ones.
    pub(crate) tokens: Arc<Vec<Token>>,
    /// Who they are.
    pub(crate) buyers: Vec<UserId>,
    /// Logged-in buyers with a full page of orders.
    pub(crate) regular_tokens: Arc<Vec<Token>>,
    pub(crate) wholesale_tokens: Arc<Vec<Token>>,
    /// Cursors from the middle half of the wholesale buyer's history.
    pub(crate) cursors: Arc<Vec<String>>,
}

/// Fills the store in `dir` unless an earlier run has, and logs buyers in.
pub(crate) async fn fill(dir: &Path, size: Size) -> Result<Filled> {
    let settings = store::settings(Hold::Never);
    let mark = dir.join("filled.json");
    let known: Option<Size> = std::fs::read(&mark).ok().and_then(|text| serde_json::from_slice(&text).ok());
    if known != Some(size) && dir.exists() {
        std::fs::remove_dir_all(dir).with_context(|| format!("{} cannot be emptied", dir.display()))?;
    }
    let (engine, _) = store::open(dir, Hold::Never, None)?;
    let parts = engine.parts();
    let products = Arc::new(catalogue::known(&settings, size.products));
    if known != Some(size) {
        fill_catalogue(&*parts.catalog, &settings, size.products).await?;
        fill_orders(&parts.ledger, &settings.default_zone(), &products, size.orders).await?;
        std::fs::write(&mark, serde_json::to_vec(&size)?)?;
    }
    let sessions = SESSIONS.min(buyers(size.orders)).max(FEWEST_SESSIONS);
    let buyers: Vec<UserId> = (REGULARS..REGULARS + sessions).map(people::buyer).collect();
    let zone = settings.default_zone();
    let tokens = people::log_in(Arc::clone(&parts.sessions), &zone, buyers.clone()).await?;
    let regulars = (0..REGULARS).map(people::buyer).collect();
    let regular_tokens = people::log_in(Arc::clone(&parts.sessions), &zone, regulars).await?;
    let wholesale = vec![people::wholesale_buyer(); WHOLESALE_SESSIONS];
    let wholesale_tokens = people::log_in(Arc::clone(&parts.sessions), &zone, wholesale).await?;
    let cursors = middle_cursors(&parts, size).await?;
    drop((engine, parts));
    warm(&dir.join(FILE_NAME))?;
    Ok(Filled {
        dir: dir.to_owned(),
        products,
        tokens: Arc::new(tokens),
        buyers,
        regular_tokens: Arc::new(regular_tokens),
        wholesale_tokens: Arc::new(wholesale_tokens),
        cursors: Arc::new(cursors),
    })
}

/// Reads the file once, so that the system has it in memory, as it has that of a store which has been running for a
/// while: a store that an earlier run filled may be anywhere.
fn warm(file: &Path) -> Result<()> {
    std::io::copy(&mut std::fs::File::open(file)?, &mut std::io::sink())?;
    Ok(())
}

/// Fills an empty catalogue.
pub(crate) async fn fill_catalogue(catalog: &dyn Catalog, settings: &Settings, products: u64) -> Result<()> {
    let begun = Instant::now();
    for first in (0..products).step_by(1_000) {
        let batch = (first..products.min(first + 1_000)).map(|n| catalogue::product(settings, n));
        catalog.upsert_many(batch.collect()).await?;
    }
    notice(&format!("{products} products in {:.1} s", begun.elapsed().as_secs_f64()));
    Ok(())
}

/// How many ordinary buyers share the orders that are not the wholesale buyer's.
fn buyers(orders: u64) -> u64 {
    ((orders - orders / 10) / ORDERS_EACH).max(1)
}

async fn fill_orders(
    ledger: &Arc<dyn Ledger>,
    zone: &Zone,
    products: &Arc<Vec<Known>>,
    orders: u64,
) -> Result<()> {
    let begun = Instant::now();
    let next = Arc::new(AtomicU64::new(0));
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        let (ledger, zone) = (Arc::clone(ledger), zone.clone());
        let (products, next) = (Arc::clone(products), Arc::clone(&next));
        callers.spawn(async move {
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= orders {
                    return Ok::<(), mworld_shop::Error>(());
                }
                ledger.place(order(buyer_of(n, orders), "fill", n, &zone, pick(&products, n))).await?;
            }
        });
    }
    while let Some(done) = callers.join_next().await {
        done.context("a caller was cut off")??;
    }
    notice(&format!("{orders} orders in {:.1} s", begun.elapsed().as_secs_f64()));
    Ok(())
}

fn buyer_of(n: u64, orders: u64) -> UserId {
    if n.is_multiple_of(10) {
        people::wholesale_buyer()
    } else if n < REGULARS * ORDERS_OF_A_REGULAR * 10 / 9 {
        people::buyer(n % REGULARS)
    } else {
        people::buyer(REGULARS + mix(n) % buyers(orders))
    }
}

/// The order that `n` stands for: one piece of one product. `run` keeps its key and cart apart from other runs'.
pub(crate) fn order(user: UserId, run: &str, n: u64, zone: &Zone, product: &Known) -> PlaceOrder {
    let generation = u64::from_be_bytes(run_bytes(run)) ^ n;
    PlaceOrder {
        user,
        key: format!("{run}-{n}").parse().expect("a run's name and a number are visible ASCII"),
        request: Request { zone: zone.clone(), expect_total: None },
        cart: Owner::User(user).cart_id(generation),
        claim: ClaimNo(1),
        lines: vec![CartLine {
            product_id: product.id,
            category: product.category.clone(),
            name: product.name.clone(),
            price: product.price,
            quantity: 1,
            added_at: Timestamp::MIN,
        }],
    }
}

/// A number for a run's name, in the upper half, so that it does not meet the orders' own numbers.
fn run_bytes(run: &str) -> [u8; 8] {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(run);
    [digest[0], digest[1], digest[2], digest[3], 0, 0, 0, 0]
}

/// Walks the long history once and remembers places between a quarter and three quarters of it.
async fn middle_cursors(parts: &StoreParts, size: Size) -> Result<Vec<String>> {
    let (history, user): (&dyn History, UserId) = (&*parts.history, people::wholesale_buyer());
    let orders = size.orders / 10;
    let mut query = OrderQuery { limit: PageSize::new(PageSize::MAX), ..OrderQuery::default() };
    let list = OrderQuery::default().list_id(Some(user));
    let (mut seen, mut found) = (0, Vec::new());
    while seen < orders * 3 / 4 {
        let page = history.page(user, &query).await?;
        seen += page.items.len() as u64;
        query.after = page.next;
        match page.next {
            Some(place) if seen >= orders / 4 => found.push(place.encode(list)),
            Some(_) => {}
            None => break,
        }
    }
    let step = found.len().div_ceil(CURSORS).max(1);
    Ok(found.into_iter().step_by(step).collect())
}
