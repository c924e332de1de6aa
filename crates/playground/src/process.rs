//! Which of our servers run: asked of `/proc`, every time.
//!
//! A server is known by the path of its log, which stands in its command line and belongs to one server of one playground
//! only. A process id that was written down would be somebody else's after a reboot, and one that could not be
//! written down, because the process that started the server was killed, would be lost.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// The flag before the path that a server is known by.
pub(crate) const MARK: &str = "--logpath";

/// How a server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It runs.
    Up,
    /// It is there and stands still.
    Paused,
    /// There is no such process.
    Down,
}

/// A process of ours. The descriptor means this process and no later one with the same number.
#[derive(Debug)]
pub(crate) struct Process {
    pid: u32,
    handle: OwnedFd,
}

impl Process {
    /// The server that writes this log, if it runs. A dead one whose parent has not noticed has no command line any
    /// more, and is not found.
    pub(crate) fn find(log: &Path) -> Option<Process> {
        let entries = fs::read_dir("/proc").ok()?;
        let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        pids.filter(|pid| writes(*pid, log)).find_map(|pid| Process::open(pid, log))
    }

    fn open(pid: u32, log: &Path) -> Option<Process> {
        let number = Pid::from_raw(i32::try_from(pid).ok()?)?;
        let handle = pidfd_open(number, PidfdFlags::empty()).ok()?;
        // The process that was looked at may have ended before the descriptor was opened, and its number been given away.
        writes(pid, log).then_some(Process { pid, handle })
    }

    /// Its number, for people.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// Whether it runs or stands still.
    pub(crate) fn state(&self) -> State {
        match fs::read_to_string(format!("/proc/{}/stat", self.pid)).as_deref().map(state_letter) {
            Ok(Some('T')) => State::Paused,
            Ok(Some('Z' | 'X') | None) | Err(_) => State::Down,
            Ok(Some(_)) => State::Up,
        }
    }

    /// Sends a signal. One that has ended meanwhile is no error.
    pub(crate) fn signal(&self, signal: Signal) -> io::Result<()> {
        match pidfd_send_signal(&self.handle, signal) {
            Ok(()) | Err(rustix::io::Errno::SRCH) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Waits until it has ended with all its threads, and says whether it did so in time.
    pub(crate) async fn ends_within(&self, patience: Duration) -> io::Result<bool> {
        let handle = self.handle.try_clone()?;
        let patience = Timespec::try_from(patience).map_err(io::Error::other)?;
        // The descriptor becomes readable when the process has ended.
        let wait = move || poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&patience));
        let ended = tokio::task::spawn_blocking(wait).await.map_err(io::Error::other)?;
        Ok(ended? > 0)
    }
}

/// Whether the command line of a process names this log as its own.
fn writes(pid: u32, log: &Path) -> bool {
    fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| names(&line, log.as_os_str()))
}

/// Whether a command line, its words ended by zeros, has the mark before this path.
fn names(command_line: &[u8], log: &OsStr) -> bool {
    let mut words = command_line.split(|byte| *byte == 0);
    words.any(|word| word == MARK.as_bytes()) && words.next() == Some(log.as_bytes())
}

/// The third field of `/proc/PID/stat`; the second is the program's name in brackets and may hold anything.
fn state_letter(stat: &str) -> Option<char> {
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_server_that_writes_the_log_is_known_by_it() {
        let log = OsStr::new("/a/s1-1.log");
        assert!(names(b"/x/mongod\0--port\x001\0--logpath\0/a/s1-1.log\0--quiet\0", log));
        assert!(names(b"setsid\0mongod\0--logpath\0/a/s1-1.log\0", log));
        assert!(!names(b"mongod\0--logpath\0/a/s1-10.log\0", log));
        assert!(!names(b"tail\0-f\0/a/s1-1.log\0", log));
        assert!(!names(b"mongod\0--logpath\0", log));
        assert!(!names(b"", log));
    }

    #[test]
    fn the_state_stands_behind_the_name() {
        assert_eq!(state_letter("7 (a) S 1) T 2 3"), Some('T'));
        assert_eq!(state_letter("7 (mongod) S 1 7"), Some('S'));
        assert_eq!(state_letter(""), None);
    }
}
