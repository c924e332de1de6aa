//! Backup and restore.

use tempfile::tempdir;

use crate::run;
use crate::running::Running;

#[test]
fn a_copy_of_an_open_store_becomes_a_store() {
    let dir = tempdir().unwrap();
    let store = Running::start(dir.path(), &["--demo", "120"]);
    store.wait_until_ready();
    let copied = run(dir.path(), &["backup", "copy.sqlite"]);
    assert_eq!(copied.code, Some(0), "{copied:?}");
    let before = run(dir.path(), &["export", "before.ndjson", "--url", &store.url()]);
    assert_eq!(before.code, Some(0), "{before:?}");
    assert_eq!(store.close().code(), Some(0));
    let restored = run(dir.path(), &["restore", "copy.sqlite", "--data", "restored"]);
    assert_eq!(restored.code, Some(0), "{restored:?}");
    assert!(restored.stdout.contains("mworld serve --data restored"), "{restored:?}");
    let store = Running::start(dir.path(), &["--data", "restored"]);
    let after = run(dir.path(), &["export", "after.ndjson", "--url", &store.url()]);
    assert_eq!(after.code, Some(0), "{after:?}");
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(read("before.ndjson"), read("after.ndjson"));
    assert_eq!(read("after.ndjson").lines().count(), 120);
}

#[test]
fn nothing_is_overwritten_and_nothing_unsound_is_restored() {
    let dir = tempdir().unwrap();
    let store = Running::start(dir.path(), &[]);
    assert_eq!(store.close().code(), Some(0));
    std::fs::write(dir.path().join("taken"), "precious").unwrap();
    for (arguments, fragment) in [
        (&["backup", "taken"][..], "taken is already there"),
        (&["backup", "copy", "--data", "nowhere"], "there is no store in nowhere"),
        (&["restore", "taken", "--data", "new"], "taken is no sound copy of a store"),
    ] {
        let refused = run(dir.path(), arguments);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(fragment), "{fragment:?} is missing in {refused:?}");
    }
    assert_eq!(std::fs::read_to_string(dir.path().join("taken")).unwrap(), "precious");
    assert_eq!(run(dir.path(), &["backup", "copy"]).code, Some(0));
    let refused = run(dir.path(), &["restore", "copy", "--data", "mworld-data"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("mworld-data is not empty"), "{refused:?}");
}
