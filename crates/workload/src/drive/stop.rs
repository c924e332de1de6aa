//! How a run is ended before its time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;

use parking_lot::Mutex;

/// A wish that somebody may utter: no new operations. What is in flight is waited for, and there is a report.
#[derive(Debug, Default)]
pub struct Stop {
    wanted: AtomicBool,
    clock: Mutex<Option<Thread>>,
}

impl Stop {
    /// Ends the schedule.
    pub fn now(&self) {
        self.wanted.store(true, Ordering::Release);
        if let Some(clock) = &*self.clock.lock() {
            clock.unpark();
        }
    }

    /// Whether somebody wants that.
    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Acquire)
    }

    /// The thread that sleeps until the next operation wants to be woken.
    pub(super) fn wake(&self, clock: Thread) {
        *self.clock.lock() = Some(clock);
    }
}
