//! The maker of plans.

use super::act::{Act, Buyer, Planned};
use super::arrivals::Arrivals;
use crate::scenario::Scenario;
use crate::stage::ZoneNo;

/// Makes operation *n*. It remembers the block that it made last, so asking in order is fast.
#[derive(Debug, Clone)]
pub struct Planner {
    arrivals: Arrivals,
}

impl Planner {
    /// The plan of a scenario with this seed, due at these moments.
    pub fn new(_scenario: &Scenario, _seed: u64, arrivals: Arrivals) -> Planner {
        Planner { arrivals }
    }

    /// Operation `n`: a pure function of scenario, seed and `n`; its moment of rate and duration too.
    pub fn operation(&mut self, n: u64) -> Planned {
        let at = self.arrivals.at(n);
        Planned { n, at, journey: n, buyer: Buyer::Guest, zone: ZoneNo(0), act: Act::Open }
    }
}
