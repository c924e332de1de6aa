//! What happens to the whole program when the world is unkind: everybody wants the last piece, the process is
//! killed, the disk is full, far too many come at once, somebody wants it closed.
//!
//! Every test starts the real binary on a free port of 127.0.0.1 and a directory of its own, talks HTTP to it and
//! ends it by its process id. They run one after another, because most of them measure time. `MWORLD_LONG=1` makes
//! them longer and larger.

// Measurements are what a test prints; and in a test an error is a failure, wherever it stands.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod bookkeeping;
mod full_disk;
mod goods;
mod http;
mod idle_memory;
mod kill;
mod overload;
mod oversell;
mod people;
mod process;
mod refused_starts;
mod shutdown;
mod small_disk;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How thorough a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    Short,
    Long,
}

impl Run {
    fn wanted() -> Run {
        if std::env::var_os("MWORLD_LONG").is_some_and(|value| value == "1") { Run::Long } else { Run::Short }
    }

    /// One of two sizes.
    fn choose<T>(self, short: T, long: T) -> T {
        match self {
            Run::Short => short,
            Run::Long => long,
        }
    }
}

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
