//! What is compared: a metric of an operation, or of all of them.

use serde::Serialize;

use crate::report::{Figures, Report, Second, SecondOf};

/// A number that two runs can differ in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Median latency, in milliseconds.
    P50,
    /// 90 of 100 were faster, in milliseconds.
    P90,
    /// 99 of 100 were faster, in milliseconds.
    P99,
    /// Failures among what was sent, as a share from 0 to 1.
    Errors,
    /// Answers a second.
    Throughput,
}

impl Metric {
    pub(super) const ALL: [Metric; 5] =
        [Metric::P50, Metric::P90, Metric::P99, Metric::Errors, Metric::Throughput];

    /// The name that a person reads.
    pub const fn name(self) -> &'static str {
        match self {
            Metric::P50 => "p50",
            Metric::P90 => "p90",
            Metric::P99 => "p99",
            Metric::Errors => "errors",
            Metric::Throughput => "throughput",
        }
    }

    /// The share of calls that a percentile divides off; none for what is no percentile.
    pub(super) const fn share(self) -> Option<f64> {
        match self {
            Metric::P50 => Some(0.5),
            Metric::P90 => Some(0.9),
            Metric::P99 => Some(0.99),
            Metric::Errors | Metric::Throughput => None,
        }
    }
}

/// A metric of an operation; of all of them if none is named.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) operation: Option<&'a str>,
    pub(super) metric: Metric,
}

impl Subject<'_> {
    /// Its part of a second.
    pub(super) fn part_of<'a>(&self, second: &'a Second) -> Option<&'a SecondOf> {
        self.operation.map_or(Some(&second.all), |operation| second.operations.get(operation))
    }

    /// Its value in the whole run.
    pub(super) fn whole(&self, figures: &Figures, report: &Report) -> f64 {
        let seconds = report.duration_s.max(f64::MIN_POSITIVE);
        match self.metric {
            Metric::P50 => figures.p50_ms,
            Metric::P90 => figures.p90_ms,
            Metric::P99 => figures.p99_ms,
            Metric::Errors => figures.errors as f64 / (figures.count as f64).max(1.0),
            Metric::Throughput => figures.count.saturating_sub(figures.errors) as f64 / seconds,
        }
    }
}
