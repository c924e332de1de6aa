//! What can go wrong below the shop's rules, in words for people.

use std::path::PathBuf;

use mworld_shop::{EngineError, EngineErrorKind};
use rusqlite::ErrorCode;

/// Why a store could not be opened. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has it.
    #[error("{dir} is in use by another mworld{holder}; stop that one, or choose another --data directory", dir = dir.display())]
    InUse {
        /// The directory.
        dir: PathBuf,
        /// ` (process 4711)`, if it is known.
        holder: String,
    },
    /// Written by a newer version.
    #[error("{file} has schema version {found}, this mworld knows up to {known}; use the newer mworld that wrote it", file = file.display())]
    NewerSchema {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// Not readable as a store.
    #[error("{file} cannot be read as a store: {problem}; restore a backup with `mworld restore FILE --data DIR` into a new directory", file = file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What SQLite said.
        problem: String,
    },
    /// Placed by another layout.
    #[error("{dir} was filled with layout {stored}, not {given} as it is now; start with `--layout {stored}` (or the file of that name), or take the catalogue to a new directory with `mworld export` and `mworld import`", dir = dir.display())]
    OtherLayout {
        /// The directory.
        dir: PathBuf,
        /// The layout in it.
        stored: String,
        /// The layout asked for.
        given: String,
    },
    /// Has another number of shards.
    #[error("{dir} has {stored} shards, not {given}; start with `--shards {stored}`, or take the catalogue to a new directory with `mworld export` and `mworld import`", dir = dir.display())]
    OtherShards {
        /// The directory.
        dir: PathBuf,
        /// The number in it.
        stored: u32,
        /// The number asked for.
        given: u32,
    },
    /// Sells in another currency.
    #[error("{dir} sells in {stored}, not {given}; set `[shop] currency = \"{stored}\"`, or choose a new --data directory", dir = dir.display())]
    OtherCurrency {
        /// The directory.
        dir: PathBuf,
        /// The currency in it.
        stored: String,
        /// The currency asked for.
        given: String,
    },
    /// A number of shards that makes no sense.
    #[error("{0} shards are out of range; choose 1 to 1024")]
    BadShardCount(u32),
    /// More zones than a store keeps apart.
    #[error("the store has seen {0} zones, the most it keeps apart is {max}; configure fewer", max = crate::zones::MAX_ZONES)]
    TooManyZones(usize),
    /// The directory or a file in it cannot be used.
    #[error("{path}: {problem}; check that the directory exists, is writable and has free space", path = path.display())]
    Io {
        /// What.
        path: PathBuf,
        /// Why.
        problem: String,
    },
}

/// An SQLite error as the shop's engine error.
#[allow(clippy::needless_pass_by_value)] // the shape that map_err wants
pub(crate) fn engine(error: rusqlite::Error) -> EngineError {
    let kind = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => EngineErrorKind::StorageFull,
        Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen | ErrorCode::ReadOnly) => {
            EngineErrorKind::Unavailable
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => EngineErrorKind::Corrupt,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => EngineErrorKind::Overloaded,
        Some(_) | None => EngineErrorKind::Internal,
    };
    let message = match kind {
        EngineErrorKind::StorageFull => format!("the disk is full ({error}); nothing was written; make room"),
        _ => format!("the store's file cannot be used: {error}"),
    };
    EngineError::new(kind, message)
}

/// An SQLite error as the shop's error.
pub(crate) fn sql(error: rusqlite::Error) -> mworld_shop::Error {
    engine(error).into()
}

/// Stored text that does not read as it was written.
pub(crate) fn corrupt(what: &str, problem: impl std::fmt::Display) -> mworld_shop::Error {
    EngineError::new(EngineErrorKind::Corrupt, format!("a stored {what} cannot be read: {problem}")).into()
}
