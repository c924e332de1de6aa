//! (f) The same requests on a small and on a large catalogue, both stores running, turn by turn.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use super::Context;
use super::turns::Series;
use crate::fill::{self, Filled};
use crate::load::Generator;
use crate::process::Server;
use crate::report::{Bound, Row};
use crate::stats::median_ratio;
use crate::traffic::{CartPut, Checkout, Hint, Mixed, ProductPage, SearchPage, Traffic};

/// One of the two stores.
struct Side {
    filled: Filled,
    server: Server,
    generator: Generator,
}

impl Side {
    async fn start(filled: Filled) -> Result<Side> {
        let server = Server::start(&filled.dir, 0)?;
        let generator = Generator::connect(server.address).await?;
        Ok(Side { filled, server, generator })
    }

    fn kinds(&self, run: &str) -> Vec<(&'static str, Arc<dyn Traffic>)> {
        let (products, buyers) = (|| Arc::clone(&self.filled.products), || Arc::clone(&self.filled.tokens));
        vec![
            ("product page", Arc::new(ProductPage { products: products(), hint: Hint::Category })),
            ("24 of a category by price", Arc::new(SearchPage { products: products() })),
            ("cart put", Arc::new(CartPut { buyers: buyers(), products: products() })),
            (
                "full checkout",
                Arc::new(Checkout { buyers: buyers(), products: products(), run: run.to_owned() }),
            ),
        ]
    }

    async fn turn(
        &mut self,
        traffic: &Arc<dyn Traffic>,
        duration: Duration,
        series: &mut Series,
    ) -> Result<()> {
        series.turn(&self.server, &mut self.generator, traffic, duration).await
    }
}

pub(super) async fn run(context: &mut Context<'_>) -> Result<()> {
    let (small_size, large_size) = (context.plan.small, context.plan.large);
    // Both are filled before either is connected to: a store closes connections that are silent for a minute.
    let (small, large) = (context.dir.join("small"), context.dir.join("large"));
    let (small, large) = (fill::fill(&small, small_size).await?, fill::fill(&large, large_size).await?);
    let (mut small, mut large) = (Side::start(small).await?, Side::start(large).await?);
    let (small_kinds, large_kinds) = (small.kinds(&context.run), large.kinds(&context.run));
    for ((what, on_small), (_, on_large)) in small_kinds.iter().zip(&large_kinds) {
        let (mut few, mut many) = (Series::default(), Series::default());
        for turn in 0..=context.plan.turns {
            small.turn(on_small, context.plan.turn, &mut few).await?;
            large.turn(on_large, context.plan.turn, &mut many).await?;
            if turn == 0 {
                (few, many) = (Series::default(), Series::default());
            }
        }
        context.report.push(Row {
            what: format!(
                "(f) {what} with {} products, of the rate with {}",
                large_size.products, small_size.products
            ),
            measured: many.text(),
            limit: few.text(),
            ratio: median_ratio(&many.rates, &few.rates),
            bound: Bound::AtLeast(0.5),
        });
    }
    let mixed: Arc<dyn Traffic> = Arc::new(Mixed::of(&large.filled, &format!("{}m", context.run)));
    let mut series = Series::default();
    for _ in 0..context.plan.turns {
        large.turn(&mixed, context.plan.turn, &mut series).await?;
    }
    let peak = large.server.peak_mib()?;
    context.report.push(Row {
        what: format!(
            "most resident memory with {} products under a mixed load, of 1 GiB",
            large_size.products
        ),
        measured: format!("{peak:.0} MiB at {}", series.text()),
        limit: "1,024 MiB".to_owned(),
        ratio: peak / 1024.0,
        bound: Bound::AtMost(1.0),
    });
    for side in [small, large] {
        drop(side.generator);
        side.server.stop()?;
    }
    Ok(())
}
