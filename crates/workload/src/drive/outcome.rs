//! How an operation is counted, by the last word about it.

use super::retry;
use crate::figures::Outcome;
use crate::record::{Got, Why};

/// What came of a step; `slow` if it took as long as an answer may take.
pub(super) fn outcome(got: &Got, slow: bool) -> Outcome {
    match got {
        Got::Unknown(Why::TimedOut | Why::Cut) => Outcome::Lost,
        Got::Refused { status, code, .. } if retry::is_business(*status, code) => Outcome::Refused,
        // Also a connection that never came about, or a store that was busy to the end, has been waited for.
        Got::Unknown(_) | Got::Refused { .. } if slow => Outcome::Lost,
        Got::Unknown(_) | Got::Refused { .. } => Outcome::Failed,
        _ => Outcome::Done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_waited_for_is_lost_and_what_failed_at_once_only_failed() {
        for (why, slow, expected) in [
            (Why::TimedOut, true, Outcome::Lost),
            (Why::Cut, false, Outcome::Lost),
            (Why::NotConnected, false, Outcome::Failed),
            (Why::NotConnected, true, Outcome::Lost),
            (Why::Failed(500), false, Outcome::Failed),
            (Why::Busy, false, Outcome::Failed),
        ] {
            assert_eq!(outcome(&Got::Unknown(why), slow), expected, "{why:?}, slow: {slow}");
        }
        let refused = |code: &str| Got::Refused { status: 409, code: code.to_owned(), left: Vec::new() };
        assert_eq!(outcome(&refused("insufficient_stock"), true), Outcome::Refused);
        assert_eq!(outcome(&refused("cart_busy"), false), Outcome::Failed, "asked again until it was enough");
    }
}
