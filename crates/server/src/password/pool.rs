//! A few threads for hashing, with a short queue before them.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use super::hash;
use crate::problem::{Code, Problem};

/// Hashes that may wait. At some 30 hashes a second and thread the last of them waits about two seconds; more
/// would only wait longer than a person does.
const QUEUE: usize = 128;

type Job = Box<dyn FnOnce() + Send>;

/// Threads that hash passwords. They end when the pool is dropped.
pub(crate) struct PasswordPool {
    jobs: SyncSender<Job>,
}

impl PasswordPool {
    /// Starts so many threads, at least one.
    pub(crate) fn start(threads: usize) -> PasswordPool {
        let (jobs, queue) = sync_channel(QUEUE);
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..threads.max(1) {
            let queue = Arc::clone(&queue);
            let thread = thread::Builder::new().name("password".to_owned());
            thread.spawn(move || work(&queue)).expect("the system lets a process start a thread");
        }
        PasswordPool { jobs }
    }

    /// Runs this on one of the threads; refused at once if too much waits already.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let answered = self.submit(work)?.await;
        answered.unwrap_or_else(|_| Err(Problem::internal("a password job panicked")))
    }

    fn submit<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<oneshot::Receiver<T>, Problem> {
        let (answer, answered) = oneshot::channel();
        // Nobody may be waiting any more; then the answer is for nobody.
        let job: Job = Box::new(move || drop(answer.send(work())));
        self.jobs.try_send(job).map_err(|_| {
            let detail = format!("{QUEUE} logins wait already; try again in a moment");
            Problem::new(Code::Overloaded, detail).retry_after(Duration::from_secs(1))
        })?;
        Ok(answered)
    }
}

fn work(queue: &Mutex<Receiver<Job>>) {
    hash::prepare();
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // A job that panics drops its answer, which its caller notices; the thread lives on.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_job_that_panics_is_an_error_and_the_next_one_runs() {
        let pool = PasswordPool::start(1);
        let failed = pool.run::<()>(|| panic!("on purpose")).await.unwrap_err();
        assert_eq!(failed.code(), Code::Internal);
        assert_eq!(pool.run(|| Ok(7)).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn a_full_queue_refuses_at_once() {
        let pool = PasswordPool::start(1);
        let (release, held) = sync_channel::<()>(0);
        let (started, running) = oneshot::channel();
        let blocker = pool.submit(move || {
            let _ = started.send(());
            held.recv().unwrap();
        });
        running.await.unwrap();
        let waiting: Vec<_> = (0..QUEUE).map(|n| pool.submit(move || n).unwrap()).collect();
        assert_eq!(pool.run(|| Ok(())).await.unwrap_err().code(), Code::Overloaded);
        release.send(()).unwrap();
        blocker.unwrap().await.unwrap();
        for (n, answer) in waiting.into_iter().enumerate() {
            assert_eq!(answer.await.unwrap(), n);
        }
    }
}
