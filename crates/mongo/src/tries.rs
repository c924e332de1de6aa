//! How often and for how long something transient is tried again: with growing, jittered pauses, and an end.

use std::time::{Duration, Instant};

use rand::RngExt;

/// The tries of one operation.
#[derive(Debug)]
pub(crate) struct Tries {
    until: Instant,
    made: u32,
}

/// How long an operation is tried again: longer than an election, shorter than the shop waits for it.
pub(crate) const TRANSACTION: Duration = Duration::from_secs(15);

/// The first pause, on average. Two transactions that met part again within a few milliseconds.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
/// The longest pause: an election takes seconds, and the buyer should not wait much longer than it.
const LONGEST_PAUSE: Duration = Duration::from_millis(250);

impl Tries {
    /// Tries for so long.
    pub(crate) fn within(patience: Duration) -> Tries {
        Tries { until: Instant::now() + patience, made: 0 }
    }

    /// Pauses before the next try; `false` if the time is over. The pause is drawn anew each time, so that those who
    /// met do not meet again.
    pub(crate) async fn again(&mut self) -> bool {
        let longest = FIRST_PAUSE.saturating_mul(1 << self.made.min(10)).min(LONGEST_PAUSE) * 2;
        self.made += 1;
        let pause = longest.mul_f64(rand::rng().random::<f64>());
        if Instant::now() + pause >= self.until {
            return false;
        }
        tokio::time::sleep(pause).await;
        true
    }
}
