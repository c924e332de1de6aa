//! A store that stands still now and then.

use std::time::Duration;

use rustix::process::{Signal, kill_process};

use crate::process::Start;
use crate::running::output;
use crate::{alone, assert_all_accounted_for, load, report, url, within};

/// A third of the time the store is stopped. A driver that waits for an answer before it sends the next request would
/// send a handful in that time and call them slow; this one sends a third of all, and says so.
///
/// Fails when latency counts from the moment of sending, or when a slow answer holds up what is due.
#[test]
fn a_store_that_stands_still_is_seen_by_everything_that_was_due() {
    let _machine = alone();
    within(Duration::from_secs(120), async {
        let dir = tempfile::tempdir().unwrap();
        let store = Start::in_dir(&dir.path().join("data")).open().await;
        let mut command = load(&url(&store), &["--rate", "100", "--duration", "12s"]);
        let run = tokio::spawn(async move { output(&mut command).await });
        // Two seconds in every six, from somewhere in the middle of the first ones; set-up may meet one too.
        while !run.is_finished() {
            tokio::time::sleep(Duration::from_secs(4)).await;
            kill_process(store.pid(), Signal::STOP).unwrap();
            tokio::time::sleep(Duration::from_secs(2)).await;
            kill_process(store.pid(), Signal::CONT).unwrap();
        }
        let report = report(&run.await.unwrap());
        assert_all_accounted_for(&report);
        let operations = report["operations"].as_object().unwrap();
        let commonest = operations.values().max_by_key(|figures| figures["count"].as_u64()).unwrap();
        let p90 = commonest["p90_ms"].as_f64().unwrap();
        assert!(p90 > 500.0, "a stall of 2 s in every 6 gives a p90 of {p90} ms: omitted");
        let most =
            report["timeline"].as_array().unwrap().iter().map(|s| s["in_flight"].as_u64().unwrap()).max();
        assert!(most > Some(50), "what is due during a stall is sent all the same, not {most:?}");
    });
}
