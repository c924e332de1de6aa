//! Faults on demand: one server killed, paused, revived.

use rustix::process::Signal;

use super::{Cluster, Role, Server, ask, members, set_up, stop};
use crate::error::{Result, failed, wrong_input};
use crate::process::State;

/// Ends a server at once. One that is down already is as it should be.
pub(super) async fn kill(cluster: &Cluster, server: &Server) -> Result<()> {
    match cluster.process(server) {
        Some(process) => stop::kill(&process).await,
        None => Ok(()),
    }
}

/// Makes a server stand still, and waits until it does.
pub(super) async fn pause(cluster: &Cluster, server: &Server) -> Result<()> {
    let name = server.name();
    let Some(process) = cluster.process(server) else {
        return Err(wrong_input(format!(
            "{name} is down and cannot be paused; start it with `revive {name}`"
        )));
    };
    process.signal(Signal::STOP).map_err(|error| failed(format!("{name} cannot be paused: {error}")))?;
    ask::until(&format!("{name} standing still"), async || match process.state() {
        State::Paused => Ok(Some(())),
        State::Up => Ok(None),
        State::Down => Err(failed(format!("{name} ended while it was being paused"))),
    })
    .await
}

/// Wakes or starts a server, and waits until it does its part.
pub(super) async fn revive(cluster: &Cluster, server: &Server) -> Result<()> {
    let name = server.name();
    match cluster.process(server) {
        Some(process) => process
            .signal(Signal::CONT)
            .map_err(|error| failed(format!("{name} cannot be woken: {error}")))?,
        None => set_up::launch(cluster, server)?,
    }
    ask::listening(cluster, server).await?;
    ask::until(&format!("{name} taking part again"), async || {
        if members::role(cluster, server).await != Role::Unknown {
            return Ok(Some(()));
        }
        match cluster.process(server) {
            Some(_) => Ok(None),
            None => Err(ask::ended(cluster, server)),
        }
    })
    .await
}
