//! What every operation of the engine has at hand.

use std::sync::Arc;

use mworld_shop::{Clock, Settings};

use crate::cache::Cache;
use crate::catalog::KeptProduct;
use crate::lifetimes::Lifetimes;
use crate::router::Router;
use crate::sessions::SessionRecord;
use crate::zones::Zones;

/// What decides, without the connections: jobs hold it on the writer's thread, which must not own the writer.
pub(crate) struct Core {
    pub(crate) router: Router,
    pub(crate) zones: Zones,
    pub(crate) settings: Arc<Settings>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) lifetimes: Lifetimes,
    /// Products with their stock.
    pub(crate) products: Cache<KeptProduct>,
    pub(crate) sessions: Cache<SessionRecord>,
}

impl Core {
    /// Eight bytes that nobody else has: the random part of a UUIDv4.
    pub(crate) fn random(&self) -> [u8; 8] {
        let (_, low) = uuid::Uuid::new_v4().as_u64_pair();
        // The two highest bits are the UUID's variant, not chance; the order id has two of its own there.
        (low << 2).to_be_bytes()
    }
}
