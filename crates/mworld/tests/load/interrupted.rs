//! Ctrl-C.

use std::time::Duration;

use crate::process::Start;
use crate::running::Running;
use crate::{alone, assert_all_accounted_for, load, report, url, within};

/// Fails when the report is lost, or when what was not sent is not said.
#[test]
fn an_interrupted_run_ends_early_with_a_report() {
    let _machine = alone();
    within(Duration::from_secs(120), async {
        let dir = tempfile::tempdir().unwrap();
        let store = Start::in_dir(&dir.path().join("data")).open().await;
        let flags = ["--rate", "100", "--duration", "1h", "--verify"];
        let mut run = Running::begin(&mut load(&url(&store), &flags));
        run.driving().await;
        run.interrupt();
        let report = report(&run.ended().await);
        assert_all_accounted_for(&report);
        assert_eq!(report["conditions"]["ended_early"], true);
        assert!(report["not_sent"]["ended_early"].as_u64().unwrap() > 300_000, "{}", report["not_sent"]);
        assert!(report["completed"].as_u64().unwrap() > 0);
        assert_eq!(report["verdict"]["ok"], true, "{:#}", report["verdict"]);
    });
}

#[test]
fn an_interrupted_set_up_ends_at_once_and_says_so() {
    let _machine = alone();
    within(Duration::from_secs(60), async {
        // Somebody who accepts and says nothing: set-up waits for the first answer.
        let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = silent.local_addr().unwrap();
        let run = Running::begin(&mut load(&format!("http://{address}"), &[]));
        let _held = silent.accept().await.unwrap();
        run.hearing_interrupts().await;
        run.interrupt();
        let output = run.ended().await;
        assert_eq!(output.status.code(), Some(130));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("set-up"), "{stderr}");
        assert!(output.stdout.is_empty());
    });
}
