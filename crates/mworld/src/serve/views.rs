//! What the server shows of the engine beneath the shop.

use std::collections::BTreeMap;
use std::sync::Arc;

use mworld_embedded::{Engine, Observer, Touch};
use mworld_placement::{Area, Layout, RangeMap, ShardId};
use mworld_server::{Metrics, ShardEntity, ShardInfo, ShardOperations, Views};
use mworld_shop::Operation;

use super::filling::Filling;

/// The engine's name in metrics and on the operator's pages.
const ENGINE: &str = "embedded";

/// Windows into the embedded engine.
pub(crate) struct EngineViews {
    pub(crate) engine: Engine,
    pub(crate) layout: Layout,
    pub(crate) shards: u32,
    pub(crate) filling: Arc<Filling>,
}

impl Views for EngineViews {
    fn ready(&self) -> Result<(), String> {
        self.filling.ready()?;
        self.engine.ping().map_err(|error| format!("the embedded engine does not answer: {error}"))
    }

    fn shards(&self) -> Vec<ShardInfo> {
        let touches = self.engine.touches();
        let shard = |shard: u32| {
            let maps = self.engine.placement().maps();
            let entities = maps.map(|(area, map)| on_shard(area, map, ShardId(shard), &touches));
            ShardInfo { engine: ENGINE.to_owned(), shard: shard.to_string(), entities: entities.collect() }
        };
        (0..self.shards).map(shard).collect()
    }

    fn layout(&self) -> serde_json::Value {
        serde_json::json!({
            "name": self.layout.name,
            "about": self.layout.about,
            "fingerprint": self.layout.fingerprint(),
            "shards": self.shards,
            "toml": self.layout.to_toml(),
        })
    }

    fn shard_operations(&self) -> Vec<ShardOperations> {
        let counted = |(touch, count): (Touch, u64)| ShardOperations {
            engine: ENGINE.to_owned(),
            entity: touch.area.to_string(),
            shard: touch.shard.0.to_string(),
            kind: touch.kind.name().to_owned(),
            count,
        };
        self.engine.touches().into_iter().map(counted).collect()
    }

    fn queue_depth(&self) -> usize {
        self.engine.queue_depth()
    }
}

/// What a shard holds of an area.
fn on_shard(area: Area, map: &RangeMap, shard: ShardId, touches: &BTreeMap<Touch, u64>) -> ShardEntity {
    let ranges = map.ranges().iter().filter(|range| range.shard == shard).count();
    let here = touches.iter().filter(|(touch, _)| touch.area == area && touch.shard == shard);
    let operations = here.map(|(_, count)| count).sum();
    ShardEntity { entity: area.to_string(), documents: None, ranges: ranges as u64, operations }
}

/// Tells the metrics how many shards each operation touched.
pub(crate) struct Counting(pub(crate) Metrics);

impl Observer<Operation> for Counting {
    fn touched(&self, operation: Operation, touches: &[Touch]) {
        let first = |i: usize| !touches[..i].iter().any(|earlier| earlier.shard == touches[i].shard);
        let distinct = (0..touches.len()).filter(|i| first(*i)).count();
        self.0.shards_touched(operation, distinct);
    }
}
