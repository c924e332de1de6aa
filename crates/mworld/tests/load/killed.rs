//! A store that is killed and comes back.

use std::time::Duration;

use crate::process::Start;
use crate::{alone, assert_all_accounted_for, driving, ended, load, report, url, within};

/// Fails when a lost connection ends the run, when a checkout whose answer got lost is not asked for again, or when the
/// judge takes the store's death for a lie.
#[test]
fn a_store_that_is_killed_three_times_is_driven_to_the_end_and_found_sound() {
    let _machine = alone();
    within(Duration::from_secs(180), async {
        let dir = tempfile::tempdir().unwrap();
        let start = Start::in_dir(&dir.path().join("data"));
        let mut store = start.open().await;
        let start = start.at(store.address);
        let mut child =
            load(&url(&store), &["--rate", "150", "--duration", "12s", "--verify"]).spawn().unwrap();
        driving(&mut child).await;
        let run = tokio::spawn(ended(child));
        for _ in 0..3 {
            store.kill();
            store.ended(Duration::from_secs(5)).await;
            tokio::time::sleep(Duration::from_millis(300)).await;
            store = start.open().await;
            tokio::time::sleep(Duration::from_millis(1_500)).await;
        }
        let report = report(&run.await.unwrap());
        assert_all_accounted_for(&report);
        assert!(report["failed"].as_u64().unwrap() > 0, "nobody noticed that the store was gone");
        let placed = &report["operations"]["order.place"];
        assert_eq!(placed["errors"], 0, "every checkout was asked for until it was known: {placed}");
        assert_eq!(report["verdict"]["ok"], true, "{:#}", report["verdict"]);
    });
}
