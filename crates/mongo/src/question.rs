//! The two sides of a question, for the test that proves that they agree: what the cluster is asked, and where its
//! router is expected to look.

use mongodb::bson::Document;
use mworld_placement::{Area, Constraint};

use crate::ask::Ask;
use crate::engine::Engine;

/// A question to one collection.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Question {
    /// The collection's name.
    pub collection: &'static str,
    /// What the cluster gets.
    pub filter: Document,
    /// The shards that it should ask, sorted.
    pub shards: Vec<String>,
}

impl Engine {
    /// The question of whoever knows this of an area's records.
    #[doc(hidden)]
    pub fn question(&self, area: Area, known: &[(&'static str, Constraint)]) -> Question {
        let ask = known
            .iter()
            .fold(Ask::of(area), |ask, (field, constraint)| ask.within(field, constraint.clone()));
        let ranges = self.core().maps.now();
        let mut shards: Vec<String> = ranges
            .route(&ask)
            .shards()
            .filter_map(|shard| ranges.shards.get(shard.0 as usize).cloned())
            .collect();
        shards.sort();
        Question { collection: ask.collection.name(), filter: ask.filter(self.core().shape), shards }
    }
}
