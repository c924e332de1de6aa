//! What a store costs that nobody uses.

use std::time::Duration;

use crate::process::Start;
use crate::{alone, within};

#[test]
fn an_idle_demo_store_is_small() {
    let _machine = alone();
    within(Duration::from_secs(90), async {
        let dir = tempfile::tempdir().unwrap();
        let store = Start::in_dir(&dir.path().join("data")).flag("--demo", "2000").open().await;
        let (now, most) = (store.memory_mib("VmRSS"), store.memory_mib("VmHWM"));
        println!("2,000 products: {now:.1} MiB after readiness, {most:.1} MiB at most before");
        // An unoptimised program is larger by its own text alone.
        if !cfg!(debug_assertions) {
            assert!(now <= 60.0, "{now:.1} MiB");
        }
    });
}
