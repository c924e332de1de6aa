//! Resident memory of a store that was started with its demo catalogue and has nothing to do.

use std::time::Duration;

use anyhow::Result;

use super::Context;
use crate::process::Server;
use crate::report::{Bound, Row};

/// The products that `mworld serve --demo` begins with.
const PRODUCTS: u64 = 2_000;
const MOST_MIB: f64 = 60.0;

pub(super) async fn run(context: &mut Context<'_>) -> Result<()> {
    let dir = context.dir.join("idle");
    if dir.exists() {
        std::fs::remove_dir_all(&dir)?;
    }
    let server = Server::start(&dir, PRODUCTS)?;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let resident = server.resident_mib()?;
    server.stop()?;
    context.report.push(Row {
        what: format!("resident memory of an idle store with {PRODUCTS} products, of {MOST_MIB} MiB"),
        measured: format!("{resident:.1} MiB"),
        limit: format!("{MOST_MIB} MiB"),
        ratio: resident / MOST_MIB,
        bound: Bound::AtMost(1.0),
    });
    Ok(())
}
