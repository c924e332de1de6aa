//! From what happened to each operation to the figures of a report. Nothing here waits or reads a clock.

mod gap;
mod latency;
mod tally;
mod timeline;

use std::collections::BTreeMap;

use self::gap::Gaps;
pub(crate) use self::latency::Latencies;
pub(crate) use self::tally::{Outcome, Sample, Tally};
use crate::report::{Figures, NotSent, Second};

/// The measured part of a report.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measured {
    pub(crate) completed: u64,
    pub(crate) failed: u64,
    pub(crate) not_sent: NotSent,
    pub(crate) operations: BTreeMap<String, Figures>,
    pub(crate) timeline: Vec<Second>,
    pub(crate) lateness_p99_ms: f64,
}

impl Tally {
    /// The figures of a schedule of so many operations.
    pub(crate) fn measure(&self, scheduled: u64) -> Measured {
        let count = |wanted: &dyn Fn(Outcome) -> bool| {
            self.samples.iter().filter(|sample| wanted(sample.outcome)).count() as u64
        };
        let failed = count(&|outcome| outcome.is_failure());
        let not_sent = NotSent { ended_early: scheduled.saturating_sub(self.came_due()), ..self.not_sent };
        Measured {
            completed: count(&|outcome| !outcome.is_failure()),
            failed,
            not_sent,
            operations: self.by_operation(),
            timeline: timeline::timeline(self),
            lateness_p99_ms: self.lateness.quantile_ms(0.99),
        }
    }

    fn by_operation(&self) -> BTreeMap<String, Figures> {
        let mut parts: BTreeMap<&'static str, (Figures, Latencies, Gaps)> = BTreeMap::new();
        for sample in &self.samples {
            let (figures, latencies, gaps) = parts.entry(sample.operation.name()).or_default();
            figures.count += 1;
            match sample.outcome {
                Outcome::Failed | Outcome::Lost => figures.errors += 1,
                Outcome::Refused => figures.refused += 1,
                Outcome::Done => gaps.done(sample.due_us + u64::from(sample.latency_us)),
            }
            if sample.outcome.has_latency() {
                latencies.add(u64::from(sample.latency_us));
            }
        }
        for (operation, busy) in &self.busy {
            parts.entry(operation.name()).or_default().0.busy = *busy;
        }
        let finish = |(name, (figures, latencies, gaps)): (&str, (Figures, Latencies, Gaps))| {
            let figures = Figures {
                p50_ms: latencies.quantile_ms(0.5),
                p90_ms: latencies.quantile_ms(0.9),
                p99_ms: latencies.quantile_ms(0.99),
                max_ms: latencies.quantile_ms(1.0),
                longest_gap_ms: gaps.longest_ms(),
                histogram: latencies.recorded(),
                ..figures
            };
            (name.to_owned(), figures)
        };
        parts.into_iter().map(finish).collect()
    }
}

#[cfg(test)]
mod tests;
