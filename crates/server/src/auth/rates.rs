//! How many requests a second one token may send.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::problem::{Code, Problem};

/// Slots of the table: 512 KiB. Tokens share a slot by chance (one pair in 65,536), which matters only if both
/// send near the limit. In exchange the table never grows, whatever tokens strangers invent.
const SLOTS: usize = 1 << 16;

/// A limit per token, kept as one moment per slot: when the slot's requests would have ended if they had come
/// evenly at the limit's rate (the generic cell rate algorithm). A second's worth may come at once.
pub(crate) struct TokenRates {
    started: Instant,
    nanos_per_request: u64,
    per_second: u32,
    slots: Box<[AtomicU64]>,
}

const BURST: Duration = Duration::from_secs(1);

impl TokenRates {
    /// Zero = no limit.
    pub(crate) fn new(per_second: u32) -> TokenRates {
        let slots = if per_second == 0 { 0 } else { SLOTS };
        TokenRates {
            started: Instant::now(),
            nanos_per_request: 1_000_000_000 / u64::from(per_second.max(1)),
            per_second,
            slots: (0..slots).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Lets one request of this token through, or says when to come again. The digest decides the slot: it is
    /// uniformly random, and a stranger cannot aim at a token that he does not have.
    pub(crate) fn admit(&self, digest: &[u8; 32]) -> Result<(), Problem> {
        let now = u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.admit_at(digest, now).map_err(|wait| {
            let detail = format!(
                "this token sent more than {} requests in a second; send fewer, or wait as Retry-After says",
                self.per_second
            );
            Problem::new(Code::TooManyRequests, detail).retry_after(wait)
        })
    }

    fn admit_at(&self, digest: &[u8; 32], now: u64) -> Result<(), Duration> {
        let index = usize::from(u16::from_be_bytes([digest[0], digest[1]]));
        let Some(slot) = self.slots.get(index) else {
            return Ok(());
        };
        let burst = u64::try_from(BURST.as_nanos()).expect("a second fits");
        let passed = slot.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |busy_until| {
            let next = busy_until.max(now) + self.nanos_per_request;
            (next <= now + burst).then_some(next)
        });
        passed
            .map(drop)
            .map_err(|busy_until| Duration::from_nanos((busy_until + self.nanos_per_request) - now - burst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn a_second_holds_as_many_as_the_limit_says() {
        let rates = TokenRates::new(100);
        let passed = (0..150).filter(|_| rates.admit_at(&[7; 32], SECOND).is_ok()).count();
        assert_eq!(passed, 100);
        assert_eq!(rates.admit_at(&[7; 32], SECOND), Err(Duration::from_millis(10)));
    }

    #[test]
    fn time_gives_the_allowance_back() {
        let rates = TokenRates::new(100);
        for _ in 0..100 {
            rates.admit_at(&[7; 32], SECOND).unwrap();
        }
        let later = SECOND + SECOND / 2;
        let passed = (0..150).filter(|_| rates.admit_at(&[7; 32], later).is_ok()).count();
        assert_eq!(passed, 50);
    }

    #[test]
    fn one_token_does_not_use_up_what_another_may_send() {
        let rates = TokenRates::new(1);
        rates.admit_at(&[1; 32], SECOND).unwrap();
        assert!(rates.admit_at(&[1; 32], SECOND).is_err());
        assert!(rates.admit_at(&[2; 32], SECOND).is_ok());
    }

    #[test]
    fn zero_is_no_limit() {
        let rates = TokenRates::new(0);
        assert!((0..10_000).all(|_| rates.admit_at(&[1; 32], SECOND).is_ok()));
    }
}
