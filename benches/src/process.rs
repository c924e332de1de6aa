//! The store's process, seen from outside: where it listens, what it has used.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};

/// A running store.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Starts the store in `dir`, with a fresh demo catalogue of that many products if it is not 0.
    pub(crate) fn start(dir: &Path, demo: u64) -> Result<Server> {
        let demo = demo.to_string();
        Server::spawn(&[
            "serve".as_ref(),
            "--data".as_ref(),
            dir.as_os_str(),
            "--demo".as_ref(),
            demo.as_ref(),
        ])
    }

    /// Starts a server that does nothing.
    pub(crate) fn start_empty() -> Result<Server> {
        Server::spawn(&["serve-empty".as_ref()])
    }

    fn spawn(arguments: &[&OsStr]) -> Result<Server> {
        let program = std::env::current_exe().context("this program's own file is not known")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("the store's process cannot be started")?;
        let mut line = String::new();
        let stdout = child.stdout.take().expect("standard output is a pipe");
        BufReader::new(stdout).read_line(&mut line)?;
        let address =
            line.trim().parse().with_context(|| format!("the store said {line:?} instead of its address"))?;
        Ok(Server { child, address })
    }

    /// Its number in the system.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Processor time of all its threads so far, to a hundredth of a second.
    pub(crate) fn cpu(&self) -> Result<Duration> {
        cpu(&self.child.id().to_string(), OWN)
    }

    /// Resident memory now, in MiB.
    pub(crate) fn resident_mib(&self) -> Result<f64> {
        self.status_mib("VmRSS:")
    }

    /// The most memory that ever was resident, in MiB.
    pub(crate) fn peak_mib(&self) -> Result<f64> {
        self.status_mib("VmHWM:")
    }

    fn status_mib(&self, name: &str) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find(|line| line.starts_with(name));
        let kib =
            line.and_then(|line| line.split_whitespace().nth(1)).and_then(|kib| kib.parse::<f64>().ok());
        Ok(kib.with_context(|| format!("the system does not say {name}"))? / 1024.0)
    }

    /// Ends it and waits until its store is closed.
    pub(crate) fn stop(mut self) -> Result<()> {
        drop(self.child.stdin.take());
        let status = self.child.wait()?;
        anyhow::ensure!(status.success(), "the store's process ended with {status}");
        Ok(())
    }
}

impl Drop for Server {
    /// Only on the way out of a failure: an orderly end is [`Server::stop`].
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// Linux counts in hundredths of a second towards programs on every architecture, whatever its own clock does.
const TICKS_PER_SECOND: f64 = 100.0;

/// Which field of `/proc/…/stat` has the user time, the system time being the next: a process's own, and that of the
/// children that it has waited for.
const OWN: usize = 14;
const OF_CHILDREN: usize = 16;

/// Processor time of this process so far.
pub(crate) fn cpu_of_self() -> Result<Duration> {
    cpu("self", OWN)
}

/// Processor time of all children of this process that have ended.
pub(crate) fn cpu_of_children() -> Result<Duration> {
    cpu("self", OF_CHILDREN)
}

fn cpu(process: &str, field: usize) -> Result<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    let ticks = cpu_ticks(&stat, field).with_context(|| format!("{stat:?} has no processor times"))?;
    Ok(Duration::from_secs_f64(ticks / TICKS_PER_SECOND))
}

/// User and system time, counted from 1. The second field is the program's name and may hold anything, so the counting
/// begins after its closing bracket, with the third.
fn cpu_ticks(stat: &str, field: usize) -> Option<f64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(field - 3);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_found_behind_any_name() {
        let stat = "7 (a ) (b 1 2) S 1 7 7 0 -1 4194304 100 0 0 0 321 123 9 7 20 0 8 0 100 1000 200";
        assert_eq!(cpu_ticks(stat, OWN), Some(444.0));
        assert_eq!(cpu_ticks(stat, OF_CHILDREN), Some(16.0));
        assert_eq!(cpu_ticks("7 (x) S", OWN), None);
    }
}
