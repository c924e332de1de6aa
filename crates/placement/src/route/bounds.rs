//! From candidates per field to intervals of whole keys.

use std::borrow::Cow;

use super::{Candidates, Constraint, Known};
use crate::hash::hashed;
use crate::key::{KeyField, Order};
use crate::placing::{COMPOSITE_SEPARATOR, composite_value};
use crate::value::Value;

/// The values of one field at the two ends of an interval, both inclusive.
#[derive(Debug, Clone)]
pub(super) struct Ends<'k> {
    pub(super) first: Cow<'k, Value>,
    pub(super) last: Cow<'k, Value>,
}

/// More values than this in one list are taken as everything between the smallest and the greatest. A call with so
/// many reaches nearly every shard anyway, and the bound keeps a client's list from costing a search per value.
const MOST_POINTS: usize = 4096;

/// The intervals of keys that the fields allow, as MongoDB's router flattens them: single values go on narrowing;
/// the first field with several candidates makes one interval of each; every later field only lends its smallest
/// value to the beginnings and its greatest to the ends. The intervals may hold more than what can match, never less.
pub(super) fn flatten<'k>(fields: &[Candidates<'k>]) -> Vec<Vec<Ends<'k>>> {
    let mut intervals: Vec<Vec<Ends<'k>>> = vec![Vec::with_capacity(fields.len())];
    let mut one_point_so_far = true;
    for field in fields {
        match field {
            Candidates::Points(points) if one_point_so_far && points.len() <= MOST_POINTS => {
                let prefix = intervals.swap_remove(0);
                intervals = points.iter().map(|point| extended(&prefix, point)).collect();
                one_point_so_far = points.len() == 1;
            }
            _ => {
                one_point_so_far = false;
                let ends = outer_ends(field);
                for interval in &mut intervals {
                    interval.push(ends.clone());
                }
            }
        }
    }
    intervals
}

fn extended<'k>(prefix: &[Ends<'k>], point: &Cow<'k, Value>) -> Vec<Ends<'k>> {
    let mut interval = Vec::with_capacity(prefix.len() + 1);
    interval.extend_from_slice(prefix);
    interval.push(Ends { first: point.clone(), last: point.clone() });
    interval
}

fn outer_ends<'k>(field: &Candidates<'k>) -> Ends<'k> {
    match field {
        Candidates::Points(points) => match (points.first(), points.last()) {
            (Some(first), Some(last)) => Ends { first: first.clone(), last: last.clone() },
            _ => anything(),
        },
        Candidates::Between(first, last) => Ends { first: first.clone(), last: last.clone() },
        Candidates::Any => anything(),
    }
}

fn anything<'k>() -> Ends<'k> {
    Ends { first: Cow::Owned(Value::MinKey), last: Cow::Owned(Value::MaxKey) }
}

/// The candidates of a field that joins several others: known if every part is known by value.
pub(super) fn composite<'k>(field: &KeyField, known: Known<'_>) -> Candidates<'k> {
    if !field.name.contains(COMPOSITE_SEPARATOR) {
        return Candidates::Any;
    }
    let mut combinations: Vec<Vec<Value>> = vec![Vec::new()];
    for part in field.name.split(COMPOSITE_SEPARATOR) {
        let values = match known.iter().find(|(name, _)| *name == part) {
            Some((_, Constraint::Eq(value))) => std::slice::from_ref(value),
            Some((_, Constraint::In(values))) if values.len() * combinations.len() <= MOST_POINTS => values,
            _ => return Candidates::Any,
        };
        let with_part = |combination: &Vec<Value>| {
            let combination = combination.clone();
            values.iter().map(move |value| [&combination[..], std::slice::from_ref(value)].concat())
        };
        combinations = combinations.iter().flat_map(with_part).collect();
    }
    let place = |parts: &Vec<Value>| match field.order {
        Order::Ranged => Cow::Owned(composite_value(parts)),
        Order::Hashed => Cow::Owned(Value::Int(hashed(&composite_value(parts)))),
    };
    let mut points: Vec<_> = combinations.iter().map(place).collect();
    points.sort_unstable();
    points.dedup();
    Candidates::Points(points)
}
