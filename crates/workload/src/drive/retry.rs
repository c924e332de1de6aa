//! When a request is sent once more.

use std::time::Duration;

use crate::record::{Asked, Got, Why};

/// How long an order is asked for again: longer than a store takes to be killed, started and ready.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// How often an ordinary request is sent again to a store that has no time.
const MOST_REPEATS: u32 = 3;

/// The pauses of a request that got lost: doubled each time, from the first to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// What there is to know about a request that has ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ended<'a> {
    pub(super) asked: &'a Asked,
    pub(super) got: &'a Got,
    /// What the store said about coming back.
    pub(super) retry_after: Option<Duration>,
    /// How many times it was sent before.
    pub(super) attempt: u32,
    /// Since it was sent for the first time.
    pub(super) since_first: Duration,
    /// How long one answer may take.
    pub(super) timeout: Duration,
}

/// How long to wait before the request is sent again; nothing if it is not.
///
/// A store without time is believed: it is asked again when it says, a few times. A lost answer is asked for again where
/// repeating is harmless and knowing is worth it: an order by its key, a step of an order that can be taken once.
pub(super) fn pause(ended: &Ended<'_>) -> Option<Duration> {
    let persistent = matches!(ended.asked, Asked::Place { .. } | Asked::Pay(_) | Asked::Cancel(_));
    let pause = match ended.got {
        _ if is_busy(ended.got) => {
            if !persistent && ended.attempt >= MOST_REPEATS {
                return None;
            }
            told_pause(ended.retry_after, ended.attempt)
        }
        Got::Unknown(_) if persistent => lost_pause(ended.attempt),
        _ => return None,
    };
    let limit = if persistent { PATIENCE } else { ended.timeout };
    (ended.since_first + pause <= limit).then_some(pause)
}

/// The pause after an answer that was lost for the nth time, counted from 0.
pub(super) fn lost_pause(attempt: u32) -> Duration {
    FIRST_PAUSE.saturating_mul(1 << attempt.min(8)).min(LONGEST_PAUSE)
}

/// The pause that the store asked for, or one of our own. Never a shorter one than the first: a store that says
/// "after 0 s" would be asked as fast as it can answer.
pub(super) fn told_pause(retry_after: Option<Duration>, attempt: u32) -> Duration {
    retry_after.map_or_else(|| lost_pause(attempt), |told| told.max(FIRST_PAUSE))
}

/// Whether the store said that it has no time, for anybody or for this cart.
pub(super) fn is_busy(got: &Got) -> bool {
    match got {
        Got::Unknown(why) => *why == Why::Busy,
        Got::Refused { status, code, .. } => *status == 429 || is_passing(code),
        _ => false,
    }
}

/// Whether it was refused only because a checkout holds the cart, or gave it up: the store sends `Retry-After` with
/// these, and a repeat will be told what there is to say.
fn is_passing(code: &str) -> bool {
    code == "cart_busy" || code == "checkout_called_off"
}

/// Whether it was refused for a reason of the shop's, such as sold out: an answer, and no error.
pub(super) fn is_business(status: u16, code: &str) -> bool {
    (status == 409 && !is_passing(code)) || code == "cart_full" || code == "invalid_quantity"
}

#[cfg(test)]
mod tests {
    use mworld_shop::OrderId;
    use uuid::Uuid;

    use super::*;

    fn ended<'a>(asked: &'a Asked, got: &'a Got, attempt: u32, since_first_s: u64) -> Ended<'a> {
        let retry_after = is_busy(got).then(|| Duration::from_secs(1));
        let since_first = Duration::from_secs(since_first_s);
        Ended { asked, got, retry_after, attempt, since_first, timeout: Duration::from_secs(10) }
    }

    fn place() -> Asked {
        Asked::Place { key: "k".to_owned(), zone: crate::stage::ZoneNo(0), expect_total: None }
    }

    #[test]
    fn a_lost_order_is_asked_for_again_until_patience_ends() {
        let (asked, lost) = (place(), Got::Unknown(Why::Cut));
        assert_eq!(pause(&ended(&asked, &lost, 0, 0)), Some(Duration::from_millis(100)));
        assert_eq!(pause(&ended(&asked, &lost, 3, 1)), Some(Duration::from_millis(800)));
        assert_eq!(pause(&ended(&asked, &lost, 30, 20)), Some(Duration::from_secs(2)));
        assert_eq!(pause(&ended(&asked, &lost, 30, 29)), None);
    }

    #[test]
    fn a_lost_cart_write_or_read_is_left_alone() {
        for asked in [Asked::Cart, Asked::Remove(crate::stage::ProductNo(0)), Asked::Open] {
            assert_eq!(pause(&ended(&asked, &Got::Unknown(Why::TimedOut), 0, 0)), None);
        }
    }

    #[test]
    fn a_busy_store_is_asked_again_when_it_says() {
        let second = Some(Duration::from_secs(1));
        let too_many = Got::Refused { status: 429, code: "too_many_requests".to_owned(), left: Vec::new() };
        let cart_busy = Got::Refused { status: 409, code: "cart_busy".to_owned(), left: Vec::new() };
        for busy in [Got::Unknown(Why::Busy), too_many, cart_busy] {
            assert!(is_busy(&busy), "{busy:?}");
            assert_eq!(pause(&ended(&Asked::Cart, &busy, 0, 0)), second);
            assert_eq!(pause(&ended(&Asked::Cart, &busy, 3, 3)), None, "three times is enough");
            assert_eq!(pause(&ended(&Asked::Cart, &busy, 1, 10)), None, "the time is over");
            assert_eq!(pause(&ended(&place(), &busy, 9, 12)), second, "an order is worth more");
        }
    }

    #[test]
    fn a_cart_that_is_being_checked_out_is_no_business_refusal() {
        assert!(!is_business(409, "cart_busy"));
        assert!(!is_business(409, "checkout_called_off"));
        assert!(is_business(409, "insufficient_stock"));
        assert!(is_business(422, "cart_full"));
    }

    #[test]
    fn a_store_that_wants_to_be_asked_at_once_is_not_asked_in_a_hot_loop() {
        let busy = Got::Unknown(Why::Busy);
        let at_once = Ended { retry_after: Some(Duration::ZERO), ..ended(&Asked::Cart, &busy, 0, 0) };
        assert_eq!(pause(&at_once), Some(FIRST_PAUSE));
        assert_eq!(told_pause(Some(Duration::ZERO), 5), FIRST_PAUSE);
        assert_eq!(told_pause(Some(Duration::from_secs(7)), 0), Duration::from_secs(7));
        assert_eq!(told_pause(None, 2), lost_pause(2));
    }

    #[test]
    fn an_answer_is_final() {
        let refused = Got::Refused { status: 409, code: "cart_empty".to_owned(), left: Vec::new() };
        assert_eq!(pause(&ended(&place(), &refused, 0, 0)), None);
        let pay = Asked::Pay(OrderId::from_uuid(Uuid::nil()));
        assert_eq!(pause(&ended(&pay, &Got::Done, 0, 0)), None);
    }
}
