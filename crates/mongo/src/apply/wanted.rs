//! What a layout wants of a cluster with these shards, in the cluster's own words.

use mongodb::bson::Document;
use mworld_placement::{
    Area, Domain, Layout, Note, Placement, RangeMap, ShardKey, ZonePlace, initial, zone_places,
};

use super::keys::bound;
use crate::collection::{Collection, Shape, sharded};
use crate::indexes::{Index, wanted as indexes};

/// Everything that a layout wants.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) layout: String,
    pub(super) fingerprint: String,
    pub(super) toml: String,
    pub(super) shape: Shape,
    pub(super) collections: Vec<Placed>,
    /// What could not be had as the layout asks for it.
    pub(super) notes: Vec<Note>,
}

/// One collection.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub(super) collection: Collection,
    /// Its ranges, by its key in the documents' names.
    pub(super) map: RangeMap,
    pub(super) zones: Vec<ZonePlace>,
    pub(super) indexes: Vec<Index>,
}

/// A stretch of the line of keys that belongs to a zone.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stretch {
    pub(super) zone: String,
    pub(super) min: Document,
    pub(super) max: Document,
}

impl Wanted {
    /// What the layout, with MongoDB in force, wants of so many shards.
    pub(super) fn of(layout: &Layout, shards: u32, domain: &Domain) -> Wanted {
        let (placement, notes) = Placement::new(layout, shards, domain);
        let shape = Shape::of(&placement);
        let indexes = indexes(layout, &placement);
        let place = |(collection, key): (Collection, ShardKey)| {
            let map = match collection {
                Collection::Placed(area) => placement.map(area).clone(),
                _ => initial(&key, &[], &[], shards, domain).0,
            };
            let key = shape.physical_key(collection, &key);
            let own = indexes.iter().filter(|index| index.collection == collection);
            Placed {
                collection,
                map: RangeMap::from_parts(key.clone(), map.ranges().to_vec())
                    .expect("other names of the fields leave the ranges as they are"),
                zones: zones(layout, collection, &key, shards),
                indexes: own.cloned().collect(),
            }
        };
        Wanted {
            layout: layout.name.clone(),
            fingerprint: layout.fingerprint(),
            toml: layout.to_toml(),
            shape,
            collections: sharded(&placement).into_iter().map(place).collect(),
            notes,
        }
    }
}

impl Placed {
    pub(super) fn key(&self) -> &ShardKey {
        self.map.key()
    }

    /// The stretches of the layout's own zones, in the cluster's words.
    pub(super) fn stretches(&self) -> Vec<Stretch> {
        let of_zone = |zone: &ZonePlace| {
            let name = zone.name.clone();
            let stretch = move |(min, max): &(Vec<_>, Vec<_>)| Stretch {
                zone: name.clone(),
                min: bound(self.key(), min),
                max: bound(self.key(), max),
            };
            zone.stretches.iter().map(stretch).collect::<Vec<_>>()
        };
        self.zones.iter().flat_map(of_zone).collect()
    }
}

fn zones(layout: &Layout, collection: Collection, key: &ShardKey, shards: u32) -> Vec<ZonePlace> {
    let Collection::Placed(Area::Entity(entity)) = collection else { return Vec::new() };
    let on = layout.entities.get(&entity).and_then(|placed| placed.mongodb.as_ref());
    on.map(|on| zone_places(key, &on.zones, shards)).unwrap_or_default()
}
