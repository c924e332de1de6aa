//! Copying the log into the store's file, off the commit path, so gently that commits do not notice.
//!
//! What commits notice is the disk: SQLite syncs the file after copying, which hands thousands of scattered pages
//! to the disk at once, and a commit's own sync waits behind them (measured beside 5,000 pages a second: the p99 of
//! a 16 KiB sync rises from 0.4 to 4–6 ms, however the pages are batched). So a thread of its own copies without
//! syncing, then writes the pages back a few at a time and waits for each ([`copier`]); beside that the p99 stays
//! under 0.7 ms.
//!
//! The log can start again from its beginning only when all of it is copied and nobody reads it, and under load
//! there is always a newer commit. Each round of copying leaves less than the one before; when little is left, the
//! writer copies the rest between two groups and restarts the log.

mod copier;
mod write_back;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use self::copier::Copier;
use crate::error::OpenError;
use crate::open::failure;

/// How long nothing is tried after somebody's old snapshot was in the way.
const REST: Duration = Duration::from_millis(20);

const LOG_KEPT: &str = "the disk did not take the store's pages; nothing is lost, the log keeps them and grows: \
     mend the disk and restart the store";

/// How long the log may grow, in pages of 4 KiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Lengths {
    /// From here on it is copied and restarted. The longer the log, the fewer pages are written back, because a page
    /// that changes often is copied once.
    copy_from: i64,
    /// With every so many pages more, twice as many are written back at once.
    hurry_every: i64,
    /// The writer itself copies at most so many: a few milliseconds, once in a log's length.
    restart_left: i64,
    /// From here on the writer waits for the copying, and copies what is left: where commits outrun the disk, as when
    /// a store is filled. Beyond it the log grows only while somebody reads an old snapshot.
    restart_anyway: i64,
}

impl Lengths {
    /// A quarter of the file, at least 4 and at most 64 MiB: a small shop has a small log.
    fn for_file(pages: i64) -> Lengths {
        let copy_from = (pages / 4).clamp(1_024, 16_384);
        Lengths { copy_from, hurry_every: copy_from / 3, restart_left: 256, restart_anyway: copy_from * 3 }
    }
}

/// The writer's side.
pub struct Checkpoints {
    rounds: Option<SyncSender<Round>>,
    done: Receiver<Done>,
    state: State,
    thread: Option<JoinHandle<()>>,
    file: Arc<File>,
    log: PathBuf,
    /// Other lengths than those that follow from the file's.
    fixed: Option<Lengths>,
    /// How much was copied when the last round began.
    copied_before: i64,
    /// Until when nothing is tried, because somebody reads an old snapshot.
    rest_until: Instant,
}

/// What the copier is asked for: one round of copying.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Round {
    /// About so many pages are to be copied.
    pages: i64,
    /// So many of them may be with the disk at once: commits wait longer for more.
    at_once: u64,
}

/// How a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    /// What was in the log at its beginning is in the file and on the disk.
    Copied,
    /// The disk did not take it. The log stays as it is and holds everything until the store is opened again.
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    Copying,
    Failed,
}

impl Checkpoints {
    /// Starts the copying thread on connections of its own. The store's file is given open, and the caller keeps it
    /// open until every connection is closed: closing it takes away all locks that SQLite has on it in this process.
    pub fn start(path: &Path, file: &Arc<File>) -> Result<Checkpoints, OpenError> {
        Checkpoints::with_lengths(path, file, None)
    }

    fn with_lengths(path: &Path, file: &Arc<File>, fixed: Option<Lengths>) -> Result<Checkpoints, OpenError> {
        let io = |error: std::io::Error| OpenError::Io { path: path.to_owned(), problem: error.to_string() };
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        // A store that was killed may have left pages that SQLite takes for safe, and frames that were never
        // acknowledged, unsynced.
        file.sync_data().map_err(io)?;
        if let Ok(log) = File::open(&log) {
            log.sync_data().map_err(io)?;
        }
        let copier = Copier::open(path, Arc::clone(file)).map_err(|error| failure(path, &error))?;
        let (rounds, wanted) = sync_channel::<Round>(1);
        let (ended, done) = sync_channel(1);
        let work = move || copier.work(&wanted, &ended);
        let thread =
            std::thread::Builder::new().name("mworld-checkpoint".to_owned()).spawn(work).map_err(io)?;
        Ok(Checkpoints {
            rounds: Some(rounds),
            done,
            state: State::Idle,
            thread: Some(thread),
            file: Arc::clone(file),
            log: log.into(),
            fixed,
            copied_before: 0,
            rest_until: Instant::now(),
        })
    }

    /// Called by the writer between two groups.
    pub fn after_commit(&mut self, conn: &Connection) {
        // The log file keeps its size when it starts again, so its length says little once it has grown; asking
        // SQLite for the true fill costs a lock.
        let lengths = self.lengths();
        if log_pages(&self.log) < lengths.copy_from || Instant::now() < self.rest_until {
            return;
        }
        if self.state == State::Copying && !self.is_idle(Duration::ZERO) {
            self.hold_back(conn, lengths);
            return;
        }
        let Some(fill) = fill(conn).filter(|_| self.state == State::Idle) else { return };
        match next_step(fill, lengths) {
            Step::Nothing => {}
            Step::Copy(_) if fill.copied > 0 && fill.copied == self.copied_before => {
                // The last round got nowhere: what is left is after the snapshot that somebody reads.
                self.copied_before = 0;
                self.rest_until = Instant::now() + REST;
            }
            Step::Copy(round) => {
                self.copied_before = fill.copied;
                self.begin_round(round);
            }
            Step::Restart => self.restart(conn, Duration::from_millis(2)),
        }
    }

