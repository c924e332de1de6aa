//! Operation *n*, from scenario, seed and *n* alone.

mod act;
mod arrivals;
mod block;
mod crowd;
mod deal;
mod dice;
mod planner;
mod shelf;
mod visit;

pub use act::{Act, Buyer, Planned, Search};
pub use arrivals::Arrivals;
pub(crate) use block::BLOCK;
pub(crate) use dice::Dice;
pub use planner::Planner;
