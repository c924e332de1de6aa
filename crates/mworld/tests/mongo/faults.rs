//! What happens to a cluster while the store sells. Each fault is in the middle of judged traffic; whatever the clients had
//! to hear meanwhile, nothing that was acknowledged may be lost, doubled or oversold.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mworld_mongo::admin::{Direct, doc};
use mworld_playground::mongodb::Role;
use mworld_playground::testing::{TestCluster, cluster};

use crate::process::Store;
use crate::rehearsal::{Plan, Rehearsal, store_on};
use crate::within;

/// Lets one test at a time have the cluster.
fn alone() -> MutexGuard<'static, ()> {
    static CLUSTER: Mutex<()> = Mutex::new(());
    CLUSTER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Two shards of three members: what elects a new primary when one dies.
async fn replicated() -> std::sync::Arc<TestCluster> {
    cluster(2, 3).await
}

/// The name of the member that leads this shard.
async fn primary(cluster: &TestCluster, shard: &str) -> String {
    loop {
        let members = cluster.members().await;
        let leads = |member: &&mworld_playground::mongodb::Member| {
            member.shard.as_deref() == Some(shard) && member.role == Role::Primary
        };
        if let Some(member) = members.iter().find(leads) {
            return member.name.clone();
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Drives a store of its own while the fault happens, and judges it.
fn rehearse(what: &'static str, fault: impl AsyncFnOnce(&TestCluster, &mut Store, &Plan)) {
    let _cluster = alone();
    within(Duration::from_secs(600), async {
        let (cluster, plan) = (replicated().await, Plan::of_this_run());
        let dir = tempfile::tempdir().unwrap();
        let start = store_on(&cluster, &what.replace(' ', "-"), dir.path());
        let mut store = start.open().await;
        let run = Rehearsal::begin(what, &store, &plan).await;
        tokio::time::sleep(plan.around).await;
        fault(&cluster, &mut store, &plan).await;
        tokio::time::sleep(plan.around).await;
        run.end_sound().await;
    });
}

#[test]
fn a_primary_is_killed_and_comes_back() {
    rehearse("primary killed", async |cluster, _, plan| {
        let member = primary(cluster, "s1").await;
        cluster.kill(&member).await;
        primary(cluster, "s1").await;
        tokio::time::sleep(plan.fault).await;
        cluster.revive(&member).await;
    });
}

#[test]
fn a_member_stands_still() {
    rehearse("member paused", async |cluster, _, plan| {
        let member = primary(cluster, "s2").await;
        cluster.pause(&member).await;
        tokio::time::sleep(plan.fault.max(Duration::from_secs(10))).await;
        cluster.revive(&member).await;
    });
}

#[test]
fn the_router_is_started_anew() {
    rehearse("router restarted", async |cluster, _, _| {
        cluster.kill("mongos-1").await;
        cluster.revive("mongos-1").await;
    });
}

#[test]
fn the_store_is_killed_and_started_again() {
    let _cluster = alone();
    within(Duration::from_secs(600), async {
        let (cluster, plan) = (replicated().await, Plan::of_this_run());
        let dir = tempfile::tempdir().unwrap();
        let start = store_on(&cluster, "store-killed", dir.path());
        let mut store = start.open().await;
        let start = start.at(store.address);
        let run = Rehearsal::begin("store killed", &store, &plan).await;
        tokio::time::sleep(plan.around).await;
        store.kill();
        store.ended(Duration::from_secs(5)).await;
        let _store = start.open().await;
        tokio::time::sleep(plan.around).await;
        run.end_sound().await;
    });
}

#[test]
fn a_range_is_moved_back_and_forth() {
    rehearse("range moved", async |cluster, _, plan| {
        let router = Direct::at(&cluster.uri(), Duration::from_secs(30)).await.unwrap();
        let (mut moves, until) = (0, tokio::time::Instant::now() + plan.fault.max(Duration::from_secs(5)));
        while tokio::time::Instant::now() < until {
            let shards = ["s1", "s2"];
            let order = doc! {
                "moveRange": "range-moved.orders",
                "min": { "user_id": 0_i64 },
                "toShard": shards[moves % 2],
                "waitForDelete": true,
                "maxTimeMS": 20_000,
            };
            // A move that meets an open transaction fails and is tried again: that is the cluster's way.
            match router.run("admin", order).await {
                Ok(_) => moves += 1,
                Err(error) => println!("a move had to be tried again: {error}"),
            }
        }
        println!("{moves} moves");
        assert!(moves > 0, "not one range could be moved");
    });
}
