//! The cluster that the tests of a process share.

use std::sync::Arc;
use std::time::Duration;

use mworld_mongo::admin::{Direct, doc};
use mworld_playground::mongodb::Role;
use mworld_playground::{State, testing};

use crate::{of, port, with_role};

/// Each test of a process has a runtime of its own, as these two have.
#[test]
fn tests_of_one_process_share_one_cluster() {
    let ask = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(testing::cluster(2, 1))
    };
    let both = [std::thread::spawn(ask), std::thread::spawn(ask)].map(|thread| thread.join().unwrap());
    assert!(Arc::ptr_eq(&both[0], &both[1]));
}

#[tokio::test]
async fn every_member_says_what_it_does() {
    let cluster = testing::cluster(2, 1).await;
    let members = cluster.members().await;
    assert!(members.iter().all(|member| member.state == State::Up && member.pid.is_some()), "{members:#?}");
    assert_eq!(with_role(&members, Role::Primary), ["s1-1", "s2-1"]);
    assert_eq!(with_role(&members, Role::Config), ["config-1"]);
    assert_eq!(with_role(&members, Role::Router), ["mongos-1"]);
    assert_eq!(of(&members, "s2-1").shard.as_deref(), Some("s2"));
    assert_eq!(of(&members, "config-1").shard, None);
}

#[tokio::test]
async fn the_router_spreads_a_collection_over_the_shards() {
    let cluster = testing::cluster(2, 1).await;
    let members = cluster.members().await;
    let router = port(of(&members, "mongos-1"));
    assert_eq!(cluster.uri_of("x"), format!("mongodb://127.0.0.1:{router}/x"));
    let direct = Direct::new("127.0.0.1", router, &cluster.access(), Duration::from_secs(30)).unwrap();
    let command = doc! { "shardCollection": "the_router.spreads", "key": { "_id": "hashed" } };
    direct.run("admin", command).await.unwrap();
    let documents: Vec<_> = (0..100).map(|id| doc! { "_id": id }).collect();
    direct.run("the_router", doc! { "insert": "spreads", "documents": documents }).await.unwrap();
    for shard in ["s1-1", "s2-1"] {
        let direct =
            Direct::new("127.0.0.1", port(of(&members, shard)), &cluster.access(), Duration::from_secs(30));
        let counted = direct.unwrap().run("the_router", doc! { "count": "spreads" }).await.unwrap();
        let counted = counted.get_i32("n").unwrap();
        assert!((1..100).contains(&counted), "{shard} has {counted} of 100");
    }
    direct.run("the_router", doc! { "dropDatabase": 1 }).await.unwrap();
}
