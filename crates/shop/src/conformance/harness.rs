//! What an engine lends to the suite.

use std::any::Any;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::BoxFuture;

use crate::ports::{Accounts, Carts, Catalog, Checkout, Feed, History, Ledger, Sessions};
use crate::settings::Settings;
use crate::store::StoreParts;
use crate::time::ManualClock;

/// An engine under test. This crate knows no async runtime, so the engine's test brings one.
#[async_trait]
pub trait Harness: Send + Sync + 'static {
    /// Opens a store of these settings whose every look at the time is a look at this clock.
    async fn fresh(&self, settings: Settings, clock: ManualClock) -> Parts;

    /// Starts a task that runs truly beside the others; the answer ends when the task has ended, and carries a
    /// panic of the task on.
    fn spawn(&self, task: BoxFuture<'static, ()>) -> BoxFuture<'static, ()>;
}

/// The ports that an engine has. Cases that need an absent one panic: leave their group out.
#[derive(Default)]
pub struct Parts {
    /// Products.
    pub catalog: Option<Arc<dyn Catalog>>,
    /// Stock and orders.
    pub ledger: Option<Arc<dyn Ledger>>,
    /// A buyer's orders.
    pub history: Option<Arc<dyn History>>,
    /// Carts.
    pub carts: Option<Arc<dyn Carts>>,
    /// Carts into orders.
    pub checkout: Option<Arc<dyn Checkout>>,
    /// Sessions.
    pub sessions: Option<Arc<dyn Sessions>>,
    /// Accounts.
    pub accounts: Option<Arc<dyn Accounts>>,
    /// Events.
    pub feed: Option<Arc<dyn Feed>>,
    /// Whatever must live as long as the store, such as its directory. Dropped last.
    pub keep: Option<Box<dyn Any + Send + Sync>>,
}

impl From<StoreParts> for Parts {
    fn from(parts: StoreParts) -> Parts {
        Parts {
            catalog: Some(parts.catalog),
            ledger: Some(parts.ledger),
            history: Some(parts.history),
            carts: Some(parts.carts),
            checkout: Some(parts.checkout),
            sessions: Some(parts.sessions),
            accounts: Some(parts.accounts),
            feed: Some(parts.feed),
            keep: None,
        }
    }
}

/// Where a case runs: it opens as many shops as it needs.
#[derive(Clone)]
pub struct World {
    harness: Arc<dyn Harness>,
}

impl World {
    /// A world of this engine.
    pub fn new(harness: impl Harness) -> World {
        World { harness: Arc::new(harness) }
    }

    pub(super) fn harness(&self) -> &Arc<dyn Harness> {
        &self.harness
    }
}
