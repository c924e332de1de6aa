//! The one writer: drains a bounded queue, does what it finds in one transaction, syncs once, then acknowledges.
//!
//! Each job runs in a savepoint, so that one refusal spoils nothing for the others of its group. Nothing is
//! acknowledged before the group is on the disk; when the commit fails, every job of the group hears so.

use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, TrySendError};
use mworld_shop::{EngineError, EngineErrorKind, Operation, Result};
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::checkpoint::Checkpoints;
use crate::db::{Db, Purpose};
use crate::error::engine;
use crate::freshness::Freshness;
use mworld_placement::touched::Counters;

/// At most so many jobs share one commit: a group stays short enough that its first job does not wait long.
const GROUP: usize = 512;

/// Called after the commit with `None`, or with why it failed.
type Acknowledge = Box<dyn FnOnce(Option<&EngineError>) + Send>;
/// Does the work inside the group's transaction; says whether to keep it, and how to answer. Without a
/// transaction (it could not begin, or is gone) nothing is done, and the answer will be the failure.
type Job = Box<dyn FnOnce(Option<Group<'_>>) -> (Keep, Acknowledge) + Send>;

/// The transaction that a group of jobs shares.
#[derive(Clone, Copy)]
struct Group<'g> {
    conn: &'g Connection,
    freshness: &'g Freshness,
    number: u64,
}

/// What becomes of what a job wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keep {
    All,
    Nothing,
}

/// The writer's queue.
pub(crate) struct Writer {
    queue: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    counters: Arc<Counters<Operation>>,
}

impl Writer {
    pub(crate) fn start(
        conn: Connection,
        queue: usize,
        counters: Arc<Counters<Operation>>,
        freshness: Arc<Freshness>,
        checkpoints: Checkpoints,
    ) -> std::io::Result<Writer> {
        let (sender, receiver) = crossbeam_channel::bounded(queue);
        let thread = std::thread::Builder::new()
            .name("mworld-writer".to_owned())
            .spawn(move || write(&conn, &receiver, &freshness, checkpoints))?;
        Ok(Writer { queue: Some(sender), thread: Some(thread), counters })
    }

    /// How many jobs wait.
    pub(crate) fn depth(&self) -> usize {
        self.queue.as_ref().map_or(0, Sender::len)
    }

    /// Runs `work` in the next group. The answer comes after its commit. A caller that stops waiting changes
    /// nothing: the work is done all the same.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        operation: Operation,
        work: impl FnOnce(&Db<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = oneshot::channel();
        let counters = Arc::clone(&self.counters);
        let job: Job = Box::new(move |group| {
            let (result, touched) = match group {
                Some(Group { conn, freshness, number }) => {
                    let db = Db::new(conn, Purpose::Writing(freshness, number));
                    (guarded(|| work(&db)), db.into_touched())
                }
                None => (Err(stopped().into()), Vec::new()),
            };
            let keep = if result.is_ok() { Keep::All } else { Keep::Nothing };
            let acknowledge: Acknowledge = Box::new(move |failure| {
                counters.record(operation, &touched);
                let told = match failure {
                    None => result,
                    Some(failure) => Err(EngineError::new(failure.kind, failure.message.clone()).into()),
                };
                // The caller may be gone; the work is done all the same.
                let _ = answer.send(told);
            });
            (keep, acknowledge)
        });
        let queue = self.queue.as_ref().expect("the queue is closed only when the writer is dropped");
        match queue.try_send(job) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => {
                let message = "too many writes are waiting; nothing was begun; try again in a second";
                return Err(EngineError::new(EngineErrorKind::Overloaded, message).into());
            }
            Err(TrySendError::Disconnected(_)) => return Err(stopped().into()),
        }
        answered.await.map_err(|_| stopped())?
    }
}

