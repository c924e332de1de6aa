//! What happened to each operation, in the smallest form that all figures can be made from.

use std::collections::BTreeMap;
use std::time::Duration;

use mworld_shop::Operation;

use super::Latencies;
use crate::report::NotSent;

/// One operation that was sent: 24 bytes, so that an hour at thousands a second fits into memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sample {
    /// When it was due, from the beginning of the schedule.
    pub(crate) due_us: u64,
    /// From then to the answer, or to the moment it was given up.
    pub(crate) latency_us: u32,
    pub(crate) operation: Operation,
    pub(crate) outcome: Outcome,
}

/// What came of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// For a reason of the shop's, such as sold out.
    Refused,
    /// No connection, or an answer that should not be. How soon that was says nothing about how fast the store is.
    Failed,
    /// It failed after somebody had waited for it: no answer in time, or a connection that broke under it.
    Lost,
}

impl Outcome {
    /// Whether there was no proper answer.
    pub(crate) const fn is_failure(self) -> bool {
        matches!(self, Outcome::Failed | Outcome::Lost)
    }

    /// Whether the time it took is a latency. Percentiles of answers alone would look the better the more time out.
    pub(crate) const fn has_latency(self) -> bool {
        !matches!(self, Outcome::Failed)
    }
}

/// Everything that is counted during a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    pub(super) samples: Vec<Sample>,
    pub(super) busy: BTreeMap<Operation, u64>,
    pub(super) not_sent: NotSent,
    pub(super) lateness: Latencies,
    /// By second: how many were due, and the most calls in flight.
    pub(super) seconds: Vec<(u64, u64)>,
}

impl Tally {
    /// An operation has come due while so many calls are in flight.
    pub(crate) fn due(&mut self, at: Duration, in_flight: u64) {
        let second = at.as_secs() as usize;
        if self.seconds.len() <= second {
            self.seconds.resize(second + 1, (0, 0));
        }
        let (due, most) = &mut self.seconds[second];
        *due += 1;
        *most = in_flight.max(*most);
    }

    /// An operation is over.
    pub(crate) fn add(&mut self, operation: Operation, at: Duration, latency: Duration, outcome: Outcome) {
        let due_us = u64::try_from(at.as_micros()).unwrap_or(u64::MAX);
        let latency_us = u32::try_from(latency.as_micros()).unwrap_or(u32::MAX);
        self.samples.push(Sample { due_us, latency_us, operation, outcome });
    }

    /// The store had no time for a call.
    pub(crate) fn busy(&mut self, operation: Operation) {
        *self.busy.entry(operation).or_default() += 1;
    }

    /// The driver sent a call so late, though it had nothing to wait for.
    pub(crate) fn late(&mut self, by: Duration) {
        self.lateness.add(u64::try_from(by.as_micros()).unwrap_or(u64::MAX));
    }

    /// An operation was not sent, because too many calls were in flight.
    pub(crate) fn no_room(&mut self) {
        self.not_sent.no_room += 1;
    }

    /// An operation was not sent, because what it builds on did not come about.
    pub(crate) fn nothing_to_do(&mut self) {
        self.not_sent.nothing_to_do += 1;
    }

    /// How many operations came due.
    pub(super) fn came_due(&self) -> u64 {
        self.seconds.iter().map(|(due, _)| due).sum()
    }
}
