//! How every server is: asked now, of the server itself.

use futures_util::future::join_all;
use serde::Serialize;

use super::{Cluster, Part, Server, ask};
use crate::process::{Process, State};

/// What a server does, by its own word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Leads its shard.
    Primary,
    /// Follows.
    Secondary,
    /// Keeps the cluster's map.
    Config,
    /// Routes.
    Router,
    /// It does not answer, or does not take part yet.
    Unknown,
}

/// A server as it is now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Member {
    /// What `kill`, `pause` and `revive` take.
    pub name: String,
    /// The shard that it belongs to.
    pub shard: Option<String>,
    /// What it does.
    pub role: Role,
    /// Whether it runs.
    pub state: State,
    /// `host:port`.
    pub address: String,
    /// Its process, if there is one.
    pub pid: Option<u32>,
}

/// All servers, at the same time.
pub(super) async fn ask_all(cluster: &Cluster) -> Vec<Member> {
    join_all(cluster.servers().iter().map(|server| ask_one(cluster, server))).await
}

async fn ask_one(cluster: &Cluster, server: &Server) -> Member {
    let process = cluster.process(server);
    let state = process.as_ref().map_or(State::Down, Process::state);
    Member {
        name: server.name().to_owned(),
        shard: server.part().shard(),
        role: if state == State::Up { role(cluster, server).await } else { Role::Unknown },
        state,
        address: server.address(),
        pid: process.map(|process| process.pid()),
    }
}

/// What a running server says.
pub(super) async fn role(cluster: &Cluster, server: &Server) -> Role {
    let Ok(direct) = ask::connect(server, &cluster.security().anonymous(), ask::ANSWER) else {
        return Role::Unknown;
    };
    match (ask::hello(&direct).await, server.part()) {
        (None, _) => Role::Unknown,
        (Some(_), Part::Router) => Role::Router,
        (Some(hello), Part::Config) if ask::takes_part(&hello) => Role::Config,
        (Some(hello), Part::Shard(_)) if ask::is_primary(&hello) => Role::Primary,
        (Some(hello), Part::Shard(_)) if ask::takes_part(&hello) => Role::Secondary,
        (Some(_), _) => Role::Unknown,
    }
}
