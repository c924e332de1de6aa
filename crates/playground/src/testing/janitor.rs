//! Removing a test's directory when its process is gone.
//!
//! Nothing in a process that is killed can clear up after it, and what a test shares is not even dropped when the process
//! ends well. So a shell waits for the end of its input, which is the end of this process or of the value here, whichever comes
//! first, and removes the directory.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::error::{Result, failed};

/// Servers that are being killed at the same moment may still own a file in it, hence more than one try.
const WAIT_AND_REMOVE: &str =
    r#"cat; for try in 1 2 3 4 5 6 7 8 9 10; do rm -rf -- "$1" && exit; sleep 0.5; done"#;

/// A file system in memory, where there is one.
const IN_MEMORY: &str = "/dev/shm";

/// What the largest cluster of a test writes, and as much again.
const ROOM: u64 = 3 << 30;

/// Whether there is room in memory. In a container there is often next to none.
fn has_room() -> bool {
    rustix::fs::statvfs(IN_MEMORY).is_ok_and(|stat| stat.f_bavail.saturating_mul(stat.f_frsize) >= ROOM)
}

/// The keeper of one directory.
#[derive(Debug)]
pub(super) struct Janitor {
    directory: TempDir,
    shell: Child,
}

impl Janitor {
    /// Makes a directory and hires its keeper.
    pub(super) fn hire() -> Result<Janitor> {
        let no_directory = |error| failed(format!("no directory can be made for a test: {error}"));
        let mut builder = tempfile::Builder::new();
        let named = builder.prefix("mworld-test-");
        // A test kills servers, never the machine: what they have written is as safe in memory, and a disk's syncs, thousands in
        // a run, would only be waited for.
        let in_memory = if has_room() { named.tempdir_in(IN_MEMORY).ok() } else { None };
        let directory = in_memory.map_or_else(|| named.tempdir(), Ok).map_err(no_directory)?;
        // In a session of its own: Ctrl-C ends the tests and must leave the one who clears up.
        let shell = Command::new("setsid")
            .args(["sh", "-c", WAIT_AND_REMOVE, "janitor"])
            .arg(directory.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| {
                failed(format!("`setsid sh` cannot be run: {error}; install the package util-linux"))
            })?;
        Ok(Janitor { directory, shell })
    }

    /// The directory.
    pub(super) fn directory(&self) -> &Path {
        self.directory.path()
    }
}

impl Drop for Janitor {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        // How it ended is of no use here: what it could not remove, the directory's own end tries once more.
        let _ = self.shell.wait();
    }
}
