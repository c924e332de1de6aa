//! Servers killed, paused and revived, and what the others make of it.

use mworld_playground::State;
use mworld_playground::mongodb::Role;
use mworld_playground::testing::private_cluster;

use crate::{of, until, with_role};

#[tokio::test]
async fn a_shard_survives_the_death_of_its_leader_and_a_follower_that_stands_still() {
    let cluster = private_cluster(1, 3).await;
    let members = cluster.members().await;
    let [leader] = with_role(&members, Role::Primary).try_into().unwrap();
    assert_eq!(with_role(&members, Role::Secondary).len(), 2);

    cluster.kill(&leader).await;
    let dead = of(&cluster.members().await, &leader).clone();
    assert_eq!((dead.state, dead.role, dead.pid), (State::Down, Role::Unknown, None));
    let members = until(&cluster, |members| !with_role(members, Role::Primary).is_empty()).await;
    assert_ne!(with_role(&members, Role::Primary), [leader.as_str()]);
    cluster.revive(&leader).await;
    let back = of(&cluster.members().await, &leader).clone();
    assert!(back.state == State::Up && matches!(back.role, Role::Primary | Role::Secondary), "{back:?}");

    let [follower, ..] = &with_role(&cluster.members().await, Role::Secondary)[..] else {
        panic!("nobody follows")
    };
    cluster.pause(follower).await;
    cluster.pause(follower).await;
    let still = of(&cluster.members().await, follower).clone();
    assert_eq!((still.state, still.role), (State::Paused, Role::Unknown));
    assert!(still.pid.is_some());
    cluster.revive(follower).await;
    let awake = of(&cluster.members().await, follower).clone();
    assert_eq!((awake.state, awake.pid), (State::Up, still.pid));
}

#[tokio::test]
async fn router_and_config_server_come_back_too() {
    let cluster = private_cluster(1, 1).await;
    for name in ["mongos-1", "config-1"] {
        cluster.kill(name).await;
        cluster.kill(name).await;
        assert_eq!(of(&cluster.members().await, name).state, State::Down);
        cluster.revive(name).await;
        cluster.revive(name).await;
        let member = of(&cluster.members().await, name).clone();
        assert!(member.state == State::Up && member.role != Role::Unknown, "{member:?}");
    }
}

#[tokio::test]
#[should_panic(expected = "there is no member \"s9-1\"; the members are config-1, s1-1, mongos-1")]
async fn a_name_that_nobody_has_is_answered_with_the_names_that_are() {
    private_cluster(1, 1).await.kill("s9-1").await;
}
