//! The judge of `mworld load --verify` at work: a proxy stands between the driver and a real store. One kind of proxy
//! lies, rarely, and each lie is caught by the rule that is meant for it; the other is honest and awkward, delays,
//! cuts connections and has no time, and is never accused.
//!
//! Everything runs on 127.0.0.1. `MWORLD_LONG=1` makes more honest runs.

// In a test an error is a failure, wherever it stands; and what was seen is worth printing.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod awkward;
mod backstage;
// The store as a process, as the fault tests start it; not all of it is needed here.
#[allow(dead_code, reason = "shared with the fault tests, which use the rest")]
#[path = "../faults/http.rs"]
mod http;
mod liar;
mod lies;
mod load;
#[allow(dead_code, reason = "shared with the fault tests, which use the rest")]
#[path = "../faults/process.rs"]
mod process;
mod proxy;

use std::sync::Arc;
use std::time::Duration;

use crate::awkward::Awkward;
use crate::liar::{Liar, Lie};
use crate::load::Load;
use crate::process::{Start, Store};
use crate::proxy::{Middleman, Proxy};

/// How long a run sells.
const SECONDS: u64 = 10;

/// A store of its own, which is gone with the directory.
async fn store() -> (Store, tempfile::TempDir) {
    let dir = tempfile::tempdir().expect("a place for the store");
    let store = Start::in_dir(&dir.path().join("data")).open().await;
    (store, dir)
}

fn within(limit: Duration, story: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Runtime::new().expect("threads for the test");
    runtime.block_on(async {
        tokio::time::timeout(limit, story).await.expect("the whole test stays within its time");
    });
}

/// Tells one lie during one run; what the judge made of it.
async fn lie(store: &Store, lie: Lie) {
    let liar = Arc::new(Liar::new(lie));
    let proxy = Proxy::start(store.address, Middleman::Liar(Arc::clone(&liar))).await;
    let verdict = Load { rate: 90, seconds: SECONDS, seed: 1 }.run(proxy.address).await;
    let (told, rule) = (liar.told(), lie.rule());
    assert!(told > 0, "{lie:?} was never told");
    let Some((_, detail)) = verdict.violations.iter().find(|(broken, _)| broken == rule) else {
        panic!("{lie:?} was told {told} times, but {rule} found nothing: {:#?}", verdict.violations);
    };
    println!("{lie:?}, told {told} times; {} violations, such as {rule}: {detail}", verdict.violations.len());
}

#[test]
fn every_lie_is_caught_by_its_rule() {
    within(Duration::from_secs(300), async {
        let (store, _dir) = store().await;
        for lies in Lie::ALL.chunks(5) {
            let runs = lies.iter().map(|told| lie(&store, *told));
            futures_util::future::join_all(runs).await;
        }
    });
}

#[test]
fn an_honest_awkward_proxy_is_never_accused() {
    let runs = if std::env::var_os("MWORLD_LONG").is_some_and(|value| value == "1") { 20 } else { 2 };
    within(Duration::from_secs(60 + 60 * runs), async {
        let (store, _dir) = store().await;
        for pair in (0..runs).collect::<Vec<_>>().chunks(2) {
            let run = |seed: u64| {
                let address = store.address;
                async move {
                    let proxy = Proxy::start(address, Middleman::Awkward(Awkward::new(seed))).await;
                    Load { rate: 90, seconds: SECONDS, seed }.run(proxy.address).await
                }
            };
            for verdict in futures_util::future::join_all(pair.iter().map(|seed| run(*seed))).await {
                println!("{} facts, {} failed calls", verdict.checked, verdict.failed);
                assert!(verdict.ok, "falsely accused: {:#?}", verdict.violations);
                assert!(verdict.checked > 500, "only {} facts were checked", verdict.checked);
                assert!(verdict.failed > 0, "the proxy was not awkward at all");
            }
        }
    });
}
