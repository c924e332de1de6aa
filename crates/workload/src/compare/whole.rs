//! Reports without a timeline: only the histogram of the whole run is left.
//!
//! The calls are then taken for independent, which they are not: a stalled second slows hundreds of them at once. So
//! this finds differences too easily, and the comparison says that it was used.

use super::estimate::{Estimate, NORMAL_97_5, two_sided};

/// Fewer calls than this beyond the percentile say nothing about where it lies.
const FEWEST_BEYOND: f64 = 5.0;

/// Latencies, ascending, and how many calls had each.
type Histogram = [(u64, u64)];

/// Tests whether a percentile differs, on the scale of logarithms; `None` with too few calls.
pub(super) fn percentile(a: &Histogram, b: &Histogram, share: f64) -> Option<Estimate> {
    let (of_a, of_b) = (Located::new(a, share)?, Located::new(b, share)?);
    Some(by_normal(of_b.logarithm - of_a.logarithm, of_a.error.hypot(of_b.error)))
}

/// Tests whether a share differs: `of` (how many, of how many). `None` where nothing was counted.
pub(super) fn share(a: (u64, u64), b: (u64, u64)) -> Option<Estimate> {
    if a.1 == 0 || b.1 == 0 {
        return None;
    }
    let (n_a, n_b) = (a.1 as f64, b.1 as f64);
    let (share_a, share_b) = (a.0 as f64 / n_a, b.0 as f64 / n_b);
    let error = (share_a * (1.0 - share_a) / n_a + share_b * (1.0 - share_b) / n_b).sqrt();
    Some(by_normal(share_b - share_a, error))
}

fn by_normal(shift: f64, error: f64) -> Estimate {
    let p = if shift == 0.0 { 1.0 } else { two_sided(shift / error) };
    Estimate { shift, low: shift - NORMAL_97_5 * error, high: shift + NORMAL_97_5 * error, p }
}

/// Where a percentile lies, and how well that is known.
struct Located {
    logarithm: f64,
    error: f64,
}

impl Located {
    fn new(histogram: &Histogram, share: f64) -> Option<Located> {
        let calls = histogram.iter().map(|(_, count)| count).sum::<u64>() as f64;
        if calls * (1.0 - share) < FEWEST_BEYOND {
            return None;
        }
        // The rank of the true percentile among the calls varies like heads among as many coins.
        let off = (calls * share * (1.0 - share)).sqrt();
        let at = |rank: f64| logarithm_at(histogram, rank.clamp(1.0, calls));
        let rank = calls * share;
        // Half a thousandth: a histogram of three digits does not know latencies better.
        let error = ((at(rank + off) - at(rank - off)) / 2.0).max(0.000_5);
        Some(Located { logarithm: at(rank), error })
    }
}

/// The logarithm of the latency of the call at this rank.
fn logarithm_at(histogram: &Histogram, rank: f64) -> f64 {
    let mut seen = 0.0;
    let reached = histogram.iter().find(|(_, count)| {
        seen += *count as f64;
        seen >= rank
    });
    let latency_us = reached.or(histogram.last()).map_or(1, |(latency_us, _)| *latency_us);
    (latency_us.max(1) as f64).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long-tailed histogram of 4,000 calls, its latencies scaled.
    fn recorded(scale: f64) -> Vec<(u64, u64)> {
        (0..400).map(|step| ((1_000.0 * scale * (1.0 + f64::from(step) / 40.0)) as u64, 10)).collect()
    }

    #[test]
    fn equal_histograms_do_not_differ() {
        for share in [0.5, 0.9, 0.99] {
            assert_eq!(percentile(&recorded(1.0), &recorded(1.0), share).unwrap().p, 1.0);
        }
    }

    #[test]
    fn a_shift_of_a_tenth_is_seen_and_measured() {
        for share in [0.5, 0.9, 0.99] {
            let seen = percentile(&recorded(1.0), &recorded(1.1), share).unwrap();
            assert!(seen.p < 0.001 && seen.low < 0.0954 && 0.0952 < seen.high, "{share} {seen:?}");
        }
    }

    #[test]
    fn a_percentile_needs_calls_beyond_it() {
        let few: Vec<(u64, u64)> = (1..=100).map(|latency| (latency, 1)).collect();
        assert!(percentile(&few, &few, 0.99).is_none());
        assert!(percentile(&few, &few, 0.5).is_some());
        assert!(percentile(&[], &[], 0.5).is_none());
    }

    #[test]
    fn shares_differ_when_counts_are_large() {
        assert_eq!(share((0, 100), (0, 100)).unwrap().p, 1.0);
        assert!(share((10, 10_000), (100, 10_000)).unwrap().p < 1e-9);
        assert!(share((1, 100), (2, 100)).unwrap().p > 0.3);
    }
}
