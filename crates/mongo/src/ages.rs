//! How old the answers were that secondaries gave.

use std::sync::Arc;
use std::time::Duration;

use mworld_shop::Operation;

/// Somebody who wants to know how old each answer of a secondary was.
pub trait AgeObserver: Send + Sync {
    /// An answer of this operation was at most this old.
    fn served(&self, operation: Operation, age: Duration);
}

/// Tells whoever wants to know.
#[derive(Clone, Default)]
pub(crate) struct Ages(pub(crate) Option<Arc<dyn AgeObserver>>);

impl Ages {
    pub(crate) fn note(&self, operation: Operation, age: Duration) {
        if let Some(observer) = &self.0 {
            observer.served(operation, age);
        }
    }
}
