//! The engine: an open store, and the ports on it.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use mworld_placement::{Layout, Placement};
use mworld_shop::ports::Checkout;
use mworld_shop::saga::Saga;
use mworld_shop::{Clock, EngineError, EngineErrorKind, Operation, Result, Settings, StoreParts};
use tokio::sync::Semaphore;

use crate::cache::Cache;
use crate::checkpoint::Checkpoints;
use crate::core::Core;
use crate::db::Db;
use crate::error::OpenError;
use crate::freshness::Freshness;
use crate::lifetimes::Lifetimes;
use crate::lock::Lock;
use crate::open::{create_if_new, open};
use crate::readers::Readers;
use crate::writer::Writer;
use mworld_placement::touched::{Counters, Observer, Touch};

/// Writes that may wait: at some ten thousand a second, a few hundred milliseconds' worth.
const QUEUE: usize = 4096;

/// Long searches that may run at once; each holds a connection with its cache.
const LONG_READS: usize = 4;

/// Products kept in memory, at most: about a hundred thousand. A store of fewer keeps only what it has.
const PRODUCT_BYTES: usize = 320 << 20;

/// Sessions kept in memory: every request looks for one.
const SESSION_BYTES: usize = 16 << 20;

/// How a store is opened. Directory, layout, clock and observer are arguments, so that a test can own them.
#[derive(Clone)]
pub struct Options {
    /// The directory; it is made if it is not there.
    pub dir: PathBuf,
    /// The layout by which records are placed.
    pub layout: Layout,
    /// How many shards.
    pub shards: u32,
    /// The owner's configuration.
    pub settings: Arc<Settings>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Who wants to know of every operation.
    pub observer: Option<Arc<dyn Observer<Operation>>>,
}

/// An open store. Closed, with everything accepted done, when the last handle is dropped.
#[derive(Clone)]
pub struct Engine {
    core: Arc<Core>,
    readers: Arc<Readers>,
    counters: Arc<Counters<Operation>>,
    long_reads: Arc<Semaphore>,
    writer: Arc<Writer>,
    // Let go only after the writer's connection is closed, for fields are dropped in this order.
    _held: Held,
}

/// What is held as long as the store is open. Closing the file would take away all locks that SQLite has on it.
#[derive(Clone)]
pub(crate) struct Held {
    _file: Arc<File>,
    _lock: Arc<Lock>,
}

impl Engine {
    /// Opens the store, or makes a new one.
    pub fn open(options: Options) -> Result<Engine, OpenError> {
        let io =
            |error: std::io::Error| OpenError::Io { path: options.dir.clone(), problem: error.to_string() };
        std::fs::create_dir_all(&options.dir).map_err(io)?;
        let lock = Lock::take(&options.dir)?;
        let file = options.dir.join(crate::FILE_NAME);
        create_if_new(&file, &options)?;
        let opened = open(&file, &options)?;
        let counters = Arc::new(Counters::new(options.shards, options.observer.clone()));
        let freshness = Arc::new(Freshness::new());
        let pages = Arc::new(File::open(&file).map_err(io)?);
        let checkpoints = Checkpoints::start(&file, &pages)?;
        let writer =
            Writer::start(opened.conn, QUEUE, Arc::clone(&counters), Arc::clone(&freshness), checkpoints)
                .map_err(io)?;
        let core = Core {
            router: opened.router,
            zones: opened.zones,
            lifetimes: Lifetimes::of(&options.layout),
            settings: options.settings,
            clock: options.clock,
            products: Cache::new(PRODUCT_BYTES, Arc::clone(&freshness)),
            sessions: Cache::new(SESSION_BYTES, Arc::clone(&freshness)),
        };
        let held = Held { _file: pages, _lock: Arc::new(lock) };
        Ok(Engine {
            core: Arc::new(core),
            readers: Arc::new(Readers::new(file, Arc::clone(&counters), freshness, held.clone())),
            counters,
            long_reads: Arc::new(Semaphore::new(LONG_READS)),
            writer: Arc::new(writer),
            _held: held,
        })
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

    /// Operations since the store was opened, by area, shard and kind.
    pub fn touches(&self) -> BTreeMap<Touch, u64> {
        self.counters.snapshot()
    }

    /// Writes that wait.
    pub fn queue_depth(&self) -> usize {
        self.writer.depth()
    }

    /// Where everything lies.
    pub fn placement(&self) -> &Placement {
        self.core.router.placement()
    }

    /// Whether the store's file can be read.
    pub fn ping(&self) -> Result<()> {
        self.read(Operation::SessionTouch, |db, _| {
            db.one("SELECT 1 FROM meta LIMIT 1", [], |_| Ok(())).map(drop)
        })
    }

    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    /// Counts what was answered without a connection.
    pub(crate) fn count(&self, operation: Operation, touches: &[Touch]) {
        self.counters.record(operation, touches);
    }

    /// Reads one snapshot, on the caller's own thread: for what takes microseconds.
    pub(crate) fn read<T>(
        &self,
        operation: Operation,
        work: impl FnOnce(&Db<'_>, &Core) -> Result<T>,
    ) -> Result<T> {
        self.readers.read(operation, |db| work(db, &self.core))
    }

    /// Reads one snapshot where it holds nobody up: for what may take milliseconds.
    pub(crate) async fn read_long<T: Send + 'static>(
        &self,
        operation: Operation,
        work: impl FnOnce(&Db<'_>, &Core) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let closed = |_| EngineError::new(EngineErrorKind::Internal, "the store is closing");
        let _permit = self.long_reads.acquire().await.map_err(closed)?;
        let (readers, core) = (Arc::clone(&self.readers), Arc::clone(&self.core));
        let done = tokio::task::spawn_blocking(move || readers.read(operation, |db| work(db, &core))).await;
        done.map_err(|error| {
            EngineError::new(EngineErrorKind::Internal, format!("a search failed: {error}"))
        })?
    }

    /// Writes in the next group; the answer comes when it is on the disk.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        operation: Operation,
        work: impl FnOnce(&Db<'_>, &Core) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let core = Arc::clone(&self.core);
        self.writer.run(operation, move |db| work(db, &core)).await
    }
}
