//! How often a password may be guessed.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::problem::{Code, Problem};

/// Slots of the table: 128 KiB. Two e-mails share one by chance; since one process can hash only some 60
/// passwords a second, strangers cannot fill the table, and since the hash is keyed, they cannot aim.
const SLOTS: usize = 1 << 14;
const WINDOW_SECONDS: u64 = 60;

/// Counts failed logins by e-mail, whether or not it has an account, so that a refusal does not tell. A slot
/// holds the second in which its minute began (upper half) and the failures since (lower half).
pub(crate) struct LoginThrottle {
    started: Instant,
    hasher: RandomState,
    limit: u32,
    slots: Box<[AtomicU64]>,
}

impl LoginThrottle {
    /// Zero = no limit.
    pub(crate) fn new(failures_per_minute: u32) -> LoginThrottle {
        LoginThrottle {
            started: Instant::now(),
            hasher: RandomState::new(),
            limit: failures_per_minute,
            slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Whether another attempt for this e-mail may be made now.
    pub(crate) fn check(&self, email: &str) -> Result<(), Problem> {
        self.check_at(email, self.started.elapsed().as_secs()).map_err(|wait| {
            let detail = format!(
                "{} logins with this e-mail failed within a minute; wait as Retry-After says and try again",
                self.limit
            );
            Problem::new(Code::TooManyRequests, detail).retry_after(wait)
        })
    }

    /// Remembers a failed attempt.
    pub(crate) fn failed(&self, email: &str) {
        self.failed_at(email, self.started.elapsed().as_secs());
    }

    fn check_at(&self, email: &str, now: u64) -> Result<(), Duration> {
        let (began, failures) = unpack(self.slot(email).load(Ordering::Relaxed));
        let ends = began + WINDOW_SECONDS;
        if self.limit == 0 || now >= ends || failures < self.limit {
            return Ok(());
        }
        Err(Duration::from_secs(ends - now))
    }

    fn failed_at(&self, email: &str, now: u64) {
        let slot = self.slot(email);
        // The closure never declines, so neither does the update.
        let _ = slot.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |packed| {
            let (began, failures) = unpack(packed);
            let fresh = failures == 0 || now >= began + WINDOW_SECONDS;
            Some(if fresh { pack(now, 1) } else { pack(began, failures.saturating_add(1)) })
        });
    }

    fn slot(&self, email: &str) -> &AtomicU64 {
        let index = usize::try_from(self.hasher.hash_one(email) % SLOTS as u64).unwrap_or(0);
        &self.slots[index]
    }
}

const fn pack(began: u64, failures: u32) -> u64 {
    (began << 32) | failures as u64
}

const fn unpack(packed: u64) -> (u64, u32) {
    (packed >> 32, (packed & 0xffff_ffff) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tenth_failure_closes_the_door_for_the_rest_of_the_minute() {
        let throttle = LoginThrottle::new(10);
        for _ in 0..10 {
            assert!(throttle.check_at("a@b.ru", 100).is_ok());
            throttle.failed_at("a@b.ru", 100);
        }
        assert_eq!(throttle.check_at("a@b.ru", 130), Err(Duration::from_secs(30)));
        assert!(throttle.check_at("a@b.ru", 160).is_ok());
    }

    #[test]
    fn an_old_minute_does_not_count() {
        let throttle = LoginThrottle::new(2);
        throttle.failed_at("a@b.ru", 100);
        throttle.failed_at("a@b.ru", 170);
        assert!(throttle.check_at("a@b.ru", 170).is_ok());
        throttle.failed_at("a@b.ru", 171);
        assert!(throttle.check_at("a@b.ru", 172).is_err());
    }

    #[test]
    fn zero_is_no_limit() {
        let throttle = LoginThrottle::new(0);
        throttle.failed_at("a@b.ru", 100);
        assert!(throttle.check_at("a@b.ru", 100).is_ok());
    }
}
