//! From nothing, or from whatever an interrupted start left, to a cluster that takes writes.
//!
//! Every step first looks whether it is done, so the whole may be run at any time. The config server and the shards come
//! up side by side; the router is started when the config server leads, because one that finds none waits two seconds
//! before it looks again.

use futures_util::future::{join_all, try_join, try_join_all};
use mworld_mongo::admin::{Bson, Direct, Document, doc};
use rustix::process::Signal;

use super::{Cluster, Part, Server, ask, flags, users};
use crate::Say;
use crate::error::{Result, failed, on_path};
use crate::process::State;

/// Already so: the set has been initiated before.
const ALREADY_INITIALIZED: i32 = 23;

/// A new primary after five seconds instead of ten.
const ELECTION_TIMEOUT_MS: i32 = 5_000;
const HEARTBEAT_MS: i32 = 1_000;

/// Brings the cluster up.
pub(super) async fn run(cluster: &Cluster, say: Say<'_>) -> Result<()> {
    let sets: Vec<Part> =
        std::iter::once(Part::Config).chain((1..=cluster.shape().shards()).map(Part::Shard)).collect();
    for server in cluster.servers().iter().filter(|server| server.part() != Part::Router) {
        wake_or_launch(cluster, server, say)?;
    }
    let shards = try_join_all(sets[1..].iter().map(|part| set(cluster, *part, say)));
    let map_and_router = async {
        set(cluster, Part::Config, say).await?;
        router(cluster, say).await
    };
    try_join(shards, map_and_router).await?;
    join_shards(cluster, say).await
}

/// Starts a server in a folder of its own.
pub(super) fn launch(cluster: &Cluster, server: &Server) -> Result<()> {
    let data = flags::data(cluster, server);
    let program = match server.part() {
        Part::Router => cluster.binaries.mongos(),
        Part::Config | Part::Shard(_) => {
            std::fs::create_dir_all(&data).map_err(|error| on_path("creating", &data, error))?;
            cluster.binaries.mongod()
        }
    };
    let words = flags::words(cluster, server);
    cluster
        .launcher
        .launch(&program, &flags::of(cluster, server), &words)
        .map_err(|error| failed(format!("{} cannot be started: {error}", server.name())))
}

fn wake_or_launch(cluster: &Cluster, server: &Server, say: Say<'_>) -> Result<()> {
    let name = server.name();
    let Some(process) = cluster.process(server) else {
        say(&format!("starting {name}"));
        return launch(cluster, server);
    };
    if process.state() == State::Paused {
        say(&format!("waking {name}"));
    }
    process.signal(Signal::CONT).map_err(|error| failed(format!("{name} cannot be woken: {error}")))
}

/// Makes a replica set of the servers of one part and waits until all take part and one leads.
async fn set(cluster: &Cluster, part: Part, say: Say<'_>) -> Result<()> {
    let servers: Vec<&Server> = cluster.of_part(part).collect();
    let name = part.set().expect("only the router has no set");
    try_join_all(servers.iter().map(|server| ask::listening(cluster, server))).await?;
    let anonymous = cluster.security().anonymous();
    let directs = servers
        .iter()
        .map(|server| ask::connect(server, &anonymous, ask::PATIENCE))
        .collect::<Result<Vec<Direct>>>()?;
    let first = &directs[0];
    ask::until(&format!("{name} becoming a replica set"), async || initiated(first, part, &servers).await)
        .await?;
    let mut urged = false;
    ask::until(&format!("{name} having a primary"), async || {
        let hellos: Vec<Option<Document>> = join_all(directs.iter().map(ask::hello)).await;
        let all = hellos.iter().all(|hello| hello.as_ref().is_some_and(ask::takes_part));
        if all && hellos.iter().flatten().any(ask::is_primary) {
            return Ok(Some(()));
        }
        if all && !urged {
            // Saves the wait for the first election; where it is refused the election comes by itself.
            urged = true;
            let _ = first.run("admin", doc! { "replSetStepUp": 1 }).await;
        }
        Ok(None)
    })
    .await?;
    users::ensure(cluster, &servers).await?;
    say(&format!("{name} is ready"));
    Ok(())
}

/// Initiates the set unless that is done; says whether it is.
async fn initiated(first: &Direct, part: Part, servers: &[&Server]) -> Result<Option<()>> {
    let Some(hello) = ask::hello(first).await else { return Ok(None) };
    if hello.contains_key("setName") {
        return Ok(Some(()));
    }
    match first.run("admin", doc! { "replSetInitiate": configuration(part, servers) }).await {
        Ok(_) => Ok(Some(())),
        // It reads its configuration just now, and will say so the next time.
        Err(error) if error.code == Some(ALREADY_INITIALIZED) => Ok(None),
        Err(error) => Err(ask::refused(servers[0], "initiate its replica set", &error)),
    }
}

fn configuration(part: Part, servers: &[&Server]) -> Document {
    let members: Vec<Bson> = (0_i32..)
        .zip(servers)
        .map(|(number, server)| Bson::Document(doc! { "_id": number, "host": server.address() }))
        .collect();
    let mut configuration = doc! {
        "_id": part.set().unwrap_or_default(),
        "members": members,
        "settings": { "electionTimeoutMillis": ELECTION_TIMEOUT_MS, "heartbeatIntervalMillis": HEARTBEAT_MS },
    };
    if part == Part::Config {
        configuration.insert("configsvr", true);
    }
    configuration
}

async fn router(cluster: &Cluster, say: Say<'_>) -> Result<()> {
    let router = cluster.router();
    wake_or_launch(cluster, router, say)?;
    ask::listening(cluster, router).await?;
    let direct = ask::connect(router, &cluster.security().anonymous(), ask::PATIENCE)?;
    ask::until("the router answering", async || Ok(ask::hello(&direct).await)).await?;
    users::ensure(cluster, &[router]).await?;
    say("the router is ready");
    Ok(())
}

/// Tells the router of the shards that it does not know yet.
async fn join_shards(cluster: &Cluster, say: Say<'_>) -> Result<()> {
    let router = cluster.router();
    let direct = ask::connect(router, &cluster.access(), ask::PATIENCE)?;
    let listed = direct.run("admin", doc! { "listShards": 1 }).await;
    let listed = listed.map_err(|error| ask::refused(router, "list its shards", &error))?;
    let listed = listed.get_array("shards").cloned().unwrap_or_default();
    let known = |name: &str| {
        listed
            .iter()
            .filter_map(Bson::as_document)
            .any(|shard| shard.get_str("_id").is_ok_and(|id| id == name))
    };
    for part in (1..=cluster.shape().shards()).map(Part::Shard) {
        let name = part.shard().expect("it is a shard");
        if known(&name) {
            continue;
        }
        let hosts: Vec<String> = cluster.of_part(part).map(Server::address).collect();
        let command = doc! { "addShard": format!("{name}/{}", hosts.join(",")), "name": &name };
        let added = direct.run("admin", command).await;
        added.map_err(|error| ask::refused(router, &format!("take in the shard {name}"), &error))?;
        say(&format!("{name} has joined the cluster"));
    }
    Ok(())
}
