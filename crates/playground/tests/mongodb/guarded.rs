//! A cluster that demands a password and TLS.

use std::time::Duration;

use mworld_mongo::admin::{Access, AdminError, Direct, Document, doc};
use mworld_playground::mongodb::{Demands, Member};
use mworld_playground::testing::guarded_cluster;

use crate::{of, port};

/// A question that only a known user may ask.
async fn ask(member: &Member, access: &Access) -> Result<Document, AdminError> {
    let direct = Direct::new("127.0.0.1", port(member), access, Duration::from_secs(3)).unwrap();
    direct.run("admin", doc! { "listDatabases": 1 }).await
}

#[tokio::test]
async fn only_the_right_password_over_tls_gets_in() {
    let cluster = guarded_cluster(2, 1, Demands { auth: true, tls: true }).await;
    let members = cluster.members().await;
    let right = cluster.access();
    let (user, password) = right.user.clone().unwrap();
    assert!(!cluster.uri().contains(&password), "{}", cluster.uri());
    assert!(cluster.uri().contains("authSource=admin&tls=true&tlsCAFile="), "{}", cluster.uri());

    let wrong = Access { user: Some((user, format!("{password}x"))), ..right.clone() };
    let nobody = Access { user: None, ..right.clone() };
    let in_the_clear = Access { ca_file: None, ..right.clone() };
    // The shard is asked past the router, too.
    for name in ["mongos-1", "s1-1"] {
        let member = of(&members, name);
        ask(member, &right).await.unwrap();
        // 18: the password is wrong. 13: without a user nothing is allowed.
        assert_eq!(refused(member, &wrong).await.code, Some(18));
        assert_eq!(refused(member, &nobody).await.code, Some(13));
    }
    assert_eq!(refused(of(&members, "mongos-1"), &in_the_clear).await.code, None);

    // What is demanded is demanded after a restart as well.
    cluster.kill("s1-1").await;
    cluster.revive("s1-1").await;
    ask(of(&members, "s1-1"), &right).await.unwrap();
    assert_eq!(refused(of(&members, "s1-1"), &wrong).await.code, Some(18));
}

async fn refused(member: &Member, access: &Access) -> AdminError {
    ask(member, access).await.expect_err("must be refused")
}
