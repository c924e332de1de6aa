//! Carts: who owns them, what lies in them, and how two become one.

mod lines;
mod merge;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use self::lines::{Lines, PutLine, StoredLine};
pub use self::merge::{Capped, CappedWhy, MergePolicy};
use crate::error::Result;
use crate::ids::{CartId, ProductId, SessionId, UserId};
use crate::money::{Currency, Money, MoneyError};
use crate::name::{Category, Zone};
use crate::time::Timestamp;

/// Whose cart it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A session that has not logged in.
    Guest(SessionId),
    /// An account, from whatever session.
    User(UserId),
}

impl Owner {
    /// One text for either kind of owner: the user if there is one, else the session.
    pub fn key(self) -> String {
        match self {
            Owner::Guest(session) => format!("s:{session}"),
            Owner::User(user) => format!("u:{user}"),
        }
    }

    /// The id of this owner's cart of that generation. Since it follows from the two, two processes that
    /// start a cart at once start the same one.
    pub fn cart_id(self, generation: u64) -> CartId {
        CartId::derive(&self.key(), generation)
    }

    /// The user, if it is one.
    pub const fn user(self) -> Option<UserId> {
        match self {
            Owner::Guest(_) => None,
            Owner::User(user) => Some(user),
        }
    }
}

/// Who is at the till: the owner, and what a new cart is created with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buyer {
    /// Whose cart.
    pub owner: Owner,
    /// The session through which the buyer came; fixed in a cart that comes to be through it.
    pub session: SessionId,
    /// The buyer's zone; fixed in a cart that comes to be now.
    pub zone: Zone,
}

/// Where a cart is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CartStatus {
    /// The owner's one cart.
    Active,
    /// Sold.
    Ordered,
    /// Merged into another or given up.
    Abandoned,
}

impl CartStatus {
    /// The name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            CartStatus::Active => "active",
            CartStatus::Ordered => "ordered",
            CartStatus::Abandoned => "abandoned",
        }
    }
}

impl fmt::Display for CartStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A line as the buyer sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CartLine {
    /// The product.
    pub product_id: ProductId,
    /// Its category at the put: a hint for finding it.
    pub category: Category,
    /// Its name at the put.
    pub name: String,
    /// Its price at the put.
    pub price: Money,
    /// Pieces.
    pub quantity: u32,
    /// When the product came into the cart.
    pub added_at: Timestamp,
}

/// A cart as the buyer sees it: sources folded by the store's policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cart {
    /// Its id.
    pub id: CartId,
    /// Whose it is.
    pub owner: Owner,
    /// Grows from cart to cart of one owner, and is never used again.
    pub generation: u64,
    /// Where it is in its life.
    pub status: CartStatus,
    /// The buyer's zone when it came to be. It places the cart; it does not decide where stock is taken.
    pub zone: Zone,
    /// Lines, newest added first.
    pub lines: Vec<CartLine>,
    /// When it came to be.
    pub created_at: Timestamp,
    /// When it was last written; strictly grows.
    pub updated_at: Timestamp,
    /// When it expires; `None` = never.
    pub expires_at: Option<Timestamp>,
}

impl Cart {
    /// What the lines cost at the prices of their puts.
    pub fn total(&self, currency: Currency) -> Result<Money, MoneyError> {
        total(self.lines.iter().map(|line| (line.price, line.quantity)), currency)
    }
}

/// The sum of prices times quantities.
pub fn total(lines: impl IntoIterator<Item = (Money, u32)>, currency: Currency) -> Result<Money, MoneyError> {
    lines
        .into_iter()
        .try_fold(Money::zero(currency), |sum, (price, quantity)| sum.plus(price.times(quantity)?))
}

/// What a merge did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The user's cart afterwards, if there is one.
    pub cart: Option<Cart>,
    /// What did not fit.
    pub capped: Vec<Capped>,
}
