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
        all(&|written| written == log).next()
    }

    /// Every server that writes a log in this folder or below it.
    pub(crate) fn all_under(folder: &Path) -> Vec<Process> {
        all(&|written| written.starts_with(folder)).collect()
    }

    fn open(pid: u32, wanted: &dyn Fn(&Path) -> bool) -> Option<Process> {
        let number = Pid::from_raw(i32::try_from(pid).ok()?)?;
        let handle = pidfd_open(number, PidfdFlags::empty()).ok()?;
        // The process that was looked at may have ended before the descriptor was opened, and its number been given away.
        is(pid, wanted).then_some(Process { pid, handle })
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

    /// Whether it, and nobody else, listens on this port of the loopback.
    pub(crate) fn listens_on(&self, port: u16) -> bool {
        let sockets = fs::read_to_string("/proc/net/tcp").unwrap_or_default();
        let Some(socket) = listener(&sockets, port).map(|inode| format!("socket:[{inode}]")) else {
            return false;
        };
        let descriptors = fs::read_dir(format!("/proc/{}/fd", self.pid)).into_iter().flatten().flatten();
        let mut targets = descriptors.filter_map(|descriptor| fs::read_link(descriptor.path()).ok());
        targets.any(|target| target.as_os_str() == socket.as_str())
    }

    /// Sends a signal. One that has ended meanwhile is no error.
    pub(crate) fn signal(&self, signal: Signal) -> io::Result<()> {
        match pidfd_send_signal(&self.handle, signal) {
            Ok(()) | Err(rustix::io::Errno::SRCH) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether it has ended with all its threads.
    pub(crate) fn has_ended(&self) -> bool {
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        // The descriptor becomes readable when the process has ended.
        poll(&mut [PollFd::new(&self.handle, PollFlags::IN)], Some(&now)).is_ok_and(|ready| ready > 0)
    }

    /// Waits until it has ended with all its threads, and says whether it did so in time.
    pub(crate) async fn ends_within(&self, patience: Duration) -> io::Result<bool> {
        let handle = self.handle.try_clone()?;
        let patience = Timespec::try_from(patience).map_err(io::Error::other)?;
        let wait = move || poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&patience));
        let ended = tokio::task::spawn_blocking(wait).await.map_err(io::Error::other)?;
        Ok(ended? > 0)
    }
}

fn all(wanted: &dyn Fn(&Path) -> bool) -> impl Iterator<Item = Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten();
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(|pid| is(*pid, wanted)).filter_map(|pid| Process::open(pid, wanted))
}

/// Whether a process writes a log that is looked for.
fn is(pid: u32, wanted: &dyn Fn(&Path) -> bool) -> bool {
    fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| log_of(&line).is_some_and(wanted))
}

/// What stands behind the mark in a command line, whose words are ended by zeros.
fn log_of(command_line: &[u8]) -> Option<&Path> {
    let mut words = command_line.split(|byte| *byte == 0);
    words.find(|word| *word == MARK.as_bytes())?;
    words.next().map(|log| Path::new(OsStr::from_bytes(log)))
}

/// The third field of `/proc/PID/stat`; the second is the program's name in brackets and may hold anything.
fn state_letter(stat: &str) -> Option<char> {
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}

/// The socket that listens on a port of 127.0.0.1, from `/proc/net/tcp`: address and port in hexadecimal, 0A for
/// listening, and the inode as the tenth word.
fn listener(sockets: &str, port: u16) -> Option<&str> {
    let address = format!("0100007F:{port:04X}");
    sockets.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (words.get(1) == Some(&address.as_str()) && words.get(3) == Some(&"0A"))
            .then(|| words.get(9).copied())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_listens_is_told_from_who_is_connected() {
        let sockets =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:61A8 0100007F:0050 01 00000000:00000000 00:00000000 00000000     0        0 11 1
   1: 0100007F:61A8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 22 1
   2: 0100007F:61A9 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 33 1";
        assert_eq!(listener(sockets, 25_000), Some("22"));
        assert_eq!(listener(sockets, 80), None);
    }

    #[test]
    fn a_process_is_told_by_its_own_listener() {
        let ours = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = ours.local_addr().unwrap().port();
        let pid = std::process::id();
        let number = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
        let process = Process { pid, handle: pidfd_open(number, PidfdFlags::empty()).unwrap() };
        assert!(process.listens_on(port));
        drop(ours);
        assert!(!process.listens_on(port));
    }

    #[test]
    fn a_server_is_known_by_the_log_that_it_writes() {
        let log = Some(Path::new("/a/s1-1.log"));
        assert_eq!(log_of(b"/x/mongod\0--port\x001\0--logpath\0/a/s1-1.log\0--quiet\0"), log);
        assert_eq!(log_of(b"setsid\0mongod\0--logpath\0/a/s1-1.log\0"), log);
        assert_eq!(log_of(b"tail\0-f\0/a/s1-1.log\0"), None);
        assert_eq!(log_of(b"mongod\0--logpath"), None);
        assert_eq!(log_of(b""), None);
    }

    #[test]
    fn the_state_stands_behind_the_name() {
        assert_eq!(state_letter("7 (a) S 1) T 2 3"), Some('T'));
        assert_eq!(state_letter("7 (mongod) S 1 7"), Some('S'));
        assert_eq!(state_letter(""), None);
    }
}
