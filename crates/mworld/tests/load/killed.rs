//! A store that is killed and comes back.

use std::time::Duration;

use serde_json::Value;

use crate::process::{Start, Store};
use crate::running::Running;
use crate::{alone, assert_all_accounted_for, load, load_scenario, report, url, within};

/// How long it is up between two kills: whole seconds in which nothing fails, whatever the second's fraction.
const BETWEEN: Duration = Duration::from_millis(3_500);

/// Kills the store without a warning and starts it again, three times.
async fn kill_three_times(start: &Start, mut store: Store, between: Duration) -> Store {
    for _ in 0..3 {
        store.kill();
        store.ended(Duration::from_secs(5)).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        store = start.open().await;
        tokio::time::sleep(between).await;
    }
    store
}

/// How many stretches of the first seconds have failures, with seconds between them in which there were only answers.
fn stretches_of_failure(report: &Value, first_seconds: u64) -> usize {
    let number = |second: &Value, name: &str| second[name].as_u64().unwrap();
    let seconds = report["timeline"].as_array().unwrap();
    let (mut stretches, mut failing) = (0, false);
    for second in seconds.iter().filter(|second| number(second, "at") < first_seconds) {
        if number(second, "failed") > 0 {
            stretches += usize::from(!failing);
            failing = true;
        } else if number(second, "completed") > 0 {
            failing = false;
        }
    }
    stretches
}

fn assert_sound_after_kills(report: &Value, scheduled_seconds: u64) {
    assert_all_accounted_for(report);
    let stretches = stretches_of_failure(report, scheduled_seconds);
    assert!(stretches >= 3, "three kills are seen, not {stretches}: {:#}", report["timeline"]);
    let placed = &report["operations"]["order.place"];
    assert_eq!(placed["errors"], 0, "every checkout was asked for until it was known: {placed}");
    assert_eq!(report["verdict"]["ok"], true, "{:#}", report["verdict"]);
}

/// Fails when a lost connection ends the run, when a checkout whose answer got lost is not asked for again, or when the
/// judge takes the store's death for a lie.
///
/// The run is far longer than the kills can take, and ended after them: however slow the machine, all three are in it.
#[test]
fn a_store_that_is_killed_three_times_is_driven_on_and_found_sound() {
    let _machine = alone();
    within(Duration::from_secs(180), async {
        let dir = tempfile::tempdir().unwrap();
        let start = Start::in_dir(&dir.path().join("data"));
        let store = start.open().await;
        let start = start.at(store.address);
        let flags = ["--rate", "150", "--duration", "15m", "--verify"];
        let mut run = Running::begin(&mut load(&url(&store), &flags));
        run.driving().await;
        let _store = kill_three_times(&start, store, BETWEEN).await;
        run.interrupt();
        let report = report(&run.ended().await);
        assert_eq!(report["conditions"]["ended_early"], true);
        assert_sound_after_kills(&report, 15 * 60);
    });
}

/// The shipped scenario at full length, to its end; some minutes, so only where `MWORLD_LONG=1` asks for it.
#[test]
fn black_friday_is_sound_with_three_kills_and_without_any() {
    if std::env::var("MWORLD_LONG").as_deref() != Ok("1") {
        return;
    }
    let _machine = alone();
    for kills in [true, false] {
        within(Duration::from_secs(900), async {
            let dir = tempfile::tempdir().unwrap();
            let start = Start::in_dir(&dir.path().join("data"));
            let mut store = start.open().await;
            let start = start.at(store.address);
            let flags = ["--rate", "500", "--duration", "60s", "--verify"];
            let mut run = Running::begin(&mut load_scenario(&url(&store), "black-friday", &flags));
            run.driving().await;
            if kills {
                store = kill_three_times(&start, store, Duration::from_secs(10)).await;
            }
            let report = report(&run.ended().await);
            drop(store);
            assert_eq!(report["conditions"]["ended_early"], false);
            if kills {
                assert_sound_after_kills(&report, 60);
            } else {
                assert_all_accounted_for(&report);
                assert_eq!(report["verdict"]["ok"], true, "{:#}", report["verdict"]);
            }
        });
    }
}

/// The measure itself: a failure in two seconds running is one stretch, and what comes after the end is none.
#[test]
fn stretches_are_counted_by_the_answers_between_them() {
    let second = |at: u64, completed: u64, failed: u64| serde_json::json!({ "at": at, "completed": completed, "failed": failed });
    let timeline = [
        second(0, 5, 1),
        second(1, 0, 3),
        second(2, 0, 0),
        second(3, 2, 1),
        second(4, 5, 0),
        second(5, 0, 1),
        second(6, 5, 0),
        second(7, 0, 1),
    ];
    let report = serde_json::json!({ "timeline": timeline });
    assert_eq!(stretches_of_failure(&report, 7), 2);
    assert_eq!(stretches_of_failure(&report, 8), 3);
}
