//! The engine: an open store on a cluster, and how an operation is run on it.

use std::sync::Arc;
use std::time::Duration;

use mworld_placement::Layout;
use mworld_placement::touched::Observer;
use mworld_shop::{Clock, EngineError, EngineErrorKind, Operation, Result, Settings};

use crate::client::Address;
use crate::core::Core;
use crate::db::Db;
use crate::fault::{Answer, Fault};
use crate::open::open;
use crate::open_error::OpenError;

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
}

/// An open store on a cluster.
#[derive(Clone)]
pub struct Engine {
    core: Arc<Core>,
}

impl Engine {
    /// Opens the store; an empty database is brought to the layout first.
    pub async fn open(options: Options) -> Result<Engine, OpenError> {
        Ok(Engine { core: Arc::new(open(options).await?) })
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.core
    }

    /// Runs one operation to its end, whatever becomes of whoever asked for it: a command whose answer nobody takes
    /// from the connection would spoil the connection.
    pub(crate) async fn run<T, W>(&self, operation: Operation, work: impl FnOnce(Db) -> W) -> Result<T>
    where
        T: Send + 'static,
        W: Future<Output = Answer<T>> + Send + 'static,
    {
        let running = tokio::spawn(work(Db::new(Arc::clone(&self.core), operation)));
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
}
