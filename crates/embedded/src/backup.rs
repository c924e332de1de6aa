//! A copy of the store while it sells, and back.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use crate::checkpoint::keep_log_on_close;
use crate::health::quick_check;
use crate::{FILE_NAME, schema};

/// Pages copied between two words of progress: 4 MiB.
const STEP_PAGES: i32 = 1024;

/// How far a copy is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Pages copied.
    pub done: u64,
    /// Pages in all.
    pub total: u64,
}

/// Why a copy was not made. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// Nothing to copy.
    #[error("there is no store in {0}; name its directory with --data")]
    NoStore(PathBuf),
    /// Something is in the way.
    #[error("{0} is already there; name another file, or move it away first")]
    Exists(PathBuf),
    /// The target directory holds something.
    #[error("{0} is not empty; restore into a new directory")]
    NotEmpty(PathBuf),
    /// The file is no sound backup.
    #[error("{file} is no sound copy of a store: {problem}; take another backup", file = file.display())]
    Unsound {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Made by a newer version.
    #[error("{file} has schema version {found}, this mworld knows up to {known}; use the newer mworld", file = file.display())]
    NewerSchema {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// The disk said no.
    #[error("{path}: {problem}; check the path, the permissions and the free space", path = path.display())]
    Io {
        /// What.
        path: PathBuf,
        /// Why.
        problem: String,
    },
}

/// Copies the store in `dir` into `target`, as it is at one moment, whether or not it is selling. The target
/// appears only when it is complete and on the disk.
pub fn backup(dir: &Path, target: &Path, mut progress: impl FnMut(Progress)) -> Result<(), BackupError> {
    let file = dir.join(FILE_NAME);
    if !file.exists() {
        return Err(BackupError::NoStore(dir.to_owned()));
    }
    if target.exists() {
        return Err(BackupError::Exists(target.to_owned()));
    }
    let part = with_suffix(target, ".part");
    let outcome = copy(&file, &part, &mut progress);
    let outcome =
        outcome.map_err(|error| BackupError::Io { path: target.to_owned(), problem: error.to_string() });
    if outcome.is_err() {
        let _ = std::fs::remove_file(&part);
        return outcome;
    }
    publish(&part, target)
}

fn copy(file: &Path, part: &Path, progress: &mut impl FnMut(Progress)) -> rusqlite::Result<()> {
    let _ = std::fs::remove_file(part);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let source = Connection::open_with_flags(file, flags)?;
    source.busy_timeout(Duration::from_secs(5))?;
    // What a store that was killed has copied without syncing is the store's to deal with.
    keep_log_on_close(&source)?;
    // One snapshot for the whole copy: without it, every commit of the running store would start it over.
    source.execute_batch("BEGIN")?;
    source.query_row("SELECT count(*) FROM meta", [], |row| row.get::<_, i64>(0))?;
    let mut target = Connection::open(part)?;
    {
        let backup = Backup::new(&source, &mut target)?;
        loop {
            let step = backup.step(STEP_PAGES)?;
            let state = backup.progress();
            let total = u64::try_from(state.pagecount).unwrap_or(0);
            let left = u64::try_from(state.remaining).unwrap_or(0);
            progress(Progress { done: total.saturating_sub(left), total });
            match step {
                StepResult::Done => break,
                StepResult::More => {}
                _ => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }
    // A copy that is one plain file: no log beside it.
    target.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))?;
    source.execute_batch("COMMIT")
}

/// Puts a backup into a new directory, from which `serve` can start.
pub fn restore(file: &Path, dir: &Path) -> Result<(), BackupError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |error: std::io::Error| BackupError::Io { path, problem: error.to_string() }
    };
    check(file)?;
    let log = with_suffix(file, "-wal");
    if std::fs::metadata(&log).is_ok_and(|meta| meta.len() > 0) {
        let problem = "it has a log beside it, so it is a store and no backup; make one with `mworld backup`";
        return Err(BackupError::Unsound { file: file.to_owned(), problem: problem.to_owned() });
    }
    std::fs::create_dir_all(dir).map_err(io(dir))?;
    if std::fs::read_dir(dir).map_err(io(dir))?.next().is_some() {
        return Err(BackupError::NotEmpty(dir.to_owned()));
    }
    let target = dir.join(FILE_NAME);
    let part = with_suffix(&target, ".part");
    std::fs::copy(file, &part).map_err(io(&part))?;
    publish(&part, &target)
}

/// Whether a file is a sound copy that this code can read.
fn check(file: &Path) -> Result<(), BackupError> {
    if !file.is_file() {
        let problem = "there is no such file".to_owned();
        return Err(BackupError::Io { path: file.to_owned(), problem });
    }
    let unsound = |problem: String| BackupError::Unsound { file: file.to_owned(), problem };
    let sql = |error: rusqlite::Error| unsound(error.to_string());
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(file, flags).map_err(sql)?;
    let found = schema::version(&conn).map_err(sql)?;
    if found > schema::VERSION {
        return Err(BackupError::NewerSchema { file: file.to_owned(), found, known: schema::VERSION });
    }
    if found == 0 {
        return Err(unsound("it holds no store".to_owned()));
    }
    match quick_check(&conn).map_err(sql)?.into_iter().next() {
        Some(complaint) => Err(unsound(complaint)),
        None => Ok(()),
    }
}

/// Makes a finished file durable under its own name.
fn publish(part: &Path, target: &Path) -> Result<(), BackupError> {
    let io = |error: std::io::Error| BackupError::Io { path: target.to_owned(), problem: error.to_string() };
    File::open(part).and_then(|file| file.sync_all()).map_err(io)?;
    std::fs::rename(part, target).map_err(io)?;
    let dir = target.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(io)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
