//! The engine: an open store on a cluster, and how an operation is run on it.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use mworld_placement::touched::{Observer, Touch};
use mworld_placement::{Area, Layout, RangeMap};
use mworld_shop::ports::Checkout;
use mworld_shop::saga::Saga;
use mworld_shop::{Clock, EngineError, EngineErrorKind, Operation, Result, Settings, StoreParts};

use crate::ages::AgeObserver;
use crate::client::Address;
use crate::core::Core;
use crate::db::Db;
use crate::fault::{Answer, Fault};
use crate::maps::counted;
use crate::open::open;
use crate::open_error::OpenError;
use crate::watch;

/// How long the shop waits for an operation. An election takes some ten seconds, and the driver's own second try is
/// worth waiting for; a buyer who has waited longer than this has gone.
const DEADLINE: Duration = Duration::from_secs(20);

/// How a store is opened. Clock and observer are arguments, so that a test can own them.
#[derive(Clone)]
pub struct Options {
    /// Where the cluster is.
    pub address: Address,
    /// The layout by which records are placed.
    pub layout: Layout,
    /// The owner's configuration.
    pub settings: Arc<Settings>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Who wants to know of every operation.
    pub observer: Option<Arc<dyn Observer<Operation>>>,
    /// Who wants to know how old the answers of secondaries were.
    pub ages: Option<Arc<dyn AgeObserver>>,
}

/// An open store on a cluster.
#[derive(Clone)]
pub struct Engine {
    core: Arc<Core>,
}

impl Engine {
    /// Opens the store; an empty database is brought to the layout first.
    pub async fn open(options: Options) -> Result<Engine, OpenError> {
        let core = Arc::new(open(options).await?);
        let engine = Engine { core };
        watch::start(&engine);
        Ok(engine)
    }

    /// The ports, with checkout in one transaction.
    pub fn parts(&self) -> StoreParts {
        self.parts_with(Arc::new(self.clone()))
    }

    /// The ports, with checkout over two of them, as it is where carts live elsewhere than orders.
    pub fn parts_with_saga(&self) -> (StoreParts, Arc<Saga>) {
        let saga = Arc::new(Saga::new(Arc::new(self.clone()), Arc::new(self.clone())));
        (self.parts_with(Arc::clone(&saga) as Arc<dyn Checkout>), saga)
    }

    fn parts_with(&self, checkout: Arc<dyn Checkout>) -> StoreParts {
        StoreParts::of(&Arc::new(self.clone()), checkout)
    }

    /// Whether the cluster answers; otherwise what is wrong, as it was seen a moment ago.
    pub fn answers(&self) -> std::result::Result<(), String> {
        match self.core.seen.trouble() {
            None => Ok(()),
            Some(trouble) => Err(format!("the MongoDB cluster does not answer: {trouble}")),
        }
    }

    /// The names of the cluster's shards.
    pub fn shards(&self) -> Vec<String> {
        self.core.maps.now().shards.clone()
    }

    /// The ranges of every area that a layout places, as they were a moment ago.
    pub fn maps(&self) -> Vec<(Area, RangeMap)> {
        let ranges = self.core.maps.now();
        let mut maps: Vec<_> =
            ranges.maps.iter().filter_map(|(at, map)| Some((counted(*at)?, map.clone()))).collect();
        maps.sort_by_key(|(area, _)| *area);
        maps
    }

    /// Operations since the store was opened, by area, shard and kind.
    pub fn touches(&self) -> BTreeMap<Touch, u64> {
        self.core.counters.snapshot()
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.core
    }

    /// An engine that does not keep the store open.
    pub(crate) fn downgrade(&self) -> Weak<Core> {
        Arc::downgrade(&self.core)
    }

    pub(crate) fn upgrade(core: &Weak<Core>) -> Option<Engine> {
        core.upgrade().map(|core| Engine { core })
    }

    /// Runs one operation to its end, whatever becomes of whoever asked for it: a command whose answer nobody takes
    /// from the connection would spoil the connection.
    pub(crate) async fn run<T, W>(&self, operation: Operation, work: impl FnOnce(Db) -> W) -> Result<T>
    where
        T: Send + 'static,
        W: Future<Output = Answer<T>> + Send + 'static,
    {
        wait(work(Db::new(Arc::clone(&self.core), operation))).await
    }

    /// The same for what the store does by itself.
    pub(crate) async fn run_by_itself<T, W>(
        &self,
        operation: Operation,
        work: impl FnOnce(Db) -> W,
    ) -> Result<T>
    where
        T: Send + 'static,
        W: Future<Output = Answer<T>> + Send + 'static,
    {
        wait(work(Db::by_itself(Arc::clone(&self.core), operation))).await
    }
}

/// Waits for a task that goes on whether or not somebody waits.
async fn wait<T: Send + 'static>(work: impl Future<Output = Answer<T>> + Send + 'static) -> Result<T> {
    let running = tokio::spawn(work);
    match tokio::time::timeout(DEADLINE, running).await {
        Ok(Ok(answer)) => answer.map_err(Fault::into_shop),
        Ok(Err(error)) => {
            Err(EngineError::new(EngineErrorKind::Internal, format!("an operation fell over: {error}"))
                .into())
        }
        Err(_) => Err(EngineError::new(
            EngineErrorKind::Unavailable,
            format!(
                "the cluster has not answered for {} s; whether it was done is not known",
                DEADLINE.as_secs()
            ),
        )
        .into()),
    }
}
