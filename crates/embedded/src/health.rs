//! A look at a store's file without opening the store.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use crate::schema;

/// What a look found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// The version of its schema.
    pub schema: i64,
    /// The newest that this code knows.
    pub known_schema: i64,
    /// The layout it was filled with.
    pub layout: Option<String>,
    /// Its number of shards.
    pub shards: Option<u32>,
    /// What SQLite's own check complains of; empty = sound.
    pub complaints: Vec<String>,
}

/// Looks at the store in this directory, and reads all of its file if `thorough`.
pub fn inspect(dir: &Path, thorough: bool) -> Result<Health, String> {
    let text = |error: rusqlite::Error| error.to_string();
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(dir.join(crate::FILE_NAME), flags).map_err(text)?;
    // A look changes nothing: it leaves the log of a store that was killed to the store.
    crate::checkpoint::keep_log_on_close(&conn).map_err(text)?;
    let schema = schema::version(&conn).map_err(text)?;
    let get = |name: &str| -> Option<String> {
        conn.query_row("SELECT value FROM meta WHERE name = ?1", [name], |row| row.get(0)).ok()
    };
    let complaints = if thorough { quick_check(&conn).map_err(text)? } else { Vec::new() };
    Ok(Health {
        schema,
        known_schema: schema::VERSION,
        layout: get("layout"),
        shards: get("shards").and_then(|shards| shards.parse().ok()),
        complaints,
    })
}

/// What SQLite's check says, without its «ok».
pub(crate) fn quick_check(conn: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = conn.prepare("PRAGMA quick_check(10)")?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
    lines.filter(|line| !matches!(line, Ok(text) if text == "ok")).collect()
}
