//! What the server shows of the engine beneath the shop.

use std::collections::BTreeMap;
use std::sync::Arc;

use mworld_placement::touched::{Observer, Touch};
use mworld_placement::{Area, Layout, RangeMap, ShardId};
use mworld_server::{Metrics, ShardEntity, ShardInfo, ShardOperations, Views};
use mworld_shop::Operation;

use super::beneath::Beneath;
use super::filling::Filling;

/// Windows into the engine.
pub(crate) struct EngineViews {
    pub(crate) beneath: Arc<dyn Beneath>,
    pub(crate) layout: Layout,
    pub(crate) filling: Arc<Filling>,
}

impl Views for EngineViews {
    fn ready(&self) -> Result<(), String> {
        self.filling.ready()?;
        self.beneath.answers()
    }

    fn shards(&self) -> Vec<ShardInfo> {
        let (touches, maps) = (self.beneath.touches(), self.beneath.maps());
        let shard = |(number, name): (u32, String)| {
            let entities = maps.iter().map(|(area, map)| on_shard(*area, map, ShardId(number), &touches));
            ShardInfo { engine: self.beneath.name().to_owned(), shard: name, entities: entities.collect() }
        };
        (0..).zip(self.beneath.shards()).map(shard).collect()
    }

    fn layout(&self) -> serde_json::Value {
        serde_json::json!({
            "name": self.layout.name,
            "about": self.layout.about,
            "fingerprint": self.layout.fingerprint(),
            "shards": self.beneath.shards().len(),
            "toml": self.layout.to_toml(),
        })
    }

    fn shard_operations(&self) -> Vec<ShardOperations> {
        let names = self.beneath.shards();
        let counted = |(touch, count): (Touch, u64)| ShardOperations {
            engine: self.beneath.name().to_owned(),
            entity: touch.area.to_string(),
            shard: names.get(touch.shard.0 as usize).cloned().unwrap_or_default(),
            kind: touch.kind.name().to_owned(),
            count,
        };
        self.beneath.touches().into_iter().map(counted).collect()
    }

    fn queue_depth(&self) -> usize {
        self.beneath.queue_depth()
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
