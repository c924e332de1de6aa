//! Second by second.

use std::collections::BTreeMap;

use super::{Sample, Tally};
use crate::report::{Second, SecondOf};

const SECOND_US: u64 = 1_000_000;

/// What was due in one second.
#[derive(Default)]
struct Part {
    answered: u64,
    /// Of what was answered or lost.
    latencies_us: Vec<u32>,
    errors: u64,
}

/// The seconds from the beginning to the last answer. Latencies belong to the second in which the operation was due, so
/// that a stall shows where it began; answers are counted in the second in which they came.
pub(super) fn timeline(tally: &Tally) -> Vec<Second> {
    let over = |sample: &Sample| (sample.due_us + u64::from(sample.latency_us)) / SECOND_US;
    let last = tally.samples.iter().map(|sample| over(sample) as usize + 1).max().unwrap_or(0);
    let length = last.max(tally.seconds.len());
    let mut seconds: Vec<Second> =
        (0..length).map(|at| Second { at: at as u64, ..Second::default() }).collect();
    for (second, (due, in_flight)) in seconds.iter_mut().zip(&tally.seconds) {
        (second.due, second.in_flight) = (*due, *in_flight);
    }
    let mut parts: BTreeMap<(usize, &'static str), Part> = BTreeMap::new();
    for sample in &tally.samples {
        let second = &mut seconds[over(sample) as usize];
        let part = parts.entry(((sample.due_us / SECOND_US) as usize, sample.operation.name())).or_default();
        if sample.outcome.is_failure() {
            second.failed += 1;
            part.errors += 1;
        } else {
            second.completed += 1;
            part.answered += 1;
        }
        if sample.outcome.has_latency() {
            part.latencies_us.push(sample.latency_us);
        }
    }
    let mut wholes: BTreeMap<usize, Part> = BTreeMap::new();
    for ((at, operation), part) in parts {
        let whole = wholes.entry(at).or_default();
        whole.answered += part.answered;
        whole.errors += part.errors;
        whole.latencies_us.extend(&part.latencies_us);
        seconds[at].operations.insert(operation.to_owned(), part.finish());
    }
    for (at, whole) in wholes {
        seconds[at].all = whole.finish();
    }
    seconds
}

impl Part {
    fn finish(mut self) -> SecondOf {
        self.latencies_us.sort_unstable();
        let quantile = |share: f64| {
            // The smallest latency that at least this share does not exceed.
            let rank = (share * self.latencies_us.len() as f64).ceil() as usize;
            let found = self.latencies_us.get(rank.saturating_sub(1));
            found.map_or(0.0, |latency_us| f64::from(*latency_us) / 1_000.0)
        };
        SecondOf {
            count: self.answered,
            errors: self.errors,
            p50_ms: quantile(0.5),
            p90_ms: quantile(0.9),
            p99_ms: quantile(0.99),
            max_ms: quantile(1.0),
        }
    }
}
