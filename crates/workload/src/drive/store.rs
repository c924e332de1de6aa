//! Which store is driven, and how hard it may be leant on.

use std::fmt;
use std::time::Duration;

/// A store to drive.
#[derive(Clone)]
pub struct Store {
    /// `host:port`.
    pub host: String,
    /// The operator's token: set-up makes products.
    pub operator: String,
    /// How long an answer may take.
    pub timeout: Duration,
}

impl Store {
    /// The store's address.
    pub fn url(&self) -> String {
        format!("http://{}", self.host)
    }
}

/// Without the token.
impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("host", &self.host)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
