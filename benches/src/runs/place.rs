//! (a) `order.place` on the engine against the bare loop.

use anyhow::Result;
use mworld_embedded::Engine;

use super::Context;
use super::main_store::MainStore;
use crate::report::{Bound, Row, rate};
use crate::stats::{median, median_ratio};

pub(super) async fn run(context: &mut Context<'_>, main: &MainStore, engine: &Engine) -> Result<()> {
    let ledger = engine.parts().ledger;
    // The first turn of each warms caches and grows the log to its usual size.
    main.orders.on_engine(&ledger, context.plan.turn).await?;
    main.orders.on_bare(&main.bare, context.plan.turn).await?;
    let (mut placed, mut limits) = (Vec::new(), Vec::new());
    for _ in 0..context.plan.turns {
        placed.push(main.orders.on_engine(&ledger, context.plan.turn).await?);
        limits.push(main.orders.on_bare(&main.bare, context.plan.turn).await?);
    }
    context.report.push(Row {
        what: "(a) `order.place` on the engine, of a bare loop of the same SQL".to_owned(),
        measured: rate(median(&placed)),
        limit: rate(median(&limits)),
        ratio: median_ratio(&placed, &limits),
        bound: Bound::AtLeast(0.7),
    });
    Ok(())
}
