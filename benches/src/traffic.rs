//! What is asked of the store. Operation *n* follows from *n* alone, so every run asks the same.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::catalogue::Known;
use crate::dice::{mix, pick};
use crate::fill::Filled;
use crate::people::Token;
use crate::plan::BUYERS_AT_ONCE;

/// A kind of operation: one request, or several that follow each other.
pub(crate) trait Traffic: Send + Sync {
    /// Writes request number `step` of operation `n` and says which status its answer must have; `None` if the
    /// operation is over.
    fn request(&self, n: u64, step: usize, out: &mut String) -> Option<u16>;
}

/// The empty handler.
pub(crate) struct Empty;

impl Traffic for Empty {
    fn request(&self, _: u64, step: usize, out: &mut String) -> Option<u16> {
        (step == 0).then(|| get(out, "/bench/empty", None, 204))
    }
}

/// Whether a request says what it knows of a product's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hint {
    /// As links from a search do.
    Category,
    /// By id alone: every shard may have to be asked.
    Nothing,
}

/// Product pages.
pub(crate) struct ProductPage {
    pub(crate) products: Arc<Vec<Known>>,
    pub(crate) hint: Hint,
}

impl Traffic for ProductPage {
    fn request(&self, n: u64, step: usize, out: &mut String) -> Option<u16> {
        let product = pick(&self.products, n);
        let path = match self.hint {
            Hint::Category => format!("/api/v1/products/{}?category={}", product.id, product.category),
            Hint::Nothing => format!("/api/v1/products/{}", product.id),
        };
        (step == 0).then(|| get(out, &path, None, 200))
    }
}

/// Pages of 24 products of a category, cheapest first, each beginning at a price of its own.
pub(crate) struct SearchPage {
    pub(crate) products: Arc<Vec<Known>>,
}

impl Traffic for SearchPage {
    fn request(&self, n: u64, step: usize, out: &mut String) -> Option<u16> {
        let from = pick(&self.products, n);
        let path = format!(
            "/api/v1/products?category={}&sort=price&min_price={}",
            from.category,
            from.price.amount()
        );
        (step == 0).then(|| get(out, &path, None, 200))
    }
}

/// Puts into carts. A buyer has at most three different products, as carts usually have few lines.
pub(crate) struct CartPut {
    pub(crate) buyers: Arc<Vec<Token>>,
    pub(crate) products: Arc<Vec<Known>>,
}

impl Traffic for CartPut {
    fn request(&self, n: u64, step: usize, out: &mut String) -> Option<u16> {
        if step > 0 {
            return None;
        }
        let (buyer, token) = turn(&self.buyers, n);
        let product = pick(&self.products, buyer * 3 + mix(n) % 3);
        put(out, token, product, 1 + mix(n) % 5);
        Some(200)
    }
}

/// Full checkouts: a put and the order of the cart.
pub(crate) struct Checkout {
    pub(crate) buyers: Arc<Vec<Token>>,
    pub(crate) products: Arc<Vec<Known>>,
    /// Keeps the keys of this run apart from those of earlier ones on the same store.
    pub(crate) run: String,
}

impl Traffic for Checkout {
    fn request(&self, n: u64, step: usize, out: &mut String) -> Option<u16> {
        let (_, token) = turn(&self.buyers, n);
        match step {
            0 => {
                put(out, token, pick(&self.products, n), 1);
                Some(200)
            }
            1 => {
                let key = format!("Idempotency-Key: {}-{n}\r\n", self.run);
                send(out, "POST", "/api/v1/orders", token, &key, r#"{"zone":"msk"}"#);
                Some(201)
            }
            _ => None,
        }
    }
}

/// Pages of a buyer's history.
pub(crate) struct HistoryPage {
    pub(crate) buyers: Arc<Vec<Token>>,
    /// Where pages begin; none = at the newest order.
    pub(crate) cursors: Arc<Vec<String>>,
}

impl Traffic for HistoryPage {
    fn request(&self, n: u64, step: usize, out: &mut String) -> Option<u16> {
        let (_, token) = turn(&self.buyers, n);
        let path = if self.cursors.is_empty() {
            "/api/v1/orders".to_owned()
        } else {
            format!("/api/v1/orders?cursor={}", pick(&self.cursors, n))
        };
        (step == 0).then(|| get(out, &path, Some(token), 200))
    }
}

/// Every kind in the proportions of a busy day: mostly looking, some buying.
pub(crate) struct Mixed {
    looking: ProductPage,
    searching: SearchPage,
    putting: CartPut,
    buying: Checkout,
}

impl Mixed {
    pub(crate) fn of(filled: &Filled, run: &str) -> Mixed {
        let (products, buyers) = (&filled.products, &filled.tokens);
        Mixed {
            looking: ProductPage { products: Arc::clone(products), hint: Hint::Category },
            searching: SearchPage { products: Arc::clone(products) },
            putting: CartPut { buyers: Arc::clone(buyers), products: Arc::clone(products) },
            buying: Checkout {
                buyers: Arc::clone(buyers),
                products: Arc::clone(products),
                run: run.to_owned(),
            },
        }
    }
}

impl Traffic for Mixed {
    fn request(&self, n: u64, step: usize, out: &mut String) -> Option<u16> {
        match mix(n) % 20 {
            0..=8 => self.looking.request(n, step, out),
            9..=14 => self.searching.request(n, step, out),
            15..=17 => self.putting.request(n, step, out),
            _ => self.buying.request(n, step, out),
        }
    }
}

/// Buyers take turns, and each is served on one lane only: a lane finishes an operation before it begins the next, so
/// no two operations at one time are the same buyer's. With fewer buyers than lanes that cannot be, which is good enough
/// for reading.
fn turn(buyers: &[Token], n: u64) -> (u64, &Token) {
    let (buyers_of_a_lane, lanes) = (buyers.len() / BUYERS_AT_ONCE, BUYERS_AT_ONCE as u64);
    let buyer = match buyers_of_a_lane as u64 {
        0 => n % buyers.len() as u64,
        many => n % lanes + lanes * (n / lanes % many),
    };
    (buyer, &buyers[usize::try_from(buyer).expect("an index into a slice fits")])
}

fn put(out: &mut String, token: &str, product: &Known, quantity: u64) {
    let body = format!(r#"{{"quantity":{quantity},"category":"{}"}}"#, product.category);
    send(out, "PUT", &format!("/api/v1/cart/items/{}", product.id), token, "", &body);
}

fn get(out: &mut String, path: &str, token: Option<&str>, expected: u16) -> u16 {
    let _ = write!(out, "GET {path} HTTP/1.1\r\nHost: bench\r\n");
    if let Some(token) = token {
        let _ = write!(out, "Authorization: Bearer {token}\r\n");
    }
    out.push_str("\r\n");
    expected
}

fn send(out: &mut String, method: &str, path: &str, token: &str, headers: &str, body: &str) {
    let _ = write!(
        out,
        "{method} {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n{headers}\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_buyer_is_served_on_one_lane_only() {
        let buyers: Vec<Token> = (0..200).map(|n: u32| n.to_string()).collect();
        let mut lane_of = BTreeMap::new();
        for n in 0..10_000 {
            let lane = n % BUYERS_AT_ONCE as u64;
            let (buyer, token) = turn(&buyers, n);
            assert_eq!(*token, buyer.to_string());
            assert_eq!(*lane_of.entry(buyer).or_insert(lane), lane, "buyer {buyer} in operation {n}");
        }
        assert_eq!(lane_of.len(), 192, "the whole rounds of 64 that 200 buyers make");
    }
}
