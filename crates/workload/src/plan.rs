//! Operation *n*, from scenario, seed and *n* alone.

mod act;
mod arrivals;
mod planner;

pub use act::{Act, Buyer, Planned, Search};
pub use arrivals::Arrivals;
pub use planner::Planner;
