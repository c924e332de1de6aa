//! Operation *n*, from scenario, seed and *n* alone.

mod act;

pub use act::{Act, Buyer, Planned, Search};
