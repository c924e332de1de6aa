//! The store on a real MongoDB cluster, as a process: sold on while servers die, and told what is wrong with a set-up.
//!
//! Every test has databases of its own; those that break servers have a cluster of their own, and run alone.

// In a test an error is a failure, wherever it stands.
#![allow(clippy::unwrap_used)]
// What a fault cost is a result of these tests.
#![allow(clippy::print_stdout)]

mod faults;
#[allow(dead_code)] // the fault tests use more of it
#[path = "../faults/http.rs"]
mod http;
#[allow(dead_code)]
#[path = "../faults/process.rs"]
mod process;
mod rehearsal;
#[allow(dead_code)] // the load tests use more of it
#[path = "../load/running.rs"]
mod running;
mod setups;

use std::time::Duration;

/// Runs a test's story, and ends it if it takes far longer than it may.
fn within(limit: Duration, story: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Runtime::new().expect("threads for the test");
    runtime.block_on(async {
        tokio::time::timeout(limit, story).await.expect("the whole test stays within its time");
    });
}
