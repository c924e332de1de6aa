//! What a checkout is made of.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::cart::{Cart, CartLine, total};
use crate::error::{Refusal, Result};
use crate::ids::{CartId, UserId};
use crate::money::{Currency, Money, MoneyError};
use crate::name::Zone;
use crate::order::{Order, OrderItem};

/// How long a claim is left alone. A checkout takes milliseconds; one that is silent for this long has died or
/// sleeps, and the sweeper voids it first, so that it cannot wake and sell.
pub const CLAIM_LIFE: Duration = Duration::from_secs(30);

/// The client's name for one wish to order.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct IdempotencyKey(String);

/// Why a text is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the Idempotency-Key has {0} bytes; send 1 to 128 visible ASCII characters, such as a UUID")]
pub struct InvalidKey(usize);

impl IdempotencyKey {
    /// The key.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for IdempotencyKey {
    type Err = InvalidKey;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        if (1..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(IdempotencyKey(text.to_owned()))
        } else {
            Err(InvalidKey(text.len()))
        }
    }
}

/// The body of a checkout: what must be equal in a repeat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The zone whose stock is taken.
    pub zone: Zone,
    /// The total that the buyer has seen.
    pub expect_total: Option<Money>,
}

/// The number of a claim on a cart: grows with every claim, so that a late one can be told from the present one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClaimNo(pub u64);

/// A cart set aside for one checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The cart as it will be sold.
    pub cart: Cart,
    /// For which key.
    pub key: IdempotencyKey,
    /// Under which number.
    pub no: ClaimNo,
}

/// Everything that the ledger needs to place an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceOrder {
    /// The buyer.
    pub user: UserId,
    /// The client's key.
    pub key: IdempotencyKey,
    /// The body, for telling a repeat from another wish.
    pub request: Request,
    /// The cart that is sold: at most one order is ever made of it.
    pub cart: CartId,
    /// The claim under which it is sold.
    pub claim: ClaimNo,
    /// What is bought. Categories are hints; prices and names are taken from the catalogue.
    pub lines: Vec<CartLine>,
}

/// The answer to a checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The order.
    pub order: Order,
    /// Whether it had been placed before.
    pub repeated: bool,
    /// The cart that was sold. For a repeat it may not be the buyer's present one.
    pub cart: CartId,
}

/// What a key has made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The order.
    pub order: Order,
    /// The request that made it.
    pub request: Request,
    /// The cart that was sold.
    pub cart: CartId,
}

impl Request {
    /// Whether a second request under the same key is a repeat of the first.
    pub fn check_repeat(&self, first: &Request) -> Result<()> {
        if self == first { Ok(()) } else { Err(Refusal::IdempotencyMismatch.into()) }
    }
}

/// The total of an order's items, checked against what the buyer expects.
pub fn check_total(items: &[OrderItem], request: &Request, currency: Currency) -> Result<Money> {
    let sum = total(items.iter().map(|item| (item.price, item.quantity)), currency).map_err(too_much)?;
    match request.expect_total {
        Some(expected) if expected != sum => Err(Refusal::PriceChanged { total: sum, expected }.into()),
        _ => Ok(sum),
    }
}

#[allow(clippy::needless_pass_by_value)] // the shape that map_err wants
fn too_much(error: MoneyError) -> Refusal {
    Refusal::Invalid { field: "total", problem: format!("cannot be charged: {error}; order less at once") }
}
