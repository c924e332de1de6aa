//! Which shards a call has to ask, given what it knows: the same targeting as MongoDB's router.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::hash::hashed;
use crate::key::{KeyField, Order, ShardKey};
use crate::range_map::{RangeMap, ShardId};
use crate::value::Value;

mod bounds;

/// The shards that a call touches.
///
/// `One` whenever it is one, whatever the reason. `All` whenever it is every shard that holds a range (and they are
/// several), whether the call knew nothing or its values happen to be spread that far. `Some` is everything between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// Exactly this one.
    One(ShardId),
    /// These, ascending: several but not all, or none if nothing can match.
    Some(Vec<ShardId>),
    /// Every shard that holds a range, ascending.
    All(Arc<[ShardId]>),
}

impl Route {
    /// The shards, ascending.
    pub fn shards(&self) -> impl Iterator<Item = ShardId> + '_ {
        let shards: &[ShardId] = match self {
            Route::One(shard) => std::slice::from_ref(shard),
            Route::Some(shards) => shards,
            Route::All(shards) => shards,
        };
        shards.iter().copied()
    }

    /// How many shards it is.
    pub fn len(&self) -> usize {
        match self {
            Route::One(_) => 1,
            Route::Some(shards) => shards.len(),
            Route::All(shards) => shards.len(),
        }
    }

    /// Whether nothing can match, so that no shard has to be asked.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a call knows about one field.
#[derive(Debug, Clone, PartialEq)]
pub enum Constraint {
    /// The field has this value.
    Eq(Value),
    /// The field has one of these values.
    In(Vec<Value>),
    /// The field lies between these, both inclusive; `None` is an open end.
    Range {
        /// The smallest value.
        min: Option<Value>,
        /// The greatest value.
        max: Option<Value>,
    },
}

/// Everything a call knows: field names and what is known of them, in any order. Fields that the key does not name
/// are ignored.
pub type Known<'a> = &'a [(&'a str, Constraint)];

/// A route and why it is that one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routed {
    /// Where to ask.
    pub route: Route,
    /// Why.
    pub reason: Reason,
}

/// Why a route is what it is. Cheap to make, because every call makes one; worded only when someone asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// All ranges lie on one shard: nothing has to be known.
    OneOwner,
    /// Every field of the key is known by equality.
    WholeKey,
    /// Every field of the key is known, but of several values or of a range of them.
    SeveralKeys,
    /// Only the key's first fields are known, this many.
    Prefix(usize),
    /// The key begins with a hashed field, and a range of values is scattered over all hashes.
    RangeOverHash,
    /// The key's first field is not known.
    FirstFieldUnknown,
    /// The values exclude each other, or the list of them is empty.
    NothingMatches,
}

impl Reason {
    /// The reason in words, for this key.
    pub fn of<'k>(self, key: &'k ShardKey) -> impl fmt::Display + 'k {
        Worded { reason: self, key }
    }
}

struct Worded<'k> {
    reason: Reason,
    key: &'k ShardKey,
}

impl fmt::Display for Worded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |count: usize| {
            let names: Vec<&str> =
                self.key.fields().iter().take(count).map(|field| field.name.as_str()).collect();
            names.join(", ")
        };
        match self.reason {
            Reason::OneOwner => write!(f, "every range of {} lies on one shard", self.key),
            Reason::WholeKey => write!(f, "the call knows every field of {}", self.key),
            Reason::SeveralKeys => write!(f, "the call knows several values of {}", self.key),
            Reason::Prefix(count) => {
                write!(f, "the call knows {}, with which {} begins", names(count), self.key)
            }
            Reason::RangeOverHash => {
                write!(f, "{} is hashed, so a range of it lies anywhere in {}", names(1), self.key)
            }
            Reason::FirstFieldUnknown => {
                write!(f, "the call does not know {}, with which {} begins", names(1), self.key)
            }
            Reason::NothingMatches => f.write_str("nothing can match what the call asks for"),
        }
    }
}

