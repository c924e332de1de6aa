//! All operations of a run taken together.

use std::collections::BTreeMap;

use super::{Figures, Report};

impl Report {
    /// The figures of all operations together, from their histograms: percentiles cannot be added up.
    pub fn total(&self) -> Figures {
        let mut latencies: BTreeMap<u64, u64> = BTreeMap::new();
        for (latency_us, count) in self.operations.values().flat_map(|figures| &figures.histogram) {
            *latencies.entry(*latency_us).or_default() += count;
        }
        let histogram: Vec<(u64, u64)> = latencies.into_iter().collect();
        let sum = |of: fn(&Figures) -> u64| self.operations.values().map(of).sum();
        Figures {
            count: sum(|figures| figures.count),
            errors: sum(|figures| figures.errors),
            refused: sum(|figures| figures.refused),
            busy: sum(|figures| figures.busy),
            p50_ms: percentile_ms(&histogram, 0.5),
            p90_ms: percentile_ms(&histogram, 0.9),
            p99_ms: percentile_ms(&histogram, 0.99),
            max_ms: self.operations.values().map(|figures| figures.max_ms).fold(0.0, f64::max),
            // Nothing can be said of all together: while nobody orders, others still look.
            longest_gap_ms: 0.0,
            histogram,
        }
    }
}

/// The latency that this share of the calls did not exceed; 0 if there were none.
fn percentile_ms(histogram: &[(u64, u64)], share: f64) -> f64 {
    let calls: u64 = histogram.iter().map(|(_, count)| count).sum();
    let wanted = (calls as f64 * share).ceil();
    let mut seen = 0.0;
    let reached = histogram.iter().find(|(_, count)| {
        seen += *count as f64;
        seen >= wanted
    });
    reached.map_or(0.0, |(latency_us, _)| *latency_us as f64 / 1_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_the_latency_of_a_call() {
        let histogram = [(1_000, 50), (2_000, 40), (9_000, 10)];
        let percentiles = [0.5, 0.9, 0.99].map(|share| percentile_ms(&histogram, share));
        assert_eq!(percentiles, [1.0, 2.0, 9.0]);
        assert_eq!(percentile_ms(&[], 0.5), 0.0);
    }
}
