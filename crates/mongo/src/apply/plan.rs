//! From what is wanted and what is there to what has to be done. A pure function: reading and doing lie elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use super::found::{Found, There};
use super::keys::{extends, refined};
use super::mark::SCHEMA;
use super::ranges::changes;
use super::step::{Kind, Step};
use super::temporary;
use super::wanted::{Placed, Stretch, Wanted};
use super::words;
use crate::collection::{Collection, Shape};
use crate::indexes::Index;

/// Why a layout cannot be had on this database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refused {
    /// Its records are written down in another way, which says what.
    OtherShape { stored: String, what: String },
    /// Somebody else's records are where ours would go.
    Foreign { collection: &'static str, documents: u64 },
    /// A newer program has been here.
    Newer { schema: i64 },
}

/// The steps that lead from one to the other; none if all is as it should be.
pub(super) fn plan(wanted: &Wanted, found: &Found, database: &str) -> Result<Vec<Step>, Refused> {
    refuse(wanted, found)?;
    let mut steps = Vec::new();
    let mut zoned = Vec::new();
    for placed in &wanted.collections {
        let name = placed.collection.name();
        let nothing = There::default();
        let there = found.collections.get(name).unwrap_or(&nothing);
        keyed(placed, there, &mut steps);
        let stretches = found.stretches.get(name).map(Vec::as_slice).unwrap_or_default();
        // Making or copying a collection takes all of its stretches away.
        let anew = steps.iter().any(|step| step.is(name, Kind::Shard) || step.is(name, Kind::Reshard));
        let stretches = if anew { &[] } else { stretches };
        if !same(stretches, &placed.stretches()) {
            zoned.push(words::zones(placed));
        }
        if let Some(step) = ranges(placed, there) {
            zoned.push(step);
        }
    }
    if missing_members(wanted, found).next().is_some() || extra_members(wanted, found).next().is_some() {
        steps.push(words::zone_shards(&zone_shards(wanted, &found.shards)));
    }
    steps.append(&mut zoned);
    let left_over = found.zones.keys().any(|zone| temporary::is_ours(zone, database));
    let needed = steps.iter().any(|step| step.kind == Kind::Shard);
    if left_over || needed {
        steps.push(words::tidy());
    }
    if !steps.is_empty() || !is_signed(wanted, found) {
        steps.push(words::sign(&wanted.layout));
    }
    Ok(steps)
}

fn refuse(wanted: &Wanted, found: &Found) -> Result<(), Refused> {
    let Some(mark) = &found.mark else {
        let filled = |placed: &Placed| {
            let collection = placed.collection.name();
            let documents = found.collections.get(collection)?.documents;
            (documents > 0).then_some(Refused::Foreign { collection, documents })
        };
        return wanted.collections.iter().find_map(filled).map_or(Ok(()), Err);
    };
    if mark.schema > SCHEMA {
        return Err(Refused::Newer { schema: mark.schema });
    }
    let differs = match mark.shape() {
        Some(shape) => difference(shape, wanted.shape),
        None => {
            Some("it cannot be told how records would change: the stored layout cannot be read".to_owned())
        }
    };
    match differs {
        Some(what) => Err(Refused::OtherShape { stored: mark.name.clone(), what }),
        None => Ok(()),
    }
}

/// What of the way in which records are written down is another, in words.
fn difference(stored: Shape, wanted: Shape) -> Option<String> {
    if stored.form != wanted.form {
        return Some(format!(
            "products would have the form {} instead of {}",
            words::form(wanted.form),
            words::form(stored.form)
        ));
    }
    if stored.owner_to_cart != wanted.owner_to_cart {
        return Some(
            "carts would be other documents: one for each owner where the key follows from the owner, else one for each cart"
                .to_owned(),
        );
    }
    (stored.order_keys != wanted.order_keys)
        .then(|| {
            "the idempotency keys of checkouts would lie elsewhere: beside the orders where the user alone finds them, else apart"
                .to_owned()
        })
}

/// The steps that give a collection its key, its indexes and its peace.
fn keyed(placed: &Placed, there: &There, steps: &mut Vec<Step>) {
    let name = placed.collection.name();
    let indexes = missing(placed, there);
    let Some(sharded) = &there.sharded else {
        if there.documents > 0 {
            steps.extend(words::indexes(name, &indexes, there.documents));
        }
        steps.push(words::shard(placed, there.documents));
        steps.push(words::balancing(name));
        if there.documents == 0 {
            // The key's own index is made with the collection.
            let others: Vec<&Index> = indexes.into_iter().filter(|index| !is_key(placed, index)).collect();
            steps.extend(words::indexes(name, &others, 0));
        }
        return;
    };
    if !sharded.left_alone {
        steps.push(words::balancing(name));
    }
    match sharded.key() {
        Some(key) if key == *placed.key() => {
            steps.extend(words::indexes(name, &indexes, there.documents));
        }
        Some(key) if extends(placed.key(), &key) => {
            steps.extend(words::indexes(name, &indexes, there.documents));
            steps.push(words::refine(placed, &key));
        }
        _ => {
            steps.push(words::reshard(placed, &sharded.key, there.documents));
            let others: Vec<&Index> = indexes.into_iter().filter(|index| !is_key(placed, index)).collect();
            steps.extend(words::indexes(name, &others, there.documents));
        }
    }
}

