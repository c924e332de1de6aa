//! A time limit whose timer is set when it is needed.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

/// When the timer is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Timer {
    AtOnce,
    /// Not by whoever polls first. Setting a timer from outside wakes the runtime, and most answers come before it is
    /// looked at.
    AtSecondPoll,
}

/// What the future comes to; nothing if it takes longer.
pub(super) async fn within<F: Future>(limit: Duration, timer: Timer, future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    let deadline = tokio::time::Instant::now() + limit;
    let mut sleep = None;
    let mut set = timer == Timer::AtOnce;
    poll_fn(|context| {
        if let Poll::Ready(output) = future.as_mut().poll(context) {
            return Poll::Ready(Some(output));
        }
        if !std::mem::replace(&mut set, true) {
            return Poll::Pending;
        }
        let sleep = sleep.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        sleep.as_mut().poll(context).map(|()| None)
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_takes_too_long_is_given_up() {
        let never = std::future::pending::<()>();
        assert_eq!(within(Duration::from_millis(5), Timer::AtOnce, never).await, None);
        assert_eq!(within(Duration::from_secs(60), Timer::AtOnce, async { 7 }).await, Some(7));
    }

    #[tokio::test]
    async fn a_timer_that_is_set_later_is_set() {
        let never = std::future::pending::<()>();
        let mut waiting = Box::pin(within(Duration::from_millis(5), Timer::AtSecondPoll, never));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(waiting.as_mut().poll(&mut context).is_pending());
        assert_eq!(waiting.await, None);
    }
}
