//! How many steps are in flight, and that it is never more than may be.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Notify;

/// The steps in flight: sent and unanswered, or waiting for another step.
#[derive(Debug)]
pub(super) struct Flight {
    limit: u64,
    now: Arc<AtomicU64>,
    landed: Notify,
}

/// One step's place, until it is dropped.
#[derive(Debug)]
pub(super) struct Place(Arc<Flight>);

impl Flight {
    /// At most so many, counted where others may look on.
    pub(super) fn new(limit: u64, now: Arc<AtomicU64>) -> Arc<Flight> {
        Arc::new(Flight { limit, now, landed: Notify::new() })
    }

    /// A place, if there is one. Only the clock takes places, so nobody can take one between look and step.
    pub(super) fn enter(self: &Arc<Flight>) -> Option<Place> {
        if self.now() >= self.limit {
            return None;
        }
        self.now.fetch_add(1, Ordering::AcqRel);
        Some(Place(Arc::clone(self)))
    }

    pub(super) fn now(&self) -> u64 {
        self.now.load(Ordering::Acquire)
    }

    /// Waits until nothing is in flight. Nothing may enter any more.
    pub(super) async fn empty(&self) {
        loop {
            let landed = self.landed.notified();
            tokio::pin!(landed);
            landed.as_mut().enable();
            if self.now() == 0 {
                return;
            }
            landed.await;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.0.now.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.landed.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn places_are_bounded_given_back_and_waited_for() {
        let flight = Flight::new(2, Arc::default());
        let (first, second) = (flight.enter(), flight.enter());
        assert!(first.is_some() && second.is_some() && flight.enter().is_none());
        drop(first);
        let third = flight.enter();
        assert!(third.is_some());
        let waiting = tokio::spawn({
            let flight = Arc::clone(&flight);
            async move { flight.empty().await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop((second, third));
        waiting.await.unwrap();
    }
}
