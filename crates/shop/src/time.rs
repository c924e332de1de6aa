//! Time: UTC microseconds, and a clock that a test can own.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Microseconds since 1970 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default)]
#[serde(transparent)]
pub struct Timestamp(i64);

/// Why a text is no time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no time; write RFC 3339 in UTC, such as 2026-11-27T08:00:00Z")]
pub struct InvalidTimestamp(String);

impl Timestamp {
    /// The earliest time the shop can write down: 1970.
    pub const MIN: Timestamp = Timestamp(0);
    /// The last time that still reads as a four-digit year.
    pub const MAX: Timestamp = Timestamp(253_402_207_200_000_000);

    /// From microseconds since 1970, kept within what can be written down.
    pub fn from_micros(micros: i64) -> Timestamp {
        Timestamp(micros.clamp(Timestamp::MIN.0, Timestamp::MAX.0))
    }

    /// Microseconds since 1970.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// This much later.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Timestamp {
        let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        Timestamp::from_micros(self.0.saturating_add(micros))
    }

    /// This much earlier.
    #[must_use]
    pub fn minus(self, duration: Duration) -> Timestamp {
        let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        Timestamp::from_micros(self.0.saturating_sub(micros))
    }

    /// The next moment after both: how a record's write time stays strictly increasing although clocks differ.
    #[must_use]
    pub fn after(self, previous: Timestamp) -> Timestamp {
        Timestamp(self.0.max(previous.0 + 1))
    }
}

impl fmt::Display for Timestamp {
    /// RFC 3339 with microseconds: texts sort as the times do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = jiff::Timestamp::from_microsecond(self.0).map_err(|_| fmt::Error)?;
        write!(f, "{time:.6}")
    }
}

impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let time: jiff::Timestamp = text.parse().map_err(|_| InvalidTimestamp(text.to_owned()))?;
        let micros = time.as_microsecond();
        if (Timestamp::MIN.0..=Timestamp::MAX.0).contains(&micros) {
            Ok(Timestamp(micros))
        } else {
            Err(InvalidTimestamp(text.to_owned()))
        }
    }
}

/// Where the shop learns what time it is.
pub trait Clock: Send + Sync + fmt::Debug {
    /// The present moment; never earlier than an answer given before by the same clock.
    fn now(&self) -> Timestamp;
}

/// The machine's clock, held back from running backwards.
#[derive(Debug, Default)]
pub struct SystemClock {
    last: AtomicI64,
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let micros = jiff::Timestamp::now().as_microsecond();
        Timestamp::from_micros(self.last.fetch_max(micros, Ordering::Relaxed).max(micros))
    }
}

/// A clock that stands still until a test moves it.
#[derive(Debug, Clone)]
pub struct ManualClock {
    micros: Arc<AtomicI64>,
}

impl ManualClock {
    /// A clock that stands at this moment.
    pub fn at(start: Timestamp) -> ManualClock {
        ManualClock { micros: Arc::new(AtomicI64::new(start.micros())) }
    }

    /// Moves it forward.
    pub fn advance(&self, by: Duration) {
        let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        self.micros.fetch_add(micros, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.micros.load(Ordering::SeqCst))
    }
}
