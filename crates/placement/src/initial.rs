//! The ranges that a store begins with, before it has seen any load.

use std::collections::BTreeMap;
use std::fmt;

use crate::domain::Domain;
use crate::hash::hashed;
use crate::key::{Order, ShardKey};
use crate::layout::model::ZoneRange;
use crate::range_map::{Range, RangeMap, ShardId};
use crate::value::Value;

mod zones;

pub use zones::ZonePlace;

use zones::Zones;

/// What could not be had as the layout asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bent {
    /// There are fewer shards than the zones ask for, so some zones share shards.
    ZonesShareShards {
        /// How many shards the zones ask for together.
        wanted: u32,
        /// How many there are.
        shards: u32,
    },
    /// The key has fewer ranges than there are shards, so these begin empty.
    IdleShards(Vec<ShardId>),
}

impl fmt::Display for Bent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bent::ZonesShareShards { wanted, shards } => {
                write!(f, "zones ask for {wanted} shards and there are {shards}: zones share shards")
            }
            Bent::IdleShards(idle) => {
                let names: Vec<String> = idle.iter().map(ShardId::to_string).collect();
                let shards = if idle.len() == 1 { "shard" } else { "shards" };
                write!(
                    f,
                    "the key gives too few ranges to begin with: {shards} {} stay empty",
                    names.join(", ")
                )
            }
        }
    }
}

/// Cuts the line of keys where the store's configuration allows it, and deals the ranges out to `shards` shards.
///
/// - Leading fields whose values are configuration (zones, categories) are cut at each combination of those values.
/// - A hashed field after them cuts each combination into as many even parts as there are shards to take them, so
///   that one category lies on all of them. Where the key begins with the hash, there are two parts per shard.
/// - Without a hashed field, whole combinations are dealt out: `{category: 1}` puts a category on one shard. That is
///   the weakness of such a layout and is kept, because it is what MongoDB does with it.
/// - The layout's own `splits` are added, and ranges inside a zone go to that zone's shards only.
///
/// In a split or zone bound of a hashed field a whole number is a hash; any other value is meant to be hashed.
pub fn initial(
    key: &ShardKey,
    splits: &[Vec<Value>],
    zones: &[ZoneRange],
    shards: u32,
    domain: &Domain,
) -> (RangeMap, Vec<Bent>) {
    let shards = shards.max(1);
    let mut bent = Vec::new();
    let zones = Zones::deal(key, zones, shards);
    if zones.wanted > shards {
        bent.push(Bent::ZonesShareShards { wanted: zones.wanted, shards });
    }
    let ranges = dealt(&points(key, splits, &zones, shards, domain), &zones);
    let map = RangeMap::from_parts(key.clone(), ranges)
        .expect("points are sorted, full keys, and the lowest key is among them");
    let idle: Vec<ShardId> =
        (0..shards).map(ShardId).filter(|shard| map.owners().binary_search(shard).is_err()).collect();
    if !idle.is_empty() {
        bent.push(Bent::IdleShards(idle));
    }
    (map, bent)
}

/// The zones of a key with their full bounds and the shards that [`initial`] deals to each.
pub fn zone_places(key: &ShardKey, zones: &[ZoneRange], shards: u32) -> Vec<ZonePlace> {
    Zones::deal(key, zones, shards.max(1)).places()
}

/// Whether a range is expected to hold records. One that is not (below the first category, behind the end of a zone)
/// has to lie somewhere, but must not use up a turn: the shard whose turn it was would get less than the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expect {
    Records,
    Nothing,
}

type Points = BTreeMap<Vec<Value>, Expect>;

fn points(key: &ShardKey, splits: &[Vec<Value>], zones: &Zones, shards: u32, domain: &Domain) -> Points {
    let combinations = combinations(key, domain);
    let depth = combinations.first().map_or(0, Vec::len);
    let hash_follows = key.fields().get(depth).is_some_and(|field| field.order == Order::Hashed);
    let mut points = Points::new();
    for combination in combinations {
        let begin = padded(key, combination.clone());
        if hash_follows {
            let parts = if depth == 0 { shards.saturating_mul(2) } else { zones.shards_at(&begin) };
            for cut in even_cuts(parts) {
                let mut at = combination.clone();
                at.push(Value::Int(cut));
                points.insert(padded(key, at), Expect::Records);
            }
        }
        points.insert(begin, Expect::Records);
    }
    for split in splits {
        points.insert(bound(key, split), Expect::Records);
    }
    points.entry(padded(key, Vec::new())).or_insert(Expect::Nothing);
    for (at, width) in zones.bounds() {
        // A zone that is drawn through whole combinations only lies around ranges that are already there.
        let expect = if width > depth { Expect::Records } else { Expect::Nothing };
        points.entry(at.clone()).or_insert(expect);
    }
    points
}

/// The combinations of known values of the leading fields, as ranges compare them. Where not even the first field's
/// values are known this is one empty combination.
fn combinations(key: &ShardKey, domain: &Domain) -> Vec<Vec<Value>> {
    let mut combinations = vec![Vec::new()];
    for field in key.fields() {
        let Some(values) = domain.values_of(&field.name) else { break };
        let placed: Vec<Value> = values.into_iter().map(|value| place(field.order, value)).collect();
        let with_field = |combination: &Vec<Value>| {
            let combination = combination.clone();
            placed.iter().map(move |value| [&combination[..], std::slice::from_ref(value)].concat())
        };
        combinations = combinations.iter().flat_map(with_field).collect();
    }
    combinations
}

fn dealt(points: &Points, zones: &Zones) -> Vec<Range> {
    let mut turns: BTreeMap<Option<usize>, usize> = BTreeMap::new();
    let deal = |(min, expect): (&Vec<Value>, &Expect)| {
        let zone = zones.zone_at(min);
        let turn = turns.entry(zone).or_insert(0);
        let among = zones.shards_of(zone);
        let shard = among[*turn % among.len()];
        if *expect == Expect::Records {
            *turn += 1;
        }
        Range { min: min.clone(), shard }
    };
    points.iter().map(deal).collect()
}

/// Where to cut the line of hashes for this many equal parts.
fn even_cuts(parts: u32) -> impl Iterator<Item = i64> {
    let width = (1_i128 << 64) / i128::from(parts);
    (1..parts).map(move |part| {
        let cut = i128::from(i64::MIN) + width * i128::from(part);
        i64::try_from(cut).expect("fewer than all parts of the line end on the line")
    })
}

/// A prefix from a layout as a full bound: hashed where the key is, `MinKey` in the fields it does not name.
fn bound(key: &ShardKey, prefix: &[Value]) -> Vec<Value> {
    let placed = key.fields().iter().zip(prefix).map(|(field, value)| place(field.order, value.clone()));
    padded(key, placed.collect())
}

fn place(order: Order, value: Value) -> Value {
    match (order, value) {
        (Order::Ranged, value) => value,
        (Order::Hashed, hash @ (Value::MinKey | Value::Int(_) | Value::MaxKey)) => hash,
        (Order::Hashed, value) => Value::Int(hashed(&value)),
    }
}

fn padded(key: &ShardKey, mut prefix: Vec<Value>) -> Vec<Value> {
    prefix.resize(key.fields().len(), Value::MinKey);
    prefix
}

#[cfg(test)]
mod tests;
