//! What a person may get wrong, and what is said then.

use std::process::Output;
use std::time::Duration;

use crate::process::Start;
use crate::running::output;
use crate::{alone, load, url, within};

fn assert_says(output: &Output, code: i32, parts: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(output.stdout.is_empty(), "nothing on standard output");
    for part in parts {
        assert!(stderr.contains(part), "{part:?} is not in {stderr}");
    }
}

#[test]
fn a_store_that_is_not_there() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    within(Duration::from_secs(60), async {
        let seen = output(&mut load(&format!("http://{free}"), &[])).await;
        assert_says(&seen, 1, &["cannot be reached", "refused", "mworld serve", "--url"]);
    });
}

#[test]
fn an_address_that_is_none() {
    within(Duration::from_secs(60), async {
        for (wrong, why) in
            [("localhost:8080", "http://"), ("https://shop", "TLS"), ("http://shop/api", "path")]
        {
            assert_says(&output(&mut load(wrong, &[])).await, 2, &[why]);
        }
    });
}

#[test]
fn no_token_and_a_wrong_one() {
    let _machine = alone();
    within(Duration::from_secs(60), async {
        let dir = tempfile::tempdir().unwrap();
        let store = Start::in_dir(&dir.path().join("data")).open().await;
        let without = output(load(&url(&store), &[]).env_remove("MWORLD_OPERATOR_TOKEN")).await;
        assert_says(&without, 2, &["MWORLD_OPERATOR_TOKEN", "mworld serve"]);
        let wrong = output(load(&url(&store), &[]).env("MWORLD_OPERATOR_TOKEN", "somebody")).await;
        assert_says(&wrong, 1, &["does not take this operator token", "401", "MWORLD_OPERATOR_TOKEN"]);
    });
}

#[test]
fn a_store_with_other_zones() {
    let _machine = alone();
    within(Duration::from_secs(60), async {
        let dir = tempfile::tempdir().unwrap();
        let start = Start::in_dir(&dir.path().join("data")).setting("MWORLD_SHOP_ZONES", "ber,ham");
        let store = start.open().await;
        let seen = output(&mut load(&url(&store), &[])).await;
        assert_says(&seen, 1, &["no zone \"msk\"", "ber, ham"]);
    });
}
