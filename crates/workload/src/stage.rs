//! What a run plays with: the products, accounts and zones that were made for it, each known by its number in the plan.

use mworld_shop::{ProductId, UserId};
use serde::{Deserialize, Serialize};

/// A product of the run, by its place in [`Stage::products`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ProductNo(pub u32);

/// An account of the run, by its place in [`Stage::users`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UserNo(pub u32);

/// A zone, by its place in [`Stage::zones`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ZoneNo(pub u32);

/// Everything that set-up made, as it was before the first operation.
///
/// Nobody but the run knows of these products and accounts, so whatever happens to them, the run has done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// The products.
    pub products: Vec<StagedProduct>,
    /// The accounts; none has a cart or an order yet.
    pub users: Vec<StagedUser>,
    /// The store's zones that the scenario sells in, by name.
    pub zones: Vec<String>,
    /// The store's currency.
    pub currency: String,
}

/// A product made for the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StagedProduct {
    /// Its id.
    pub id: ProductId,
    /// Its name.
    pub name: String,
    /// Its category.
    pub category: String,
    /// Its price at the beginning, in minor units.
    pub price: i64,
    /// Units at the beginning, by zone.
    pub stock: Vec<u32>,
}

/// An account made for the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StagedUser {
    /// Its id.
    pub id: UserId,
    /// What it logs in with.
    pub email: String,
}