impl Drop for Writer {
    /// Everything in the queue is still done before the store closes.
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn stopped() -> EngineError {
    EngineError::new(EngineErrorKind::Unavailable, "the store's writer has stopped; restart the store")
}

/// A fault of ours in one job must not stop the shop: its savepoint is rolled back, and its caller hears of it.
fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let message = "the operation failed by a fault of the store; nothing was written";
        Err(EngineError::new(EngineErrorKind::Internal, message).into())
    })
}

fn write(conn: &Connection, queue: &Receiver<Job>, freshness: &Freshness, mut checkpoints: Checkpoints) {
    let mut jobs = Vec::with_capacity(GROUP);
    while let Ok(first) = queue.recv() {
        jobs.push(first);
        jobs.extend(queue.try_iter().take(GROUP - 1));
        let group = Group { conn, freshness, number: freshness.begin() };
        match commit_group(group, &mut jobs) {
            Some(EngineErrorKind::StorageFull) => checkpoints.make_room(conn),
            _ => checkpoints.after_commit(conn),
        }
    }
    checkpoints.finish(conn);
}

/// Runs the jobs in one transaction and acknowledges them after its commit; says how it failed, if it did.
fn commit_group(group: Group<'_>, jobs: &mut Vec<Job>) -> Option<EngineErrorKind> {
    let conn = group.conn;
    let mut acknowledgements: Vec<Acknowledge> = Vec::with_capacity(jobs.len());
    let outcome = run_group(group, jobs, &mut acknowledgements);
    let failure = outcome.err();
    if let Some(failure) = &failure {
        tracing::error!(kind = ?failure.kind, jobs = acknowledgements.len(), "commit failed: {failure}");
        if !conn.is_autocommit() {
            let _ = conn.execute_batch("ROLLBACK");
        }
    }
    group.freshness.publish(group.number);
    for acknowledge in acknowledgements {
        acknowledge(failure.as_ref());
    }
    failure.map(|failure| failure.kind)
}

fn run_group(
    group: Group<'_>,
    jobs: &mut Vec<Job>,
    acknowledgements: &mut Vec<Acknowledge>,
) -> Result<(), EngineError> {
    let mut broken = step(group.conn, "BEGIN IMMEDIATE").err();
    for job in jobs.drain(..) {
        if broken.is_some() {
            acknowledgements.push(job(None).1);
            continue;
        }
        broken = run_job(group, job, acknowledgements).err();
    }
    match broken {
        Some(failure) => Err(failure),
        None => step(group.conn, "COMMIT"),
    }
}

/// Runs one job in a savepoint. An error means that the whole group is lost.
fn run_job(group: Group<'_>, job: Job, acknowledgements: &mut Vec<Acknowledge>) -> Result<(), EngineError> {
    let conn = group.conn;
    if let Err(failure) = step(conn, "SAVEPOINT job") {
        acknowledgements.push(job(None).1);
        return Err(failure);
    }
    let (keep, acknowledge) = job(Some(group));
    acknowledgements.push(acknowledge);
    // A full disk or a failing one makes SQLite roll the whole transaction back by itself.
    if conn.is_autocommit() {
        let message = "the disk is full or failing; nothing was written; make room";
        return Err(EngineError::new(EngineErrorKind::StorageFull, message));
    }
    if keep == Keep::Nothing {
        step(conn, "ROLLBACK TO job")?;
    }
    step(conn, "RELEASE job")
}

fn step(conn: &Connection, statement: &str) -> Result<(), EngineError> {
    conn.prepare_cached(statement).and_then(|mut prepared| prepared.execute([])).map(drop).map_err(engine)
}

/// The settings of every connection that may write.
pub fn configure(conn: &Connection) -> rusqlite::Result<()> {
    crate::open::steady_plans(conn)?;
    conn.execute_batch(
        "PRAGMA journal_mode = WAL;
         PRAGMA synchronous = FULL;
         PRAGMA wal_autocheckpoint = 0;
         PRAGMA foreign_keys = OFF;
         PRAGMA temp_store = MEMORY;
         PRAGMA cache_size = -32768;
         PRAGMA busy_timeout = 5000;",
    )
}
