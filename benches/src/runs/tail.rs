//! The slowest checkouts at half the full rate, against the slowest syncs of the disk.

use std::sync::Arc;

use anyhow::Result;

use super::Context;
use super::http::checkouts;
use super::main_store::MainStore;
use crate::disk::Disk;
use crate::load::Generator;
use crate::process::Server;
use crate::report::{Bound, Row, rate};
use crate::stats::{median, median_ratio};
use crate::traffic::Traffic;

/// What is wanted of a checkout, of the bare loop's rate.
const WANTED: f64 = 0.25;

pub(super) async fn run(
    context: &mut Context<'_>,
    main: &MainStore,
    _: &Server,
    generator: &mut Generator,
    full_rate: Option<f64>,
) -> Result<()> {
    let traffic: Arc<dyn Traffic> = Arc::new(checkouts(context, main));
    let turn = context.plan.turn;
    let full_rate = match full_rate {
        Some(rate) => rate,
        None => generator.closed(&traffic, turn * 2).await?.per_second,
    };
    let limit = main.orders.on_bare(&main.bare, context.plan.turn).await?;
    at(context, generator, &traffic, ("at half its full rate", full_rate / 2.0)).await?;
    at(context, generator, &traffic, ("at half the rate that is wanted of it", limit * WANTED / 2.0)).await
}

/// The p99 at a rate: the median of the turns, as with every other figure, so that one turn in which the disk stood
/// still counts once.
async fn at(
    context: &mut Context<'_>,
    generator: &mut Generator,
    traffic: &Arc<dyn Traffic>,
    (when, per_second): (&str, f64),
) -> Result<()> {
    let mut disk = Disk::new(&context.dir)?;
    let (mut middles, mut slow) = (Vec::new(), Vec::new());
    let (mut alone, mut from_moment) = (Vec::new(), Vec::new());
    for _ in 0..context.plan.turns * 2 {
        let measured = generator.open(traffic, per_second, context.plan.turn).await?.latencies;
        middles.push(millis(measured.value_at_quantile(0.5)));
        slow.push(millis(measured.value_at_quantile(0.99)));
        let syncs = disk.probe(context.plan.turn)?;
        alone.push(millis(syncs.alone.value_at_quantile(0.99)));
        from_moment.push(millis(syncs.from_moment.value_at_quantile(0.99)));
    }
    for (how, syncs) in [("", alone), (" counted from its moment too", from_moment)] {
        context.report.push(Row {
            what: format!(
                "(e) p99 of a checkout (two calls, two commits) {when}, {}, in p99s of a 16 KiB sync{how}",
                rate(per_second)
            ),
            measured: format!("{:.2} ms (p50 {:.2} ms)", median(&slow), median(&middles)),
            limit: format!("{:.2} ms", median(&syncs)),
            ratio: median_ratio(&slow, &syncs),
            bound: Bound::AtMost(10.0),
        });
    }
    Ok(())
}

fn millis(micros: u64) -> f64 {
    u32::try_from(micros).map_or(f64::INFINITY, f64::from) / 1e3
}
