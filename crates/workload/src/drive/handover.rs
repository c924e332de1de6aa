//! Futures that the clock has begun, on their way to the runtime.
//!
//! Waking the runtime for each of them would cost as much as the request itself: a system call here, a thread that wakes
//! up there only to find that there is no answer yet. So a future is begun with the collector's waker. The runtime
//! wakes up anyway when the answer comes; then the collector takes whatever has been begun.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;

/// A future that nobody wakes is taken after so long, if only to have its timer set.
const LATEST: Duration = Duration::from_millis(50);

type Begun = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The place between the clock and the runtime.
#[derive(Default)]
pub(super) struct Handover {
    begun: Mutex<Vec<Begun>>,
    wakes: AtomicU64,
    wanted: Notify,
}

impl Handover {
    /// Polls the future once, here and now, and leaves the rest of it to the runtime.
    pub(super) fn begin(self: &Arc<Handover>, mut future: Begun) {
        let waker = Waker::from(Arc::clone(self));
        let wakes = self.wakes.load(Ordering::Acquire);
        if future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
            return;
        }
        self.begun.lock().push(future);
        // It may have been woken before it lay there, and the collector have found nothing.
        if self.wakes.load(Ordering::Acquire) != wakes {
            self.wanted.notify_one();
        }
    }

    /// Takes what was begun and lets the runtime finish it. Runs until it is dropped.
    pub(super) async fn collect(self: Arc<Handover>) {
        loop {
            // Whether it was woken or got tired of waiting is all the same.
            let _ = tokio::time::timeout(LATEST, self.wanted.notified()).await;
            for future in std::mem::take(&mut *self.begun.lock()) {
                tokio::spawn(future);
            }
        }
    }
}

impl Wake for Handover {
    fn wake(self: Arc<Handover>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Handover>) {
        self.wakes.fetch_add(1, Ordering::AcqRel);
        self.wanted.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many futures, each woken at a moment of its own while others are being begun: none may be forgotten.
    #[tokio::test]
    async fn every_future_is_finished_whenever_it_is_woken() {
        let handover = Arc::new(Handover::default());
        let collecting = tokio::spawn(Arc::clone(&handover).collect());
        let (done, mut finished) = tokio::sync::mpsc::unbounded_channel();
        let clock = std::thread::spawn(move || {
            for n in 0..2_000 {
                let (answer, answered) = tokio::sync::oneshot::channel();
                let done = done.clone();
                let sender = std::thread::spawn(move || answer.send(n));
                handover.begin(Box::pin(async move {
                    let _ = done.send(answered.await);
                }));
                let _ = sender.join().unwrap();
            }
        });
        let mut sum = 0;
        while let Some(answer) = finished.recv().await {
            sum += answer.unwrap();
        }
        assert_eq!(sum, 2_000 * 1_999 / 2);
        clock.join().unwrap();
        collecting.abort();
    }
}
