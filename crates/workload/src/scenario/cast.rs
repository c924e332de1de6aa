//! What set-up makes before the clock starts.

use super::Scenario;

/// Everything a run plays with, before it has ids. Numbers in a plan are places in these lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cast {
    /// The products, by `ProductNo`.
    pub products: Vec<CastProduct>,
    /// How many accounts there are: a `UserNo` is smaller.
    pub users: u32,
    /// The zones, by `ZoneNo`.
    pub zones: Vec<String>,
}

/// A product that is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CastProduct {
    /// Its category, one that a store has by default.
    pub category: String,
    /// Its subcategory.
    pub subcategory: String,
    /// Its name, different from all others of the run.
    pub name: String,
    /// Its price in minor units.
    pub price: i64,
    /// Units by `ZoneNo`.
    pub stock: Vec<u32>,
}

impl Scenario {
    /// What set-up makes for a run with this seed.
    pub fn cast(&self, _seed: u64) -> Cast {
        Cast { products: Vec::new(), users: 0, zones: Vec::new() }
    }
}
