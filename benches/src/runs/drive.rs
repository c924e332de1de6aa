//! One kind of traffic by itself, for a profiler.

use std::sync::Arc;

use anyhow::Result;

use super::run_name;
use super::turns::Series;
use crate::cli::{Cli, Kind};
use crate::fill::{self, Filled};
use crate::load::Generator;
use crate::output::notice;
use crate::plan::Plan;
use crate::process::Server;
use crate::traffic::{CartPut, Checkout, Empty, Hint, HistoryPage, Mixed, ProductPage, SearchPage, Traffic};

/// Sends one kind for all turns; what came of it.
pub(crate) async fn drive(cli: &Cli, kind: Kind, rate: Option<f64>) -> Result<String> {
    let (plan, temporary) = (Plan::of(cli), tempfile::tempdir()?);
    let dir = cli.dir.as_deref().unwrap_or_else(|| temporary.path());
    let filled = fill::fill(&dir.join("main"), plan.main).await?;
    let server = Server::start(&filled.dir, 0)?;
    notice(&format!("the store is process {}", server.id()));
    let mut generator = Generator::connect(server.address).await?;
    let traffic = traffic(&filled, kind);
    let mut series = Series::default();
    for _ in 0..plan.turns {
        match rate {
            None => series.turn(&server, &mut generator, &traffic, plan.turn).await?,
            Some(rate) => {
                let latencies = generator.open(&traffic, rate, plan.turn).await?.latencies;
                let quantile = |q| latencies.value_at_quantile(q);
                notice(&format!(
                    "p50 {} µs, p99 {} µs, max {} µs",
                    quantile(0.5),
                    quantile(0.99),
                    latencies.max()
                ));
            }
        }
    }
    let seen = if rate.is_none() { series.text() } else { "latencies are above".to_owned() };
    let text = format!("{kind:?}: {seen}, {:.0} MiB resident\n", server.resident_mib()?);
    drop(generator);
    server.stop()?;
    Ok(text)
}

fn traffic(filled: &Filled, kind: Kind) -> Arc<dyn Traffic> {
    let (products, buyers) = (Arc::clone(&filled.products), Arc::clone(&filled.tokens));
    match kind {
        Kind::Empty => Arc::new(Empty),
        Kind::Product => Arc::new(ProductPage { products, hint: Hint::Category }),
        Kind::Search => Arc::new(SearchPage { products }),
        Kind::Put => Arc::new(CartPut { buyers, products }),
        Kind::Checkout => Arc::new(Checkout { buyers, products, run: run_name() }),
        Kind::History => Arc::new(HistoryPage {
            buyers: Arc::clone(&filled.wholesale_tokens),
            cursors: Arc::clone(&filled.cursors),
        }),
        Kind::Mixed => Arc::new(Mixed::of(filled, &run_name())),
    }
}
