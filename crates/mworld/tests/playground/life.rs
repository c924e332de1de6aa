//! A playground from `up` to `down`.

use serde_json::json;

use crate::Play;

#[test]
fn members_are_killed_paused_and_brought_back_and_nothing_is_left() {
    let play = Play::new();
    let said = play.done("up --mongodb 2x1");
    let uri = play.status()["mongodb"]["uri"].as_str().unwrap().to_owned();
    assert!(said.contains("2x1 is up") && said.contains(&uri), "{said}");

    let status = play.status();
    assert_eq!(status["cassandra"], json!(null));
    let roles: Vec<_> = status["mongodb"]["members"].as_array().unwrap().iter().map(summary).collect();
    assert_eq!(
        roles,
        [
            json!(["config-1", null, "config", "up"]),
            json!(["s1-1", "s1", "primary", "up"]),
            json!(["s2-1", "s2", "primary", "up"]),
            json!(["mongos-1", null, "router", "up"]),
        ]
    );
    let router = play.member("mongos-1");
    assert!(uri.starts_with(&format!("mongodb://{}/", router["address"].as_str().unwrap())), "{uri}");
    assert!(router["pid"].as_u64().is_some());

    assert!(play.done("up").contains("2x1 is running already"));
    let refused = play.run("up --mongodb 2x3");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("2x1 and not 2x3") && refused.stderr.contains("down"), "{refused:?}");

    play.done("kill s1-1");
    play.done("pause s2-1");
    assert_eq!(summary(&play.member("s1-1")), json!(["s1-1", "s1", "unknown", "down"]));
    assert_eq!(play.member("s1-1")["pid"], json!(null));
    assert_eq!(summary(&play.member("s2-1")), json!(["s2-1", "s2", "unknown", "paused"]));
    let table = play.done("status");
    assert!(table.lines().any(|line| line.starts_with("s2-1") && line.contains("paused")), "{table}");
    assert!(play.done("up").contains("started: s1-1, s2-1"));
    assert_eq!(summary(&play.member("s1-1")), json!(["s1-1", "s1", "primary", "up"]));

    play.done("pause s2-1");
    play.done("revive s2-1");
    assert_eq!(summary(&play.member("s2-1")), json!(["s2-1", "s2", "primary", "up"]));
    play.done("kill mongos-1");
    play.done("revive mongos-1");
    assert_eq!(play.status()["mongodb"]["uri"], json!(uri));

    // One that stands still and one that is dead are no hindrance.
    play.done("pause s1-1");
    play.done("kill s2-1");
    play.done("down");
    play.assert_gone();
    assert!(play.done("down").contains("there is no playground"));
}

fn summary(member: &serde_json::Value) -> serde_json::Value {
    json!([member["name"], member["shard"], member["role"], member["state"]])
}