    fn lengths(&self) -> Lengths {
        let pages = || self.file.metadata().map_or(0, |meta| pages(meta.len()));
        self.fixed.unwrap_or_else(|| Lengths::for_file(pages()))
    }

    /// A log that grows faster than it is copied makes the writer wait.
    fn hold_back(&mut self, conn: &Connection, lengths: Lengths) {
        if log_pages(&self.log) < lengths.restart_anyway {
            return;
        }
        if fill(conn).is_some_and(|fill| fill.pages >= lengths.restart_anyway)
            && self.is_idle(Duration::from_secs(2))
        {
            self.restart(conn, Duration::from_millis(20));
        }
    }

    /// Called by the writer when the disk is full: a log that starts again uses the room that it has already.
    pub fn make_room(&mut self, conn: &Connection) {
        if self.is_idle(Duration::from_secs(1)) {
            self.restart(conn, Duration::from_millis(20));
        }
    }

    /// Copies the rest and starts the log again. Readers in the middle of an old snapshot keep it from starting again;
    /// then what was copied is synced here, because SQLite syncs only what it has copied to the end.
    fn restart(&mut self, conn: &Connection, patience: Duration) {
        let _ = conn.busy_timeout(patience);
        let restarted = checkpoint(conn, "RESTART");
        let _ = conn.busy_timeout(Duration::from_secs(5));
        match restarted {
            Ok(fill) if fill.busy => {
                self.rest_until = Instant::now() + REST;
                if let Err(error) = self.file.sync_data() {
                    self.failed(&error);
                }
            }
            Ok(_) => self.copied_before = 0,
            Err(error) if is_failed_sync(&error) => self.failed(&error),
            // A disk that is full or does not take a page: SQLite has not counted anything as copied, so it is copied
            // again when there is room.
            Err(error) => {
                tracing::warn!(%error, "the log was not copied this time; it is tried again");
                self.rest_until = Instant::now() + REST;
            }
        }
    }

    /// Pages that were copied may not be on the disk, and a second sync would not say so. As long as nothing is
    /// copied any more, the log cannot start again and holds everything.
    fn failed(&mut self, error: &dyn std::fmt::Display) {
        self.state = State::Failed;
        tracing::error!(%error, "{LOG_KEPT}");
    }

    fn begin_round(&mut self, round: Round) {
        if self.rounds.as_ref().is_some_and(|rounds| rounds.try_send(round).is_ok()) {
            self.state = State::Copying;
        }
    }

    /// Whether no round is under way, waiting for its end at most so long.
    fn is_idle(&mut self, patience: Duration) -> bool {
        if self.state == State::Copying {
            self.state = match self.done.recv_timeout(patience) {
                Ok(Done::Copied) => State::Idle,
                Ok(Done::Failed) | Err(RecvTimeoutError::Disconnected) => State::Failed,
                Err(RecvTimeoutError::Timeout) => State::Copying,
            };
        }
        self.state == State::Idle
    }

    /// Ends the copying thread, and copies the rest, so that what is left after an orderly end is one file.
    pub fn finish(&mut self, conn: &Connection) {
        self.stop();
        if self.state == State::Failed || checkpoint(conn, "TRUNCATE").is_err() {
            let _ = keep_log_on_close(conn);
        }
    }

    fn stop(&mut self) {
        self.rounds = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.is_idle(Duration::ZERO);
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        self.stop();
    }
}

/// How full the log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fill {
    /// Whether readers kept the command from being carried out whole.
    busy: bool,
    pages: i64,
    copied: i64,
}

impl Fill {
    fn left(self) -> i64 {
        self.pages - self.copied
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Nothing,
    Copy(Round),
    Restart,
}

/// What to do about a log while nobody copies it.
fn next_step(fill: Fill, lengths: Lengths) -> Step {
    if fill.pages < lengths.copy_from {
        Step::Nothing
    } else if fill.left() <= lengths.restart_left {
        Step::Restart
    } else {
        // A log that grows although it is copied must be copied faster.
        let behind = (fill.pages - lengths.copy_from) / lengths.hurry_every;
        Step::Copy(Round { pages: fill.left(), at_once: 2 << behind.min(5) })
    }
}

/// The last connection that closes would copy the log and delete it; this one will not.
pub(crate) fn keep_log_on_close(conn: &Connection) -> rusqlite::Result<()> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map(drop)
}

fn is_failed_sync(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_FSYNC)
}

fn fill(conn: &Connection) -> Option<Fill> {
    checkpoint(conn, "NOOP").ok()
}

fn checkpoint(conn: &Connection, mode: &str) -> rusqlite::Result<Fill> {
    let mut prepared = conn.prepare_cached(&format!("PRAGMA wal_checkpoint({mode})"))?;
    prepared.query_row([], |row| Ok(Fill { busy: row.get(0)?, pages: row.get(1)?, copied: row.get(2)? }))
}

/// The size of the log's file, in pages.
fn log_pages(log: &Path) -> i64 {
    std::fs::metadata(log).map_or(0, |meta| pages(meta.len()))
}

fn pages(bytes: u64) -> i64 {
    i64::try_from(bytes / 4096).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
