//! A range map as plain data: what engines write down, and what makes it sound when it is read back.

use serde::{Deserialize, Serialize};

use super::{Range, RangeMap};
use crate::key::{KeyField, Order, ShardKey};
use crate::value::Value;

/// Why ranges do not make a map.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RangeMapError {
    /// There is no range at all.
    #[error("a range map needs at least one range, which begins at MinKey in every field")]
    NoRange,
    /// The first range leaves keys out.
    #[error("the first range begins at {}, which leaves smaller keys out; begin it at MinKey in every field", written(.0))]
    Uncovered(Vec<Value>),
    /// A range does not begin after the one before it.
    #[error("range {position} begins at {}, not after the range before it; sort the ranges and drop doubles", written(.min))]
    Unsorted {
        /// Which range, counted from zero.
        position: usize,
        /// Where it begins.
        min: Vec<Value>,
    },
    /// A bound has another number of values than the key has fields.
    #[error("bound {} has {} values, but key {key} has {} fields; give one value per field", written(.bound), .bound.len(), .key.fields().len())]
    WrongWidth {
        /// The bound.
        bound: Vec<Value>,
        /// The key.
        key: ShardKey,
    },
    /// A bound's hashed field does not hold a hash.
    #[error("bound {} holds {value} in the hashed field {field}; give its hash, a whole number", written(.bound))]
    NotAHash {
        /// The bound.
        bound: Vec<Value>,
        /// What stands where a hash should.
        value: Value,
        /// The hashed field.
        field: String,
    },
    /// A range ends before it begins.
    #[error("the range from {} to {} is empty; its end must lie above its beginning", written(.min), written(.max))]
    Empty {
        /// Its first key.
        min: Vec<Value>,
        /// The first key beyond.
        max: Vec<Value>,
    },
    /// The stored text names no sound key.
    #[error("{0:?} is no shard key; give at least one field, none twice, at most one of them hashed")]
    BadKey(Vec<String>),
}

/// The form in which a map is written down: the key's fields as layout files write them, and the ranges.
#[derive(Serialize, Deserialize)]
pub(super) struct Stored {
    key: Vec<String>,
    ranges: Vec<Range>,
}

const HASHED_SUFFIX: &str = ":hashed";

impl From<RangeMap> for Stored {
    fn from(map: RangeMap) -> Stored {
        let write = |field: &KeyField| match field.order {
            Order::Ranged => field.name.clone(),
            Order::Hashed => format!("{}{HASHED_SUFFIX}", field.name),
        };
        Stored { key: map.key.fields().iter().map(write).collect(), ranges: map.ranges }
    }
}

impl TryFrom<Stored> for RangeMap {
    type Error = RangeMapError;

    fn try_from(stored: Stored) -> Result<RangeMap, RangeMapError> {
        let read = |text: &String| match text.strip_suffix(HASHED_SUFFIX) {
            Some(name) => KeyField { name: name.to_owned(), order: Order::Hashed },
            None => KeyField { name: text.clone(), order: Order::Ranged },
        };
        let key = ShardKey::new(stored.key.iter().map(read).collect());
        RangeMap::from_parts(key.ok_or(RangeMapError::BadKey(stored.key))?, stored.ranges)
    }
}

pub(super) fn validate(key: &ShardKey, ranges: &[Range]) -> Result<(), RangeMapError> {
    let first = ranges.first().ok_or(RangeMapError::NoRange)?;
    for range in ranges {
        validate_bound(key, &range.min)?;
    }
    if first.min.iter().any(|value| *value != Value::MinKey) {
        return Err(RangeMapError::Uncovered(first.min.clone()));
    }
    match ranges.windows(2).position(|pair| pair[0].min >= pair[1].min) {
        Some(before) => {
            Err(RangeMapError::Unsorted { position: before + 1, min: ranges[before + 1].min.clone() })
        }
        None => Ok(()),
    }
}

pub(super) fn validate_bound(key: &ShardKey, bound: &[Value]) -> Result<(), RangeMapError> {
    if bound.len() != key.fields().len() {
        return Err(RangeMapError::WrongWidth { bound: bound.to_vec(), key: key.clone() });
    }
    for (field, value) in key.fields().iter().zip(bound) {
        let is_hash = matches!(value, Value::MinKey | Value::Int(_) | Value::MaxKey);
        if field.order == Order::Hashed && !is_hash {
            let (value, field) = (value.clone(), field.name.clone());
            return Err(RangeMapError::NotAHash { bound: bound.to_vec(), value, field });
        }
    }
    Ok(())
}

fn written(bound: &[Value]) -> String {
    let values: Vec<String> = bound.iter().map(Value::to_string).collect();
    format!("[{}]", values.join(", "))
}
