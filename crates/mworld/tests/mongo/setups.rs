//! Set-ups that cannot work: said in words, with what to do, within seconds, and with nothing changed.

use std::process::Command;
use std::time::{Duration, Instant};

use mworld_playground::testing::cluster;

use crate::within;

/// What a command said that must fail, and soon.
fn refused(arguments: &[&str]) -> String {
    let started = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_mworld"));
    let strange = std::env::vars_os().map(|(name, _)| name);
    for name in strange.filter(|name| name.to_string_lossy().starts_with("MWORLD_")) {
        command.env_remove(name);
    }
    let dir = tempfile::tempdir().unwrap();
    let output = command.args(arguments).current_dir(dir.path()).output().unwrap();
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!output.status.success(), "{arguments:?} must fail, and said: {said}");
    assert!(
        output.status.code().is_some_and(|code| code == 1 || code == 2),
        "{arguments:?}: {:?}",
        output.status
    );
    assert!(started.elapsed() < Duration::from_secs(10), "{arguments:?} took {:?}", started.elapsed());
    said
}

/// Each command that opens a cluster, with this address.
fn each_refuses(uri: &str, words: &[&str]) {
    let commands: [&[&str]; 3] = [
        &["serve", "--listen", "127.0.0.1:0", "--mongodb", uri],
        &["layout", "apply", "category-spread", "--mongodb", uri],
        &["doctor", "--mongodb", uri],
    ];
    for command in commands {
        let said = refused(command);
        for word in words {
            assert!(said.contains(word), "{command:?} does not speak of {word:?}:\n{said}");
        }
    }
}

#[test]
fn an_address_where_nobody_answers() {
    each_refuses("mongodb://127.0.0.1:1/shop", &["127.0.0.1:1", "mongos"]);
}

#[test]
fn an_address_that_is_none() {
    each_refuses("mongodb://:-1", &["mongodb://"]);
}

#[test]
fn a_server_that_is_no_router() {
    within(Duration::from_secs(120), async {
        let cluster = cluster(2, 1).await;
        let members = cluster.members().await;
        let shard = members.iter().find(|member| member.shard.is_some()).unwrap();
        let uri = format!("mongodb://{}/shop?directConnection=true", shard.address);
        tokio::task::spawn_blocking(move || each_refuses(&uri, &["router", "playground"])).await.unwrap();
    });
}
