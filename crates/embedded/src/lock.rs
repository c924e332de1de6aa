//! One process per directory.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::error::OpenError;

const NAME: &str = "store.lock";

/// Held as long as the store is open. The system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    pub(crate) fn take(dir: &Path) -> Result<Lock, OpenError> {
        let path = dir.join(NAME);
        let io = |error: std::io::Error| OpenError::Io { path: path.clone(), problem: error.to_string() };
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let holder = read_holder(&mut file).map_or(String::new(), |id| format!(" (process {id})"));
                return Err(OpenError::InUse { dir: dir.to_owned(), holder });
            }
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        // Who holds it is a courtesy for messages; a full disk must not keep the store from opening.
        let _ = file.set_len(0);
        let _ = file.seek(SeekFrom::Start(0)).and_then(|_| write!(file, "{}", std::process::id()));
        Ok(Lock { _file: file })
    }
}

fn read_holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// The process that has the store in this directory open, if there is one.
pub fn holder(dir: &Path) -> Option<u32> {
    let mut file = OpenOptions::new().read(true).open(dir.join(NAME)).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => read_holder(&mut file).or(Some(0)),
        _ => None,
    }
}
