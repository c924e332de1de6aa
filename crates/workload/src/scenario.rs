//! A scenario: traffic described in a TOML file.
//!
//! ```
//! use mworld_workload::scenario::{read, shipped_source};
//!
//! let scenario = read(&shipped_source("black-friday").expect("it is shipped")).expect("and sound");
//! assert_eq!((scenario.name.as_str(), scenario.zones[0].name.as_str()), ("black-friday", "msk"));
//! ```

mod cast;
mod faults;
mod feasible;
mod item;
mod mix;
mod read;
mod section;
mod share;
mod shipped;

use std::sync::Arc;
use std::time::Duration;

use mworld_placement::layout::Source;

pub use self::cast::{Cast, CastProduct};
pub use self::mix::Mix;
pub use self::read::read;
pub use self::share::Share;
pub use self::shipped::{shipped_names, shipped_source};

/// A scenario that may be used: whatever could be wrong with its file has been looked for.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// What it is, in a sentence.
    pub about: String,
    /// The file, whole, for the report.
    pub source: Arc<Source>,
    /// Mean operations a second, if nothing else is said.
    pub rate: f64,
    /// Length of its schedule, if nothing else is said.
    pub duration: Duration,
    /// How the load moves over the schedule: straight lines between these points. Empty if it does not move.
    pub curve: Vec<CurvePoint>,
    /// How much of the traffic each operation is.
    pub mix: Mix,
    /// What is sold; the shares make a whole.
    pub categories: Vec<CategoryPart>,
    /// Where; the shares make a whole.
    pub zones: Vec<ZonePart>,
    /// Who comes.
    pub people: People,
    /// What holds for all products.
    pub products: Products,
}

/// The load at a moment of the schedule. Two points at one moment make a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// When, from 0 at the beginning to 1 at the end.
    pub at: f64,
    /// How much, compared with the other points.
    pub load: f64,
}

/// A category of the traffic.
#[derive(Debug, Clone, PartialEq)]
pub struct CategoryPart {
    /// Its name in the store.
    pub name: String,
    /// Its share of the requests that concern a category.
    pub share: Share,
    /// How many products the run makes in it.
    pub products: u32,
    /// From which price to which, in minor units.
    pub price: [i64; 2],
}

/// A zone of the traffic.
#[derive(Debug, Clone, PartialEq)]
pub struct ZonePart {
    /// Its name in the store.
    pub name: String,
    /// Its share of the journeys.
    pub share: Share,
}

/// Who comes.
#[derive(Debug, Clone, PartialEq)]
pub struct People {
    /// Accounts that the run makes.
    pub accounts: u32,
    /// Zipf exponent of how active they are: 0 = all alike.
    pub skew: f64,
    /// How much of the browsing guests do. How many guests log in follows from the mix.
    pub guests: Share,
    /// Buyers of large quantities, if there are any: the first accounts.
    pub wholesale: Option<Wholesale>,
}

/// Buyers of large quantities.
#[derive(Debug, Clone, PartialEq)]
pub struct Wholesale {
    /// How many of the accounts.
    pub accounts: u32,
    /// Their share of the purchases.
    pub purchases: Share,
    /// Pieces of one product, from and to.
    pub quantity: [u32; 2],
}

/// What holds for all products.
#[derive(Debug, Clone, PartialEq)]
pub struct Products {
    /// Zipf exponent of how popular they are within their category: 0 = all alike.
    pub skew: f64,
    /// Units of each, spread over the zones by their shares.
    pub stock: u32,
    /// How searches narrow the price down.
    pub filters: Filters,
    /// One product more that everybody wants, if there is one.
    pub hot: Option<Hot>,
}

/// How searches narrow the price down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filters {
    /// One of four equal parts of the category's prices, as a shop's page offers them.
    Bands,
    /// Any two prices of the category.
    Ranges,
}

/// One product that everybody wants.
#[derive(Debug, Clone, PartialEq)]
pub struct Hot {
    /// Where it lies, by its place in [`Scenario::categories`].
    pub category: usize,
    /// Its share of the purchases and of the product pages.
    pub share: Share,
    /// Its units.
    pub stock: u32,
    /// Its price in minor units.
    pub price: i64,
}
