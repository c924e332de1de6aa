//! `mworld load` against a real store: that a run is what it says it is, also when the store is stopped, killed or not
//! there at all.
//!
//! Every test starts its own store on a free port of 127.0.0.1 and runs the command as a process. They run one after
//! another, because most of them measure time.

// In a test an error is a failure, wherever it stands.
#![allow(clippy::unwrap_used)]

mod compare;
#[allow(dead_code)] // the fault tests use more of it
#[path = "../faults/http.rs"]
mod http;
mod interrupted;
mod killed;
#[allow(dead_code)]
#[path = "../faults/process.rs"]
mod process;
mod running;
mod runs;
mod stalled;
mod wrong;

use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

use crate::process::{OPERATOR, Store};

/// Few accounts and products, so that set-up is short; everything else as in `black-friday`.
const SCENARIO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/load/small.toml");

/// Lets one test at a time use the machine.
fn alone() -> MutexGuard<'static, ()> {
    static MACHINE: Mutex<()> = Mutex::new(());
    MACHINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a test's story, and ends it if it takes far longer than it may.
fn within(limit: Duration, story: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Runtime::new().expect("threads for the test");
    runtime.block_on(async {
        tokio::time::timeout(limit, story).await.expect("the whole test stays within its time");
    });
}

/// `mworld load` on that store, in an environment without anybody else's settings.
fn load(url: &str, arguments: &[&str]) -> Command {
    load_scenario(url, SCENARIO, arguments)
}

/// The same with another scenario.
fn load_scenario(url: &str, scenario: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mworld"));
    command.args(["load", "--url", url, "--scenario", scenario, "--json"]).args(arguments);
    command.env("MWORLD_OPERATOR_TOKEN", OPERATOR);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn url(store: &Store) -> String {
    format!("http://{}", store.address)
}

/// What a run that went well printed.
fn report(output: &Output) -> Value {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{:?}\n{stderr}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout)
    );
    serde_json::from_slice(&output.stdout).expect("one JSON document and nothing else")
}

/// Every operation of the schedule is in exactly one place.
fn assert_all_accounted_for(report: &Value) {
    let number = |pointer: &str| report.pointer(pointer).and_then(Value::as_u64).expect(pointer);
    let not_sent = ["no_room", "nothing_to_do", "ended_early"].map(|why| number(&format!("/not_sent/{why}")));
    assert_eq!(report["conditions"]["ended_early"], not_sent[2] > 0, "{not_sent:?}");
    let sent = number("/completed") + number("/failed");
    assert_eq!(number("/scheduled"), sent + not_sent.iter().sum::<u64>(), "{not_sent:?}");
    let operations = report["operations"].as_object().unwrap();
    let counted: u64 = operations.values().map(|figures| figures["count"].as_u64().unwrap()).sum();
    assert_eq!(counted, sent);
}
