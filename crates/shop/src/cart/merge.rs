//! What a quantity becomes when a guest cart meets a user's.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{ProductId, StoredLine};

/// The store's choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MergePolicy {
    /// Both together.
    #[default]
    Sum,
    /// The larger.
    Max,
    /// The guest's.
    Guest,
    /// The user's.
    User,
}

impl MergePolicy {
    /// Two quantities of one product become one: `user` was there, `guest` comes.
    pub const fn combine(self, user: u32, guest: u32) -> u32 {
        match self {
            MergePolicy::Sum => user.saturating_add(guest),
            MergePolicy::Max => {
                if user > guest {
                    user
                } else {
                    guest
                }
            }
            MergePolicy::Guest => guest,
            MergePolicy::User => user,
        }
    }
}

/// Why a text is no merge policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no merge policy; choose one of sum, max, guest, user")]
pub struct UnknownPolicy(String);

impl FromStr for MergePolicy {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "sum" => Ok(MergePolicy::Sum),
            "max" => Ok(MergePolicy::Max),
            "guest" => Ok(MergePolicy::Guest),
            "user" => Ok(MergePolicy::User),
            _ => Err(UnknownPolicy(text.to_owned())),
        }
    }
}

/// Something that did not fit into the user's cart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capped {
    /// The product.
    pub product_id: ProductId,
    /// Pieces that the policy would have given.
    pub wanted: u32,
    /// Pieces that the cart has.
    pub kept: u32,
    /// Which limit.
    pub why: CappedWhy,
}

/// A limit of the cart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CappedWhy {
    /// Too many pieces.
    Quantity,
    /// Too many lines.
    Lines,
}

/// The quantity of one product from all its sources: the owner's own first, then guest carts as they came.
/// Two that came in the same instant are ordered by name, so that every reader folds alike.
pub(super) fn fold<'a>(sources: impl Iterator<Item = &'a StoredLine>, policy: MergePolicy) -> u32 {
    let mut sources: Vec<&StoredLine> = sources.collect();
    sources.sort_by_key(|line| (line.source.is_some(), line.put_at, line.source));
    let quantities = sources.into_iter().map(|line| line.quantity);
    quantities.reduce(|user, guest| policy.combine(user, guest)).unwrap_or(0)
}
