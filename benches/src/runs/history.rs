//! A page from the middle of a wholesale buyer's history against a newcomer's.

use std::sync::Arc;

use anyhow::Result;

use super::Context;
use super::main_store::MainStore;
use super::turns::Series;
use crate::load::Generator;
use crate::process::Server;
use crate::report::{Bound, Row};
use crate::stats::median_ratio;
use crate::traffic::{HistoryPage, Traffic};

pub(super) async fn run(
    context: &mut Context<'_>,
    main: &MainStore,
    server: &Server,
    generator: &mut Generator,
) -> Result<()> {
    let filled = &main.filled;
    let orders = context.plan.main.orders / 10;
    anyhow::ensure!(
        !filled.cursors.is_empty(),
        "a history of {orders} orders has no middle; ask for --orders 5000 or more"
    );
    let middle: Arc<dyn Traffic> = Arc::new(HistoryPage {
        buyers: Arc::clone(&filled.wholesale_tokens),
        cursors: Arc::clone(&filled.cursors),
    });
    let newcomer: Arc<dyn Traffic> =
        Arc::new(HistoryPage { buyers: Arc::clone(&filled.regular_tokens), cursors: Arc::default() });
    let (mut long, mut short) = (Series::default(), Series::default());
    for _ in 0..context.plan.turns {
        long.turn(server, generator, &middle, context.plan.turn).await?;
        short.turn(server, generator, &newcomer, context.plan.turn).await?;
    }
    context.report.push(Row {
        what: format!(
            "cost of 24 orders from the middle of a history of {orders}, in a newcomer's pages of 24"
        ),
        measured: long.text(),
        limit: short.text(),
        // Cost is time, so the rates stand the other way round.
        ratio: median_ratio(&short.rates, &long.rates),
        bound: Bound::AtMost(1.5),
    });
    Ok(())
}
