//! Latencies in an HDR histogram: microseconds, three digits exact, up to an hour.

use hdrhistogram::Histogram;

const LONGEST_US: u64 = 3_600_000_000;
const DIGITS: u8 = 3;

/// How many had which latency.
#[derive(Debug, Clone)]
pub(crate) struct Latencies(Histogram<u64>);

impl Default for Latencies {
    fn default() -> Latencies {
        Latencies(Histogram::new_with_bounds(1, LONGEST_US, DIGITS).expect("the bounds are legal"))
    }
}

impl Latencies {
    /// One more, in microseconds.
    pub(crate) fn add(&mut self, latency_us: u64) {
        self.0.saturating_record(latency_us.max(1));
    }

    /// In milliseconds; 0 if there is none.
    pub(crate) fn quantile_ms(&self, quantile: f64) -> f64 {
        self.0.value_at_quantile(quantile) as f64 / 1_000.0
    }

    /// Each latency that was seen, in microseconds, and how many had it.
    pub(crate) fn recorded(&self) -> Vec<(u64, u64)> {
        self.0.iter_recorded().map(|step| (step.value_iterated_to(), step.count_at_value())).collect()
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.0.reset();
    }
}
