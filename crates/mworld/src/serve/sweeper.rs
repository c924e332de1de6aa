//! What time brings about: unpaid orders are cancelled, old carts and sessions go.

use std::time::Duration;

use mworld_shop::StoreParts;
use tokio::time::MissedTickBehavior;

/// How often is looked. An order's hold is counted in minutes; a second more is nothing.
const EVERY: Duration = Duration::from_secs(1);

/// How many at once, so that a sweep never holds the store up. A full batch is followed by the next.
const AT_ONCE: usize = 200;

/// Sweeps until it is dropped.
pub(crate) async fn sweep(parts: StoreParts) {
    let mut tick = tokio::time::interval(EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        while told("unpaid orders cancelled", parts.ledger.cancel_unpaid(AT_ONCE).await) == AT_ONCE {}
        while told("expired carts deleted", parts.carts.expire(AT_ONCE).await) == AT_ONCE {}
        while told("expired sessions deleted", parts.sessions.expire(AT_ONCE).await) == AT_ONCE {}
    }
}

/// How many. A failure is not the end: what was not swept now is swept later.
fn told(what: &str, swept: mworld_shop::Result<usize>) -> usize {
    match swept {
        Ok(0) => 0,
        Ok(count) => {
            tracing::debug!(count, "{what}");
            count
        }
        Err(error) => {
            tracing::warn!(%error, "the sweep of {what} failed; it is tried again");
            0
        }
    }
}