impl RangeMap {
    /// The shards that can hold a record of which this is known.
    pub fn route(&self, known: Known<'_>) -> Routed {
        let owners = self.owners();
        if let [only] = owners[..] {
            return Routed { route: Route::One(only), reason: Reason::OneOwner };
        }
        let fields: Vec<Candidates<'_>> =
            self.key().fields().iter().map(|field| candidates(field, known)).collect();
        let reason = reason(self.key(), &fields, known);
        let route = match reason {
            Reason::FirstFieldUnknown | Reason::RangeOverHash => Route::All(Arc::clone(owners)),
            Reason::NothingMatches => Route::Some(Vec::new()),
            Reason::OneOwner | Reason::WholeKey | Reason::SeveralKeys | Reason::Prefix(_) => {
                self.shards_between(&fields)
            }
        };
        Routed { route, reason }
    }

    fn shards_between(&self, fields: &[Candidates<'_>]) -> Route {
        let mut touched: Vec<ShardId> = Vec::new();
        for interval in bounds::flatten(fields) {
            let first = self.last_beginning_at_or_before(|at| &interval[at].first);
            let last = self.last_beginning_at_or_before(|at| &interval[at].last);
            for range in &self.ranges()[first..=last] {
                if let Err(place) = touched.binary_search(&range.shard) {
                    touched.insert(place, range.shard);
                }
            }
            if touched.len() == self.owners().len() {
                break;
            }
        }
        match touched[..] {
            [only] => Route::One(only),
            _ if touched.len() == self.owners().len() => Route::All(Arc::clone(self.owners())),
            _ => Route::Some(touched),
        }
    }
}

/// The values that one key field can have, as ranges compare them (hashes in a hashed field).
#[derive(Debug, Clone)]
enum Candidates<'k> {
    /// These, ascending, none twice.
    Points(Vec<Cow<'k, Value>>),
    /// Everything from the first to the last.
    Between(Cow<'k, Value>, Cow<'k, Value>),
    /// Nothing is known.
    Any,
}

fn candidates<'k>(field: &KeyField, known: Known<'k>) -> Candidates<'k> {
    let constraint = known.iter().find(|(name, _)| *name == field.name).map(|(_, constraint)| constraint);
    let place = |value: &'k Value| match field.order {
        Order::Ranged => Cow::Borrowed(value),
        Order::Hashed => Cow::Owned(Value::Int(hashed(value))),
    };
    match constraint {
        Some(Constraint::Eq(value)) => Candidates::Points(vec![place(value)]),
        Some(Constraint::In(values)) => {
            let mut points: Vec<_> = values.iter().map(place).collect();
            points.sort_unstable();
            points.dedup();
            Candidates::Points(points)
        }
        Some(Constraint::Range { min, max }) if field.order == Order::Ranged => {
            let end = |bound: &'k Option<Value>, open| bound.as_ref().map_or(Cow::Owned(open), Cow::Borrowed);
            Candidates::Between(end(min, Value::MinKey), end(max, Value::MaxKey))
        }
        Some(Constraint::Range { .. }) => Candidates::Any,
        None => bounds::composite(field, known),
    }
}

fn reason(key: &ShardKey, fields: &[Candidates<'_>], known: Known<'_>) -> Reason {
    let impossible = |field: &Candidates<'_>| match field {
        Candidates::Points(points) => points.is_empty(),
        Candidates::Between(first, last) => first > last,
        Candidates::Any => false,
    };
    if fields.iter().any(impossible) {
        return Reason::NothingMatches;
    }
    if fields.iter().all(|field| matches!(field, Candidates::Points(points) if points.len() == 1)) {
        return Reason::WholeKey;
    }
    let first = &key.fields()[0];
    match fields.iter().take_while(|field| !matches!(field, Candidates::Any)).count() {
        0 if known.iter().any(|(name, _)| *name == first.name) => Reason::RangeOverHash,
        0 => Reason::FirstFieldUnknown,
        count if count == fields.len() => Reason::SeveralKeys,
        count => Reason::Prefix(count),
    }
}
