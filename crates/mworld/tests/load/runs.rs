//! Runs that nothing goes wrong in.

use std::time::Duration;

use serde_json::Value;

use crate::process::Start;
use crate::running::output;
use crate::{alone, assert_all_accounted_for, load, report, url, within};

/// Fails when names, e-mails or keys of two runs meet, or when a run counts on an empty store.
#[test]
fn a_new_store_and_a_used_one_are_driven_and_found_sound() {
    let _machine = alone();
    within(Duration::from_secs(120), async {
        let dir = tempfile::tempdir().unwrap();
        let store = Start::in_dir(&dir.path().join("data")).open().await;
        for seed in ["1", "1", "2"] {
            let report = report(&output(&mut load(&url(&store), &["--verify", "--seed", seed])).await);
            assert_all_accounted_for(&report);
            assert_eq!(report["scheduled"], 300);
            assert_eq!(report["failed"], 0, "{report:#}");
            assert_eq!(report["verdict"]["ok"], true, "{:#}", report["verdict"]);
            assert!(report["verdict"]["checked"].as_u64().unwrap() > 300, "{:#}", report["verdict"]);
            let placed = &report["operations"]["order.place"];
            assert!(
                placed["count"].as_u64() > placed["refused"].as_u64(),
                "somebody bought something: {placed}"
            );
        }
    });
}

/// Fails when what finds no room is sent all the same, or is not counted.
#[test]
fn no_more_is_in_flight_than_may_be() {
    let _machine = alone();
    within(Duration::from_secs(60), async {
        let dir = tempfile::tempdir().unwrap();
        let store = Start::in_dir(&dir.path().join("data")).open().await;
        let flags = ["--in-flight", "2", "--rate", "3000", "--duration", "1s"];
        let report = report(&output(&mut load(&url(&store), &flags)).await);
        assert_all_accounted_for(&report);
        assert!(report["not_sent"]["no_room"].as_u64().unwrap() > 0, "{}", report["not_sent"]);
        let seconds = report["timeline"].as_array().unwrap();
        assert!(seconds.iter().all(|second| second["in_flight"].as_u64().unwrap() <= 2), "{seconds:?}");
        assert!(report["completed"].as_u64().unwrap() > 0);
    });
}

/// The whole configuration is in the report, so that the run can be done again.
#[test]
fn a_report_says_under_which_conditions() {
    let _machine = alone();
    within(Duration::from_secs(60), async {
        let dir = tempfile::tempdir().unwrap();
        let store = Start::in_dir(&dir.path().join("data")).open().await;
        let flags = ["--rate", "50", "--duration", "2s", "--seed", "7", "--timeout", "5s"];
        let report = report(&output(&mut load(&url(&store), &flags)).await);
        assert_eq!(report["rate"], 50.0);
        assert_eq!((&report["seed"], &report["duration_s"]), (&Value::from(7), &Value::from(2.0)));
        assert_eq!(report["verdict"], Value::Null, "nobody asked for one");
        let conditions = &report["conditions"];
        assert_eq!(
            (&conditions["products"], &conditions["timeout_s"]),
            (&Value::from(16), &Value::from(5.0))
        );
        let text = conditions["scenario_text"].as_str().unwrap();
        assert_eq!(text, std::fs::read_to_string(crate::SCENARIO).unwrap());
        let due: u64 =
            report["timeline"].as_array().unwrap().iter().map(|s| s["due"].as_u64().unwrap()).sum();
        assert_eq!(due, 100);
    });
}
