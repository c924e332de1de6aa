//! The administrator, where a password is demanded.
//!
//! The router's users live on the config server, but a shard that is asked directly knows only its own. So each shard gets the
//! administrator too, before it joins. As long as a server has no user, whoever comes from this machine may make the first.

use mworld_mongo::admin::{Direct, doc};

use super::security::USER;
use super::{Cluster, Part, Server, ask};
use crate::error::{Result, failed};

/// Since this version commands to a shard past the router need a role of their own.
const GUARDED_SHARDS: u32 = 8;

/// Sees that the administrator exists on a set (or on the router), whichever of its servers leads.
pub(super) async fn ensure(cluster: &Cluster, servers: &[&Server]) -> Result<()> {
    let Some(auth) = &cluster.security().auth else { return Ok(()) };
    // The config server's users are made through the router.
    if servers.iter().any(|server| server.part() == Part::Config) {
        return Ok(());
    }
    let (server, anonymous) = leader(cluster, servers).await?;
    let known =
        ask::connect(server, &cluster.access(), ask::PATIENCE)?.run("admin", doc! { "ping": 1 }).await;
    if known.is_ok() {
        return Ok(());
    }
    let mut roles = vec!["root"];
    if cluster.binaries().version().major() >= GUARDED_SHARDS {
        roles.push("directShardOperations");
    }
    let command = doc! { "createUser": USER, "pwd": &auth.password, "roles": roles };
    let made = anonymous.run("admin", command).await;
    made.map(drop).map_err(|error| ask::refused(server, &format!("make the user {USER}"), &error))
}

async fn leader<'a>(cluster: &Cluster, servers: &[&'a Server]) -> Result<(&'a Server, Direct)> {
    for server in servers {
        let direct = ask::connect(server, &cluster.security().anonymous(), ask::PATIENCE)?;
        if ask::hello(&direct).await.as_ref().is_some_and(ask::is_primary) {
            return Ok((server, direct));
        }
    }
    Err(failed(format!("{} has lost its primary while it was set up; run `up` again", servers[0].name())))
}
