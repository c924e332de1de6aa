//! What somebody who watches a run is shown.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::figures::{Latencies, Outcome};

/// A run as it goes on: written by the driver, looked at by whoever likes.
#[derive(Debug, Default)]
pub struct Live {
    inner: Mutex<Inner>,
    /// Counted by the flight itself.
    pub(super) in_flight: Arc<AtomicU64>,
}

#[derive(Debug, Default)]
struct Inner {
    phase: Phase,
    answered: u64,
    failed: u64,
    /// Since somebody looked last.
    recent: Latencies,
    recent_count: u64,
    looked: Option<Instant>,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Phase {
    /// Nothing has been done yet.
    #[default]
    Before,
    /// Products and accounts are being made.
    SettingUp {
        /// How many are.
        done: u64,
        /// Of how many.
        total: u64,
    },
    /// The schedule is running.
    Driving,
    /// The schedule is over; answers are waited for, and lost ones asked for again.
    Settling,
    /// What is left is being read for the judge.
    Reading {
        /// How many readings are made.
        done: u64,
        /// Of how many that are known of.
        total: u64,
    },
}

/// A look at a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// How far it is.
    pub phase: Phase,
    /// Operations that were answered, in all.
    pub answered: u64,
    /// Operations that failed, in all.
    pub failed: u64,
    /// Steps in flight, those that wait for another one included.
    pub in_flight: u64,
    /// Operations a second that ended since the last look.
    pub rate: f64,
    /// Their median latency in milliseconds; what timed out or was cut off counts with the time it took.
    pub p50_ms: f64,
    /// 99 of 100 of them were faster.
    pub p99_ms: f64,
}

impl Live {
    /// How it stands. Rate and latencies are those since the last look.
    pub fn look(&self) -> Look {
        let mut inner = self.inner.lock();
        let now = Instant::now();
        let since = inner.looked.map_or(Duration::ZERO, |looked| now.duration_since(looked));
        let rate = if since.is_zero() { 0.0 } else { inner.recent_count as f64 / since.as_secs_f64() };
        let look = Look {
            phase: inner.phase,
            answered: inner.answered,
            failed: inner.failed,
            in_flight: self.in_flight.load(Ordering::Relaxed),
            rate,
            p50_ms: inner.recent.quantile_ms(0.5),
            p99_ms: inner.recent.quantile_ms(0.99),
        };
        inner.recent.clear();
        inner.recent_count = 0;
        inner.looked = Some(now);
        look
    }

    /// How far it is, without a look at the rest.
    pub fn phase(&self) -> Phase {
        self.inner.lock().phase
    }

    pub(super) fn enter(&self, phase: Phase) {
        let mut inner = self.inner.lock();
        inner.phase = phase;
        if phase == Phase::Driving {
            // The first rate is that of the schedule, without the time before it.
            inner.looked = Some(Instant::now());
        }
    }

    /// One more product, account or reading is made.
    pub(super) fn one_more(&self) {
        if let Phase::SettingUp { done, .. } | Phase::Reading { done, .. } = &mut self.inner.lock().phase {
            *done += 1;
        }
    }

    /// There is more to make than was known.
    pub(super) fn expect_more(&self, more: u64) {
        if let Phase::SettingUp { total, .. } | Phase::Reading { total, .. } = &mut self.inner.lock().phase {
            *total += more;
        }
    }

    pub(super) fn add(&self, latency: Duration, outcome: Outcome) {
        let mut inner = self.inner.lock();
        inner.recent_count += 1;
        if outcome.is_failure() {
            inner.failed += 1;
        } else {
            inner.answered += 1;
        }
        if outcome.has_latency() {
            inner.recent.add(u64::try_from(latency.as_micros()).unwrap_or(u64::MAX));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_watches_sees_what_timed_out() {
        let live = Live::default();
        live.add(Duration::from_millis(10), Outcome::Done);
        live.add(Duration::from_millis(1), Outcome::Failed);
        live.add(Duration::from_secs(9), Outcome::Lost);
        let look = live.look();
        assert_eq!((look.answered, look.failed), (1, 2));
        assert!((look.p50_ms - 10.0).abs() < 0.1 && look.p99_ms > 8_990.0, "{look:?}");
    }
}
