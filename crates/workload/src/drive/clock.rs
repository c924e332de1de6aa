//! The clock: releases every operation at its moment, whatever became of those before.
//!
//! It is a thread of its own, because a runtime's timers tick once a millisecond and wait behind other tasks. A released
//! step is polled here for the first time, which sends its request; only the waiting for the answer is left to the
//! runtime (see [`super::handover`]). The plan is made ahead on a second thread, so that making a block of it delays nobody.

use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::stop::Stop;
use crate::plan::Planned;

/// Operations are handed to the clock by the batch, since each hand-over may wake a thread up.
const BATCH: usize = 1_000;

/// How many batches are planned ahead: a few blocks of a plan.
const AHEAD: usize = 20;

/// An operation in the order of its release.
#[derive(Debug)]
pub(super) struct Arrival {
    /// When it is due, from the beginning of the run.
    pub(super) due: Duration,
    /// On which of the stores.
    pub(super) site: usize,
    pub(super) step: Planned,
}

/// Lets a thread make the arrivals ahead of time, in batches.
pub(super) fn plan_ahead(
    mut arrivals: impl Iterator<Item = Arrival> + Send + 'static,
) -> Receiver<Vec<Arrival>> {
    let (sender, receiver) = sync_channel(AHEAD);
    let work = move || {
        loop {
            let batch: Vec<Arrival> = arrivals.by_ref().take(BATCH).collect();
            // Nobody takes them any more when a run is ended early.
            if batch.is_empty() || sender.send(batch).is_err() {
                return;
            }
        }
    };
    spawn("plan", work);
    receiver
}

/// Releases the arrivals one by one, each at `start` + due, until they or the patience of whoever holds `stop` end.
pub(super) fn run(
    start: Instant,
    arrivals: &Receiver<Vec<Arrival>>,
    stop: &Stop,
    mut release: impl FnMut(Arrival, Instant),
) {
    stop.wake(thread::current());
    for arrival in arrivals.iter().flatten() {
        let due = start + arrival.due;
        while !stop.is_wanted() {
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            thread::park_timeout(left);
        }
        if stop.is_wanted() {
            return;
        }
        release(arrival, due);
    }
}

/// Starts a thread.
pub(super) fn spawn<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> thread::JoinHandle<T> {
    let thread = thread::Builder::new().name(name.to_owned());
    thread.spawn(work).expect("the system lets a process start a few threads")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::plan::{Act, Buyer};
    use crate::stage::ZoneNo;

    fn arrivals(count: u64, gap: Duration) -> impl Iterator<Item = Arrival> + Send + 'static {
        (0..count).map(move |n| {
            let due = gap * u32::try_from(n).unwrap();
            let step =
                Planned { n, at: due, journey: n, buyer: Buyer::Guest, zone: ZoneNo(0), act: Act::Cart };
            Arrival { due, site: 0, step }
        })
    }

    #[test]
    fn each_is_released_in_order_and_not_before_its_moment() {
        let start = Instant::now();
        let mut released = Vec::new();
        let planned = plan_ahead(arrivals(BATCH as u64 + 100, Duration::from_micros(20)));
        run(start, &planned, &Stop::default(), |arrival, due| {
            assert!(Instant::now() >= due);
            released.push(arrival.step.n);
        });
        assert_eq!(released, (0..BATCH as u64 + 100).collect::<Vec<_>>());
    }

    #[test]
    fn a_long_sleep_ends_at_once_when_the_run_is_to_end() {
        let stop = Arc::new(Stop::default());
        let clock = spawn("clock", {
            let stop = Arc::clone(&stop);
            move || {
                let mut released = 0;
                let planned = plan_ahead(arrivals(3, Duration::from_secs(3_600)));
                run(Instant::now(), &planned, &stop, |_, _| released += 1);
                released
            }
        });
        thread::sleep(Duration::from_millis(20));
        stop.now();
        assert!(clock.join().unwrap() <= 1, "the second is due in an hour");
    }
}
