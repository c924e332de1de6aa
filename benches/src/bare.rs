//! The limit of `order.place`: a bare loop of the same SQL, in the same order, in the same kind of groups, on a copy
//! of the same store. What the engine takes longer than this is what routing, checking and JSON cost.

mod statements;

use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use anyhow::{Context, Result};
use crossbeam_channel::{Receiver, Sender};
use mworld_embedded::{Checkpoints, FILE_NAME, configure};
use rusqlite::Connection;
use tokio::sync::oneshot;

pub(crate) use self::statements::BareOrder;
use self::statements::Statements;

/// As the engine's: writes that may wait, and jobs that share one commit.
const QUEUE: usize = 4096;
const GROUP: usize = 512;

type Job = (BareOrder, oneshot::Sender<()>);

/// The loop's queue.
pub(crate) struct Bare {
    queue: Option<Sender<Job>>,
    thread: Option<JoinHandle<rusqlite::Result<()>>>,
}

impl Bare {
    /// Copies a closed store and starts the loop on the copy.
    pub(crate) fn on_copy_of(store: &Path, copy: &Path) -> Result<Bare> {
        // A log that an earlier run left would be taken for this copy's own.
        if copy.exists() {
            std::fs::remove_dir_all(copy)?;
        }
        std::fs::create_dir_all(copy)?;
        let file = copy.join(FILE_NAME);
        std::fs::copy(store.join(FILE_NAME), &file).context("the store's file cannot be copied")?;
        // Its pages are on the disk before anything is measured: a store that has been running has them there too.
        std::fs::File::open(&file)?.sync_all()?;
        Bare::start(&file)
    }

    fn start(file: &Path) -> Result<Bare> {
        let (queue, jobs) = crossbeam_channel::bounded(QUEUE);
        let conn = Connection::open(file)?;
        configure(&conn)?;
        let pages = Arc::new(std::fs::File::open(file)?);
        let checkpoints = Checkpoints::start(file, &pages)?;
        let thread = std::thread::Builder::new().name("bare-writer".to_owned()).spawn(move || {
            let written = write(&conn, &jobs, checkpoints);
            drop(conn);
            drop(pages);
            written
        })?;
        Ok(Bare { queue: Some(queue), thread: Some(thread) })
    }

    /// Runs an order's statements in the next group; returns after its commit.
    pub(crate) async fn place(&self, order: BareOrder) -> Result<()> {
        let (answer, answered) = oneshot::channel();
        let queue = self.queue.as_ref().context("the loop has been stopped")?;
        queue.try_send((order, answer)).context("the loop's queue is full")?;
        answered.await.context("the loop failed")
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(Ok(Err(error))) = self.thread.take().map(JoinHandle::join) {
            crate::output::notice(&format!("the bare loop failed: {error}"));
        }
    }
}

fn write(conn: &Connection, jobs: &Receiver<Job>, mut checkpoints: Checkpoints) -> rusqlite::Result<()> {
    let mut statements = Statements::prepare(conn)?;
    let (mut group, mut answers) = (Vec::with_capacity(GROUP), Vec::with_capacity(GROUP));
    while let Ok(first) = jobs.recv() {
        group.push(first);
        group.extend(jobs.try_iter().take(GROUP - 1));
        statements.begin()?;
        for (order, answer) in group.drain(..) {
            statements.place(&order)?;
            answers.push(answer);
        }
        statements.commit()?;
        for answer in answers.drain(..) {
            let _ = answer.send(());
        }
        checkpoints.after_commit(conn);
    }
    checkpoints.finish(conn);
    Ok(())
}
