//! (b)–(e) over HTTP against an empty handler behind the same middleware, and checkouts against the bare loop.

use std::sync::Arc;

use anyhow::Result;

use super::Context;
use super::main_store::MainStore;
use super::turns::Series;
use crate::load::Generator;
use crate::process::Server;
use crate::report::{Bound, Row, rate};
use crate::stats::{median, median_ratio};
use crate::traffic::{CartPut, Checkout, Empty, Hint, ProductPage, SearchPage, Traffic};

/// Processor time of one order at the peer, server and database together, in microseconds: Vendure 3.7.3 on
/// PostgreSQL took 130 + 104 ms on a quiet machine of the same kind. It does more for it: taxes, promotions, channels.
const VENDURE_ORDER_MICROS: f64 = 234_000.0;

/// Runs the turns; the median rate of checkouts.
pub(super) async fn run(
    context: &mut Context<'_>,
    main: &MainStore,
    server: &Server,
    generator: &mut Generator,
) -> Result<f64> {
    let (products, buyers) = (&main.filled.products, &main.filled.tokens);
    let page = |hint| ProductPage { products: Arc::clone(products), hint };
    let put = CartPut { buyers: Arc::clone(buyers), products: Arc::clone(products) };
    let kinds: Vec<(&str, Arc<dyn Traffic>, Bound)> = vec![
        ("(b) product page", Arc::new(page(Hint::Category)), Bound::AtLeast(0.5)),
        ("(b) product page by id alone", Arc::new(page(Hint::Nothing)), Bound::None),
        (
            "(c) 24 of a category by price",
            Arc::new(SearchPage { products: Arc::clone(products) }),
            Bound::AtLeast(0.2),
        ),
        ("(d) cart put", Arc::new(put), Bound::None),
        ("(e) full checkout", Arc::new(checkouts(context, main)), Bound::None),
    ];
    let empty: Arc<dyn Traffic> = Arc::new(Empty);
    let (mut nothing, mut series) = (Series::default(), vec![Series::default(); kinds.len()]);
    let mut bare = Vec::new();
    for turn in 0..=context.plan.turns {
        nothing.turn(server, generator, &empty, context.plan.turn).await?;
        for ((_, traffic, _), series) in kinds.iter().zip(&mut series) {
            series.turn(server, generator, traffic, context.plan.turn).await?;
        }
        bare.push(main.orders.on_bare(&main.bare, context.plan.turn).await?);
        if turn == 0 {
            // The first turn warms caches.
            (nothing, bare) = (Series::default(), Vec::new());
            series.fill(Series::default());
        }
    }
    for ((what, _, bound), series) in kinds.iter().zip(&series) {
        context.report.push(Row {
            what: format!("{what}, of an empty handler"),
            measured: series.text(),
            limit: nothing.text(),
            ratio: median_ratio(&series.rates, &nothing.rates),
            bound: *bound,
        });
    }
    let checkout = series.last().expect("checkouts are the last kind");
    context.report.push(Row {
        what: "(e) full checkout at 64 buyers, of (a)'s bare loop".to_owned(),
        measured: checkout.text(),
        limit: rate(median(&bare)),
        ratio: median_ratio(&checkout.rates, &bare),
        bound: Bound::AtLeast(0.25),
    });
    context.report.push(Row {
        what: "(e) processor time of a checkout: how many go into one of Vendure's".to_owned(),
        measured: format!("{:.0} µs", checkout.cpu()),
        limit: format!("{VENDURE_ORDER_MICROS:.0} µs, measured elsewhere"),
        ratio: VENDURE_ORDER_MICROS / checkout.cpu(),
        bound: Bound::AtLeast(300.0),
    });
    Ok(checkout.rate())
}

/// Checkouts of this run.
pub(super) fn checkouts(context: &Context<'_>, main: &MainStore) -> Checkout {
    Checkout {
        buyers: Arc::clone(&main.filled.tokens),
        products: Arc::clone(&main.filled.products),
        run: context.run.clone(),
    }
}
