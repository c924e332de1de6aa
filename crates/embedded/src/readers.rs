//! Readers beside the writer: connections with their own prepared statements, each used by one operation at a
//! time. They see what was last committed and never wait for the writer.

use std::path::PathBuf;
use std::sync::Arc;

use mworld_shop::{Operation, Result};
use parking_lot::Mutex;
use rusqlite::{Connection, OpenFlags};

use crate::db::{Db, Purpose};
use crate::engine::Held;
use crate::error::sql;
use crate::freshness::Freshness;
use mworld_placement::touched::Counters;

/// A pool that grows to the number of reads ever made at once.
pub(crate) struct Readers {
    file: PathBuf,
    idle: Mutex<Vec<Connection>>,
    counters: Arc<Counters<Operation>>,
    freshness: Arc<Freshness>,
    // A long read may outlive the engine's last handle; what the engine holds open stays open as long.
    _held: Held,
}

impl Readers {
    pub(crate) fn new(
        file: PathBuf,
        counters: Arc<Counters<Operation>>,
        freshness: Arc<Freshness>,
        held: Held,
    ) -> Readers {
        Readers { file, idle: Mutex::default(), counters, freshness, _held: held }
    }

    /// Runs `work` on one snapshot of the store, on the caller's own thread: a point read takes microseconds,
    /// less than handing it to another thread would.
    pub(crate) fn read<T>(&self, operation: Operation, work: impl FnOnce(&Db<'_>) -> Result<T>) -> Result<T> {
        let conn = self.take()?;
        let snapshot = self.freshness.now();
        let begun = conn.prepare_cached("BEGIN").and_then(|mut begin| begin.execute([])).map_err(sql);
        let db = Db::new(&conn, Purpose::Reading(snapshot));
        let result = begun.and_then(|_| work(&db));
        let touched = db.into_touched();
        let ended = conn.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
        self.counters.record(operation, &touched);
        // A connection whose snapshot did not end cleanly is not used again.
        if ended.is_ok() {
            self.idle.lock().push(conn);
        }
        result
    }

    fn take(&self) -> Result<Connection> {
        if let Some(conn) = self.idle.lock().pop() {
            return Ok(conn);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(&self.file, flags).map_err(sql)?;
        crate::open::steady_plans(&conn).map_err(sql)?;
        conn.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -8192; PRAGMA busy_timeout = 5000;")
            .map_err(sql)?;
        Ok(conn)
    }
}
