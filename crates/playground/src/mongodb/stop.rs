//! The end of a cluster: everybody at once, nobody left.

use std::path::Path;
use std::time::Duration;

use futures_util::future::try_join_all;
use rustix::process::Signal;

use super::Cluster;
use crate::error::{Result, failed};
use crate::process::Process;

/// A quiet server ends in two seconds (the router in three); after these nobody waits for manners.
const MANNERS: Duration = Duration::from_secs(8);

/// Even a killed process needs the kernel to clear up after it.
const CLEARED: Duration = Duration::from_secs(20);

/// Ends all servers and waits for their end.
pub(super) async fn run(cluster: &Cluster) -> Result<()> {
    end_all_under(&cluster.home).await
}

/// The same by the folder alone, for a cluster whose description is lost.
pub(crate) async fn end_all_under(home: &Path) -> Result<()> {
    loop {
        let running = Process::all_under(home);
        if running.is_empty() {
            return Ok(());
        }
        try_join_all(running.iter().map(end)).await?;
    }
}

/// Kills all servers.
pub(super) fn kill_all(cluster: &Cluster) {
    for process in Process::all_under(&cluster.home) {
        // A process that may not be killed is not ours to worry about.
        let _ = process.signal(Signal::KILL);
    }
}

async fn end(process: &Process) -> Result<()> {
    let refused = |error| failed(format!("process {} cannot be ended: {error}", process.pid()));
    // In this order: a server that stands still takes the request when it wakes.
    process.signal(Signal::TERM).map_err(refused)?;
    process.signal(Signal::CONT).map_err(refused)?;
    if process.ends_within(MANNERS).await.map_err(refused)? {
        return Ok(());
    }
    kill(process).await
}

/// Kills a process and waits until its port and its files are free.
pub(super) async fn kill(process: &Process) -> Result<()> {
    let refused = |error| failed(format!("process {} cannot be killed: {error}", process.pid()));
    process.signal(Signal::KILL).map_err(refused)?;
    if process.ends_within(CLEARED).await.map_err(refused)? {
        return Ok(());
    }
    Err(failed(format!("process {} was killed and has not ended in {} s", process.pid(), CLEARED.as_secs())))
}
