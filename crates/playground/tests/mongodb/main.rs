//! Clusters of real servers: shared, broken, guarded, and gone with the process that wanted them.

// What the stories share is outside of any #[test]; a panic is how it fails, too.
#![allow(clippy::unwrap_used)]

mod dying;
mod faults;
mod guarded;
mod shared;

use std::time::{Duration, Instant};

use mworld_playground::mongodb::{Member, Role};
use mworld_playground::testing::TestCluster;

/// Longer than an election takes on the busiest machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asks until the servers are as they should be.
async fn until(cluster: &TestCluster, wanted: impl Fn(&[Member]) -> bool) -> Vec<Member> {
    let asked = Instant::now();
    loop {
        let members = cluster.members().await;
        if wanted(&members) {
            return members;
        }
        assert!(asked.elapsed() < PATIENCE, "they stay so: {members:#?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn of<'a>(members: &'a [Member], name: &str) -> &'a Member {
    members.iter().find(|member| member.name == name).unwrap()
}

fn with_role(members: &[Member], role: Role) -> Vec<String> {
    members.iter().filter(|member| member.role == role).map(|member| member.name.clone()).collect()
}

fn port(member: &Member) -> u16 {
    member.address.strip_prefix("127.0.0.1:").unwrap().parse().unwrap()
}
