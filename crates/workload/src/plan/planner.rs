//! The maker of plans.

use std::sync::Arc;

use super::act::Planned;
use super::arrivals::Arrivals;
use super::block::{BLOCK, Step, block};
use super::crowd::Crowd;
use crate::scenario::Scenario;

/// Makes operation *n*. It remembers the block that it made last, so asking in order is fast.
#[derive(Debug, Clone)]
pub struct Planner {
    crowd: Arc<Crowd>,
    seed: u64,
    arrivals: Arrivals,
    /// The block that was made last, with its number.
    made: Option<(u64, Arc<[Step]>)>,
}

impl Planner {
    /// The plan of a scenario with this seed, due at these moments.
    pub fn new(scenario: &Scenario, seed: u64, arrivals: Arrivals) -> Planner {
        Planner { crowd: Arc::new(Crowd::new(scenario)), seed, arrivals, made: None }
    }

    /// Operation `n`: a pure function of scenario, seed and `n`; its moment of rate and duration too.
    pub fn operation(&mut self, n: u64) -> Planned {
        let (number, place) = (n / BLOCK as u64, (n % BLOCK as u64) as usize);
        let Step { journey, buyer, zone, act } = self.block(number)[place].clone();
        // Journeys are counted within their block, and a block has fewer of them than operations.
        let journey = number * BLOCK as u64 + u64::from(journey);
        Planned { n, at: self.arrivals.at(n), journey, buyer, zone, act }
    }

    /// All operations, one after the other, for ever.
    pub fn operations(mut self) -> impl Iterator<Item = Planned> {
        (0..).map(move |n| self.operation(n))
    }

    /// The schedule.
    pub fn arrivals(&self) -> &Arrivals {
        &self.arrivals
    }

    fn block(&mut self, number: u64) -> Arc<[Step]> {
        match &self.made {
            Some((made, steps)) if *made == number => Arc::clone(steps),
            _ => {
                let steps: Arc<[Step]> = block(&self.crowd, self.seed, number).into();
                self.made = Some((number, Arc::clone(&steps)));
                steps
            }
        }
    }
}