fn is_key(placed: &Placed, index: &Index) -> bool {
    !index.unique && super::keys::key_of(&index.keys).as_ref() == Some(placed.key())
}

/// The indexes of a collection that are not there.
pub(super) fn missing<'w>(placed: &'w Placed, there: &There) -> Vec<&'w Index> {
    let served = |index: &&Index| !there.indexes.iter().any(|found| found.serves(index));
    placed.indexes.iter().filter(served).collect()
}

/// The cuts and moves of a collection that keeps its key or gets a longer one.
fn ranges(placed: &Placed, there: &There) -> Option<Step> {
    let Some(sharded) = &there.sharded else {
        return (there.documents > 0).then(|| words::all_ranges(placed, there.documents));
    };
    let key = sharded.key()?;
    let map = sharded.map.as_ref()?;
    let changes = if key == *placed.key() {
        changes(map, &placed.map)
    } else if extends(placed.key(), &key) {
        changes(&refined(map, placed.key()), &placed.map)
    } else {
        Vec::new()
    };
    (!changes.is_empty()).then(|| words::ranges(placed, &changes, map.ranges().len(), there.documents))
}

fn same(there: &[Stretch], wanted: &[Stretch]) -> bool {
    there.len() == wanted.len() && wanted.iter().all(|stretch| there.contains(stretch))
}

/// The shards of every zone, over all collections.
pub(super) fn zone_shards(wanted: &Wanted, shards: &[String]) -> BTreeMap<String, BTreeSet<String>> {
    let mut members: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for zone in wanted.collections.iter().flat_map(|placed| &placed.zones) {
        let names = zone.shards.iter().filter_map(|shard| shards.get(shard.0 as usize).cloned());
        members.entry(zone.name.clone()).or_default().extend(names);
    }
    members
}

/// Shards that have to be added to a zone.
pub(super) fn missing_members(wanted: &Wanted, found: &Found) -> impl Iterator<Item = (String, String)> {
    let there = found.zones.clone();
    let pairs = pairs(zone_shards(wanted, &found.shards));
    pairs.filter(move |(zone, shard)| there.get(zone).is_none_or(|members| !members.contains(shard)))
}

/// Shards that have to leave a zone, which no other database uses.
pub(super) fn extra_members(wanted: &Wanted, found: &Found) -> impl Iterator<Item = (String, String)> {
    let members = zone_shards(wanted, &found.shards);
    let shared = found.shared_zones.clone();
    pairs(found.zones.clone()).filter(move |(zone, shard)| {
        !shared.contains(zone) && members.get(zone).is_some_and(|members| !members.contains(shard))
    })
}

fn pairs(members: BTreeMap<String, BTreeSet<String>>) -> impl Iterator<Item = (String, String)> {
    members.into_iter().flat_map(|(zone, shards)| shards.into_iter().map(move |shard| (zone.clone(), shard)))
}

fn is_signed(wanted: &Wanted, found: &Found) -> bool {
    found.mark.as_ref().is_some_and(|mark| {
        mark.fingerprint == wanted.fingerprint
            && mark.name == wanted.layout
            && mark.toml == wanted.toml
            && mark.schema == SCHEMA
    })
}

/// What else is worth knowing: what had to be bent, and what stays although this layout does not want it.
pub(super) fn notes(wanted: &Wanted, found: &Found) -> Vec<String> {
    let mut notes: Vec<String> = wanted.notes.iter().map(ToString::to_string).collect();
    let is_wanted = |name: &str| wanted.collections.iter().any(|placed| placed.collection.name() == name);
    let foreign: Vec<&str> =
        found.collections.keys().map(String::as_str).filter(|name| !is_wanted(name)).collect();
    let foreign: Vec<&str> = foreign.into_iter().filter(|name| *name != Collection::Meta.name()).collect();
    if !foreign.is_empty() {
        notes.push(format!("not of this layout, and left as they are: {}", foreign.join(", ")));
    }
    for placed in &wanted.collections {
        let Some(there) = found.collections.get(placed.collection.name()) else { continue };
        let kept = there
            .indexes
            .iter()
            .filter(|found| found.name != "_id_" && !placed.indexes.iter().any(|index| found.serves(index)));
        let kept: Vec<&str> = kept.map(|index| index.name.as_str()).collect();
        if !kept.is_empty() {
            notes.push(format!(
                "{}: indexes that this layout does not want stay, drop them by hand if nobody else uses them: {}",
                placed.collection,
                kept.join(", ")
            ));
        }
    }
    notes
}

impl Step {
    fn is(&self, collection: &str, kind: Kind) -> bool {
        self.collection == Some(collection) && self.kind == kind
    }
}

#[cfg(test)]
mod tests;
