//! How many requests are worked on, and how many may wait.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::problem::{Code, Problem};

/// Places for requests, and a bounded queue before them. A request that finds both full is refused at once,
/// before its body is read: refusing early costs almost nothing, so the store stays up under any load.
pub(crate) struct Admission {
    places: Semaphore,
    waiting: AtomicUsize,
    queue: usize,
    longest_wait: Duration,
}

impl Admission {
    pub(crate) fn new(places: usize, queue: usize, longest_wait: Duration) -> Admission {
        let places = Semaphore::new(places.clamp(1, Semaphore::MAX_PERMITS));
        Admission { places, waiting: AtomicUsize::new(0), queue, longest_wait }
    }

    /// A place, at once or after a short wait. It is given back when the answer's guard is dropped.
    pub(crate) async fn enter(&self) -> Result<SemaphorePermit<'_>, Problem> {
        if let Ok(place) = self.places.try_acquire() {
            return Ok(place);
        }
        let _waiting = Waiting::begin(self)?;
        match tokio::time::timeout(self.longest_wait, self.places.acquire()).await {
            Ok(place) => Ok(place.expect("the places are never closed")),
            Err(_) => Err(overloaded("waited too long for a place")),
        }
    }

    /// How many requests wait for a place.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

/// One request in the queue; leaves it however the wait ends, also when the client has gone.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn begin(admission: &'a Admission) -> Result<Waiting<'a>, Problem> {
        let before = admission.waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = Waiting(&admission.waiting);
        if before >= admission.queue { Err(overloaded("found the queue full")) } else { Ok(waiting) }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn overloaded(what: &str) -> Problem {
    let detail =
        format!("the store is busy and this request {what}; nothing was done, try again in a second");
    Problem::new(Code::Overloaded, detail).retry_after(Duration::from_secs(1))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn the_queue_is_bounded_and_drains() {
        let admission = Arc::new(Admission::new(1, 1, Duration::from_secs(60)));
        let place = admission.enter().await.unwrap();
        let queued = {
            let admission = Arc::clone(&admission);
            tokio::spawn(async move { admission.enter().await.is_ok() })
        };
        while admission.waiting() == 0 {
            tokio::task::yield_now().await;
        }
        let third = tokio::time::timeout(Duration::from_secs(5), admission.enter()).await;
        assert_eq!(third.expect("refused at once, not after a wait").unwrap_err().code(), Code::Overloaded);
        assert_eq!(admission.waiting(), 1);
        drop(place);
        assert!(queued.await.unwrap());
        assert_eq!(admission.waiting(), 0);
        assert!(admission.enter().await.is_ok());
    }

    #[tokio::test]
    async fn nobody_waits_for_ever() {
        let admission = Admission::new(1, 9, Duration::from_millis(20));
        let _place = admission.enter().await.unwrap();
        assert_eq!(admission.enter().await.unwrap_err().code(), Code::Overloaded);
        assert_eq!(admission.waiting(), 0);
    }
}
