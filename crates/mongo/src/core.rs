//! What every operation of the engine has at hand.

use std::sync::Arc;

use mongodb::bson::Document;
use mworld_placement::Layout;
use mworld_placement::touched::Counters;
use mworld_shop::{Clock, Operation, Settings, Zone};
use serde::Serialize;

use crate::ages::Ages;
use crate::carts::Kept;
use crate::cluster_time::ClusterClock;
use crate::collection::{Collection, Shape};
use crate::hot::Hot;
use crate::lifetimes::Lifetimes;
use crate::maps::Maps;
use crate::policy::Policies;
use crate::watch::Seen;

/// One open store.
pub(crate) struct Core {
    pub(crate) client: mongodb::Client,
    pub(crate) database: mongodb::Database,
    /// The layout with this engine in force.
    pub(crate) layout: Layout,
    pub(crate) shape: Shape,
    pub(crate) maps: Maps,
    pub(crate) policies: Policies,
    pub(crate) lifetimes: Lifetimes,
    pub(crate) kept: Kept,
    /// Every zone that the store has ever had: a record keeps the zone it was written with.
    pub(crate) zones: Vec<Zone>,
    pub(crate) settings: Arc<Settings>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) counters: Counters<Operation>,
    pub(crate) seen: Seen,
    pub(crate) hot: Hot,
    pub(crate) cluster_clock: ClusterClock,
    pub(crate) ages: Ages,
}

impl Core {
    /// A collection, its records read as they are typed.
    pub(crate) fn collection<T: Send + Sync>(&self, collection: Collection) -> mongodb::Collection<T> {
        self.database.collection(collection.name())
    }

    /// Eight bytes that nobody else has: the random part of a UUIDv4.
    pub(crate) fn random(&self) -> [u8; 8] {
        let (_, low) = uuid::Uuid::new_v4().as_u64_pair();
        // The two highest bits are the UUID's variant, not chance; the order id has two of its own there.
        (low << 2).to_be_bytes()
    }
}

/// A typed record as a document.
pub(crate) fn document(record: &impl Serialize) -> Document {
    mongodb::bson::serialize_to_document(record).expect("records hold nothing that BSON cannot")
}
