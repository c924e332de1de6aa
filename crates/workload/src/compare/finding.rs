//! From an estimate to a word: same, better, worse, or not enough data.

use serde::Serialize;

use super::estimate::Estimate;
use super::subject::Metric;

/// All accusations of a comparison together are wrong in at most this share of comparisons.
pub(super) const LEVEL: f64 = 0.05;

/// Shares of errors that differ by less than half a point are called the same, unless they surely differ.
const SAME_ERRORS: f64 = 0.005;

/// What is said of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// No difference beyond the bound is left possible.
    Same,
    /// B is better, and not by chance.
    Better,
    /// B is worse, and not by chance.
    Worse,
    /// Chance could have done it, and so could a difference beyond the bound.
    NotEnoughData,
}

impl Finding {
    /// The words that a person reads.
    pub const fn words(self) -> &'static str {
        match self {
            Finding::Same => "same",
            Finding::Better => "better",
            Finding::Worse => "worse",
            Finding::NotEnoughData => "not enough data",
        }
    }
}

/// What two runs say of one metric.
pub(super) struct Seen {
    pub(super) metric: Metric,
    /// In the whole run of A and of B.
    pub(super) whole: (f64, f64),
    /// Corrected for how many were tested.
    pub(super) p: f64,
    /// None where there were too few blocks.
    pub(super) estimate: Option<Estimate>,
}

impl Seen {
    /// The word for it, with so large a change allowed (0.1 = 10 %).
    pub(super) fn finding(&self, bound: f64) -> Finding {
        let Some(estimate) = self.estimate else { return Finding::NotEnoughData };
        if self.p < LEVEL && estimate.shift != 0.0 {
            let more = estimate.shift > 0.0;
            return if more == self.more_is_better() { Finding::Better } else { Finding::Worse };
        }
        // A few stalled seconds can carry the whole run's p99 off while all others stay as they were. One run cannot
        // tell whether that was chance, but it is not "the same" either.
        let widest = [estimate.low, estimate.high, self.whole_shift()].into_iter().map(f64::abs);
        let allowed = self.allowed(bound);
        if widest.fold(0.0, f64::max) <= allowed { Finding::Same } else { Finding::NotEnoughData }
    }

    /// Whether it is surely worse, and by more than the bound. Errors have no bound: more of them are never fine.
    pub(super) fn is_regression(&self, bound: f64) -> bool {
        let Some(estimate) = self.estimate else { return false };
        let beyond = self.metric == Metric::Errors || estimate.shift.abs() > self.allowed(bound);
        self.finding(bound) == Finding::Worse && beyond
    }

    const fn more_is_better(&self) -> bool {
        matches!(self.metric, Metric::Throughput)
    }

    /// The bound on the scale of the estimate. A fall to 1/1.1 is as far as a rise to 1.1.
    fn allowed(&self, bound: f64) -> f64 {
        if self.metric == Metric::Errors { SAME_ERRORS } else { bound.ln_1p() }
    }

    fn whole_shift(&self) -> f64 {
        let (a, b) = self.whole;
        if self.metric == Metric::Errors { b - a } else { (b.max(0.001) / a.max(0.001)).ln() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(metric: Metric, shift: f64, width: f64, p: f64) -> Seen {
        let estimate = Some(Estimate { shift, low: shift - width, high: shift + width, p });
        Seen { metric, whole: (1.0, 1.0), p, estimate }
    }

    #[test]
    fn slower_is_worse_and_more_answers_are_better() {
        assert_eq!(seen(Metric::P50, 0.2, 0.1, 0.001).finding(0.1), Finding::Worse);
        assert_eq!(seen(Metric::P50, -0.2, 0.1, 0.001).finding(0.1), Finding::Better);
        assert_eq!(seen(Metric::Throughput, 0.2, 0.1, 0.001).finding(0.1), Finding::Better);
        assert_eq!(seen(Metric::Throughput, -0.2, 0.1, 0.001).finding(0.1), Finding::Worse);
    }

    #[test]
    fn what_is_not_proven_is_the_same_only_within_the_bound() {
        assert_eq!(seen(Metric::P50, 0.02, 0.03, 0.2).finding(0.1), Finding::Same);
        assert_eq!(seen(Metric::P50, 0.02, 0.3, 0.2).finding(0.1), Finding::NotEnoughData);
        let stalled = Seen { whole: (12.0, 1_800.0), ..seen(Metric::P99, 0.0, 0.01, 0.9) };
        assert_eq!(stalled.finding(0.1), Finding::NotEnoughData);
    }

    #[test]
    fn a_regression_is_sure_and_beyond_the_bound() {
        assert!(seen(Metric::P50, 0.2, 0.1, 0.001).is_regression(0.1));
        assert!(!seen(Metric::P50, 0.2, 0.1, 0.001).is_regression(0.5));
        assert!(!seen(Metric::P50, 0.2, 0.1, 0.2).is_regression(0.1));
        assert!(!seen(Metric::P50, -0.2, 0.1, 0.001).is_regression(0.1));
        assert!(seen(Metric::Errors, 0.001, 0.000_5, 0.001).is_regression(0.1));
    }
}
