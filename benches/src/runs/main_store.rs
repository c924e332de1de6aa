//! Everything that is measured on the large store of orders: it is filled once.

use std::sync::Arc;

use anyhow::Result;

use super::{Context, history, http, place, tail};
use crate::bare::Bare;
use crate::cli::Bench;
use crate::fill::{self, Filled};
use crate::load::Generator;
use crate::placing::Orders;
use crate::process::Server;
use crate::store::{self, Hold};

/// The filled store, and the bare loop on its copy.
pub(super) struct MainStore {
    pub(super) filled: Filled,
    pub(super) orders: Arc<Orders>,
    pub(super) bare: Arc<Bare>,
}

pub(super) async fn run(context: &mut Context<'_>) -> Result<()> {
    let filled = fill::fill(&context.dir.join("main"), context.plan.main).await?;
    let bare = Arc::new(Bare::on_copy_of(&filled.dir, &context.dir.join("bare"))?);
    let (engine, _) = store::open(&filled.dir, Hold::Default, None)?;
    let zone = store::settings(Hold::Default).default_zone();
    let orders = Arc::new(Orders::new(&context.run, &engine, &zone, &filled.products, &filled.buyers)?);
    let main = MainStore { filled, orders, bare };
    if context.cli.wants(Bench::Place) {
        place::run(context, &main, &engine).await?;
    }
    // The server is another process, and a store has one owner.
    drop(engine);
    let server = Server::start(&main.filled.dir, 0)?;
    let mut generator = Generator::connect(server.address).await?;
    let mut checkouts_per_second = None;
    if context.cli.wants(Bench::Http) {
        checkouts_per_second = Some(http::run(context, &main, &server, &mut generator).await?);
    }
    if context.cli.wants(Bench::Tail) {
        tail::run(context, &main, &server, &mut generator, checkouts_per_second).await?;
    }
    if context.cli.wants(Bench::History) {
        history::run(context, &main, &server, &mut generator).await?;
    }
    drop(generator);
    server.stop()
}
