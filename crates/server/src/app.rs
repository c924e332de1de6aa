//! Everything that a request may need, put together once.

use std::sync::Arc;

use mworld_shop::Store;
use secrecy::SecretString;

use crate::auth::{OperatorSecret, TokenRates};
use crate::edge::Admission;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::password::{LoginThrottle, PasswordPool};
use crate::views::Views;

/// Whether the router has `/bench/empty`, a handler that does nothing behind the same middleware as every other.
/// A benchmark subtracts it to see what a handler itself costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Probe {
    /// As in production.
    #[default]
    Absent,
    /// For a benchmark.
    Present,
}

/// What an [`App`] is made of.
pub struct AppConfig {
    /// The shop.
    pub store: Store,
    /// What an operator may see.
    pub views: Arc<dyn Views>,
    /// The secret that opens the operator's endpoints.
    pub operator_token: SecretString,
    /// Limits of this process.
    pub limits: Limits,
    /// Where operations are counted; made first, so that engines can count into it too.
    pub metrics: Metrics,
    /// For benchmarks only.
    pub probe: Probe,
}

/// The shop's server, ready to be put behind a listener. Clones share everything.
#[derive(Clone)]
pub struct App(pub(crate) Shared);

/// What handlers get of an [`App`].
pub(crate) type Shared = Arc<Parts>;

/// The parts of an [`App`].
pub(crate) struct Parts {
    pub(crate) store: Store,
    pub(crate) views: Arc<dyn Views>,
    pub(crate) operator: OperatorSecret,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    pub(crate) probe: Probe,
    pub(crate) admission: Admission,
    pub(crate) rates: TokenRates,
    pub(crate) passwords: PasswordPool,
    pub(crate) logins: Arc<LoginThrottle>,
}

impl App {
    /// Puts the parts together and starts the threads that hash passwords. They end with the last clone.
    pub fn new(config: AppConfig) -> App {
        let limits = config.limits;
        App(Arc::new(Parts {
            store: config.store,
            views: config.views,
            operator: OperatorSecret::new(&config.operator_token),
            metrics: config.metrics,
            probe: config.probe,
            admission: Admission::new(limits.in_flight, limits.queue, limits.queue_wait),
            rates: TokenRates::new(limits.per_token_per_second),
            passwords: PasswordPool::start(limits.password_threads),
            logins: Arc::new(LoginThrottle::new(limits.login_failures_per_minute)),
            limits,
        }))
    }
}
