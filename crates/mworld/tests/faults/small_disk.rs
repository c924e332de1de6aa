//! A disk that is soon full: a small file system in memory, or a limit on the size of the process's files.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::{Resource, Rlimit, prlimit};
use tempfile::TempDir;

use crate::process::Store;

/// How a disk can be made full.
pub(crate) enum SmallDisk {
    /// A file system of its own; writes fail with ENOSPC as on a full disk. Mounting needs rights.
    Mounted(TempDir),
    /// No file may grow; writes fail with EFBIG. Works for everyone.
    Limited(TempDir),
}

impl SmallDisk {
    /// A small file system in memory, or why there can be none.
    pub(crate) fn mounted() -> Result<SmallDisk, String> {
        let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mount =
            Command::new("mount").args(["-t", "tmpfs", "-o", "size=128m", "tmpfs"]).arg(dir.path()).output();
        match mount {
            Ok(done) if done.status.success() => Ok(SmallDisk::Mounted(dir)),
            Ok(done) => Err(String::from_utf8_lossy(&done.stderr).trim().to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// An ordinary directory whose files will be limited.
    pub(crate) fn limited() -> SmallDisk {
        SmallDisk::Limited(tempfile::tempdir().expect("a directory for the test"))
    }

    /// Where the store lies.
    pub(crate) fn data(&self) -> PathBuf {
        self.root().join("data")
    }

    fn root(&self) -> &Path {
        match self {
            SmallDisk::Mounted(dir) | SmallDisk::Limited(dir) => dir.path(),
        }
    }

    fn ballast(&self) -> PathBuf {
        self.root().join("ballast")
    }

    /// Leaves no room at all.
    pub(crate) fn fill(&self, store: &Store) {
        match self {
            SmallDisk::Mounted(_) => {
                let mut ballast = File::create(self.ballast()).expect("there is still room for a file");
                let failed = loop {
                    if let Err(error) = ballast.write_all(&[7; 4096]) {
                        break error;
                    }
                };
                assert_eq!(failed.kind(), ErrorKind::StorageFull, "{failed}");
            }
            // Half of what a fresh log needs for one commit: the next write of any file fails.
            SmallDisk::Limited(_) => limit(store, Some(2048)),
        }
    }

    /// Takes the cause away.
    pub(crate) fn make_room(&self, store: &Store) {
        match self {
            SmallDisk::Mounted(_) => std::fs::remove_file(self.ballast()).expect("the ballast can go"),
            SmallDisk::Limited(_) => limit(store, None),
        }
    }
}

/// Only the soft limit is changed, so that it can be lifted again without rights.
fn limit(store: &Store, bytes: Option<u64>) {
    let hard = prlimit(Some(store.pid()), Resource::Fsize, Rlimit { current: bytes, maximum: None });
    hard.expect("the limits of our own process can be changed");
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        if let SmallDisk::Mounted(dir) = self {
            let _ = Command::new("umount").arg("-l").arg(dir.path()).status();
        }
    }
}
