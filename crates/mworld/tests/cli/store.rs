//! Opening and closing a store.

use std::path::Path;

use rustix::process::Signal;
use tempfile::tempdir;

use crate::running::{Running, TOKEN};
use crate::{mworld, run};

fn exported(dir: &Path, store: &Running, name: &str) -> Vec<String> {
    let ended = run(dir, &["export", name, "--url", &store.url()]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    std::fs::read_to_string(dir.join(name)).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_demo_store_opens_gets_ready_and_closes_when_told() {
    let dir = tempdir().unwrap();
    let store = Running::start(dir.path(), &["--demo", "50"]);
    store.wait_until_ready();
    assert_eq!(exported(dir.path(), &store, "all.ndjson").len(), 50);
    let (status, metrics) = store.get("/metrics", None);
    assert_eq!(status, 200);
    assert!(
        metrics.contains("mworld_shard_operations_total{engine=\"embedded\",entity=\"products\""),
        "{metrics}"
    );
    assert_eq!(store.close().code(), Some(0));
    // The same directory again: the products are there, and the demo is not added twice.
    let store = Running::start(dir.path(), &["--demo", "70"]);
    store.wait_until_ready();
    assert_eq!(exported(dir.path(), &store, "again.ndjson").len(), 50);
    assert_eq!(store.end_by(Signal::INT).code(), Some(0));
}

#[test]
fn a_demo_that_was_interrupted_is_finished_by_the_next_start() {
    let dir = tempdir().unwrap();
    let store = Running::start(dir.path(), &["--demo", "4000"]);
    // Some of it must be there, and not all: only then is there something to go on with.
    loop {
        let (status, body) = store.get("/readyz", None);
        assert!(status == 503 && body.contains("of 4000 products"), "ready too early: {status} {body}");
        if !body.contains(": 0 of") {
            break;
        }
    }
    let _ = store.end_by(Signal::KILL);
    assert!(dir.path().join("mworld-data/demo-progress.json").exists());
    let store = Running::start(dir.path(), &["--demo"]);
    store.wait_until_ready();
    assert_eq!(exported(dir.path(), &store, "all.ndjson").len(), 4_000);
    assert!(!dir.path().join("mworld-data/demo-progress.json").exists());
}

#[test]
fn a_token_that_was_brought_opens_the_operators_door_and_is_never_shown() {
    let dir = tempdir().unwrap();
    let store = Running::start(dir.path(), &[]);
    assert!(!store.announced.contains(TOKEN), "{}", store.announced);
    assert_eq!(store.get("/api/v1/ops/shards", Some(TOKEN)).0, 200);
    assert_eq!(store.get("/api/v1/ops/shards", Some("another")).0, 401);
    let (_, layout) = store.get("/api/v1/ops/layout", Some(TOKEN));
    assert!(layout.contains("category-spread"), "{layout}");
}

#[test]
fn a_token_that_nobody_brought_is_made_and_shown() {
    let dir = tempdir().unwrap();
    let store = Running::start_with(dir.path(), &[], None);
    let line = store.announced.lines().find(|line| line.contains("operator token")).unwrap();
    let token = line.split_whitespace().last().unwrap().to_owned();
    assert_eq!(store.get("/api/v1/ops/shards", Some(&token)).0, 200);
}

#[test]
fn a_directory_and_a_port_belong_to_one_store() {
    let dir = tempdir().unwrap();
    let store = Running::start(dir.path(), &[]);
    let ended = run(dir.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.stderr.contains(&format!("in use by another mworld (process {})", store.process())),
        "{ended:?}"
    );
    let ended = run(dir.path(), &["serve", "--data", "other", "--listen", &store.address]);
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains(&format!("cannot listen on {}", store.address)), "{ended:?}");
    assert!(!dir.path().join("other").exists(), "a store that cannot listen touches no directory");
}

#[test]
fn a_store_keeps_its_layout_and_its_number_of_shards() {
    let dir = tempdir().unwrap();
    let store = Running::start(dir.path(), &["--shards", "2"]);
    assert_eq!(store.close().code(), Some(0));
    for (arguments, fragment) in [
        (["--shards", "3", "--layout", "category-spread"], "start with `--shards 2`"),
        (["--shards", "2", "--layout", "geo-zoned"], "start with `--layout category-spread`"),
    ] {
        let mut command = mworld(dir.path());
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(arguments);
        let ended = crate::ended(command);
        assert_eq!(ended.code, Some(1));
        assert!(ended.stderr.contains(fragment), "{ended:?}");
    }
}

#[test]
fn the_doctor_tells_good_from_bad() {
    let dir = tempdir().unwrap();
    let healthy = run(dir.path(), &["doctor", "--listen", "127.0.0.1:0"]);
    assert_eq!(healthy.code, Some(0), "{healthy:?}");
    assert!(healthy.stdout.contains("✓ 127.0.0.1:0 is free") && healthy.stdout.contains("nothing is wrong"));
    let store = Running::start(dir.path(), &["--demo", "10"]);
    store.wait_until_ready();
    let open = run(dir.path(), &["doctor", "--listen", &store.address]);
    assert_eq!(open.code, Some(0), "{open:?}");
    assert!(open.stdout.contains(&format!("open in process {}", store.process())), "{}", open.stdout);
    assert_eq!(store.close().code(), Some(0));
    std::fs::write(dir.path().join("file"), "").unwrap();
    std::fs::write(dir.path().join("mworld-data/store.sqlite"), "no database at all").unwrap();
    for (arguments, fragment) in [
        (["--data", "file"], "✗ file is not a directory"),
        (["--data", "mworld-data"], "✗ the store in mworld-data cannot be read"),
        (["--listen", "203.0.113.1:9"], "✗ 203.0.113.1:9 cannot be listened on"),
        (["--layout", "nowhere"], "✗ the layout nowhere cannot be found"),
        (["--shards", "0"], "✗ the configuration cannot be used"),
    ] {
        let mut command = mworld(dir.path());
        command.arg("doctor").args(arguments);
        let sick = crate::ended(command);
        assert_eq!(sick.code, Some(1), "{sick:?}");
        assert!(sick.stdout.contains(fragment), "{fragment} is missing in {}", sick.stdout);
    }
}
