//! Which shard holds which keys: the line of all keys, cut into ranges.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::hash::hashed;
use crate::key::{Order, ShardKey};
use crate::value::Value;

mod stored;

pub use stored::RangeMapError;

/// A shard, counted from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ShardId(pub u32);

impl fmt::Display for ShardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The keys from `min` (inclusive) to the next range's `min`, and the shard that holds them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// The first key inside, one value per field of the key; a hashed field's value is its hash.
    pub min: Vec<Value>,
    /// Where the range lies.
    pub shard: ShardId,
}

/// The ranges of one key. They cover every key exactly once: the first begins below all keys, each ends where the
/// next begins, and the last has no end. Nothing else can be expressed, so nothing else has to be checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "stored::Stored", into = "stored::Stored")]
pub struct RangeMap {
    key: ShardKey,
    ranges: Vec<Range>,
    /// The shards that hold a range, ascending. Kept so that a route to all of them costs no search.
    owners: Arc<[ShardId]>,
}

impl RangeMap {
    /// One range with every key, on one shard: how MongoDB begins when it knows nothing better.
    pub fn undivided(key: ShardKey, shard: ShardId) -> RangeMap {
        let min = vec![Value::MinKey; key.fields().len()];
        RangeMap { key, ranges: vec![Range { min, shard }], owners: Arc::from([shard]) }
    }

    /// A map of these ranges, which must be sorted, start below every key and have one value per field.
    pub fn from_parts(key: ShardKey, ranges: Vec<Range>) -> Result<RangeMap, RangeMapError> {
        stored::validate(&key, &ranges)?;
        let owners = owners(&ranges);
        Ok(RangeMap { key, ranges, owners })
    }

    /// The key whose line is cut.
    pub fn key(&self) -> &ShardKey {
        &self.key
    }

    /// The ranges, in key order.
    pub fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    /// The shards that hold at least one range, ascending.
    pub fn owners(&self) -> &Arc<[ShardId]> {
        &self.owners
    }

    /// The shard that holds the record with these field values. They are the raw ones, in key order: the hashed field
    /// is hashed here. A value that is left out at the end counts as null, as in MongoDB.
    pub fn shard_of(&self, values: &[Value]) -> ShardId {
        self.ranges[self.range_of(values)].shard
    }

    /// The position in [`RangeMap::ranges`] of the range that holds the record with these raw field values.
    pub fn range_of(&self, values: &[Value]) -> usize {
        let hash_at = self.key.fields().iter().position(|field| field.order == Order::Hashed);
        let hash = hash_at.map(|at| (at, Value::Int(hashed(values.get(at).unwrap_or(&Value::Null)))));
        let field = |at: usize| match &hash {
            Some((hash_at, hash)) if *hash_at == at => hash,
            _ => values.get(at).unwrap_or(&Value::Null),
        };
        self.last_beginning_at_or_before(field)
    }

    /// Raw field values as ranges compare them: the hashed one replaced by its hash.
    pub fn placed(&self, values: &[Value]) -> Vec<Value> {
        let value = |at: usize| values.get(at).unwrap_or(&Value::Null);
        let place = |(at, order)| match order {
            Order::Ranged => value(at).clone(),
            Order::Hashed => Value::Int(hashed(value(at))),
        };
        self.key.fields().iter().map(|field| field.order).enumerate().map(place).collect()
    }

    /// Cuts the range that holds `at` so that a range begins there; both parts stay where they are. Cutting where a
    /// range already begins changes nothing.
    pub fn split_at(&mut self, at: Vec<Value>) -> Result<(), RangeMapError> {
        stored::validate_bound(&self.key, &at)?;
        let holder = self.last_beginning_at_or_before(|field| &at[field]);
        if self.ranges[holder].min != at {
            let shard = self.ranges[holder].shard;
            self.ranges.insert(holder + 1, Range { min: at, shard });
        }
        Ok(())
    }

    /// Gives the keys from `min` (inclusive) to `max` (exclusive; `None`: to the end) to a shard, cutting ranges where
    /// the bounds fall inside one. Bounds hold hashes, not raw values, in the hashed field.
    pub fn assign(
        &mut self,
        min: &[Value],
        max: Option<&[Value]>,
        shard: ShardId,
    ) -> Result<(), RangeMapError> {
        if let Some(max) = max {
            stored::validate_bound(&self.key, max)?;
            if max <= min {
                return Err(RangeMapError::Empty { min: min.to_vec(), max: max.to_vec() });
            }
            self.split_at(max.to_vec())?;
        }
        self.split_at(min.to_vec())?;
        let inside = |range: &&mut Range| range.min[..] >= *min && max.is_none_or(|max| range.min[..] < *max);
        for range in self.ranges.iter_mut().filter(inside) {
            range.shard = shard;
        }
        self.owners = owners(&self.ranges);
        Ok(())
    }

    /// The last range that does not begin after the key whose placed fields `field` gives. There always is one,
    /// because the first range begins below every key.
    pub(crate) fn last_beginning_at_or_before<'v>(&self, field: impl Fn(usize) -> &'v Value) -> usize {
        let begins_before = |range: &Range| {
            let order = range.min.iter().enumerate().map(|(at, min)| min.cmp(field(at))).find(|o| o.is_ne());
            order.unwrap_or(Ordering::Equal).is_le()
        };
        self.ranges.partition_point(begins_before).saturating_sub(1)
    }
}

fn owners(ranges: &[Range]) -> Arc<[ShardId]> {
    let mut shards: Vec<ShardId> = ranges.iter().map(|range| range.shard).collect();
    shards.sort_unstable();
    shards.dedup();
    shards.into()
}

#[cfg(test)]
mod tests;
