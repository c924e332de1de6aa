//! Each step in words: what it does, what it costs, what it blocks.

use std::collections::{BTreeMap, BTreeSet};

use mongodb::bson::Document;
use mworld_placement::{Form, ShardKey};

use super::keys::key_of;
use super::ranges::{Change, moves};
use super::step::{Kind, Step};
use super::wanted::Placed;
use crate::indexes::Index;

fn step(kind: Kind, collection: Option<&'static str>, what: String, cost: impl Into<String>) -> Step {
    Step { kind, collection, what, cost: cost.into() }
}

pub(super) fn shard(placed: &Placed, documents: u64) -> Step {
    let (ranges, owners) = (placed.map.ranges().len(), placed.map.owners().len());
    let (what, cost) = if documents == 0 {
        let what =
            format!("shard by {}, {} on {}", placed.key(), count(ranges, "range"), count(owners, "shard"));
        (what, "it is empty: done at once".to_owned())
    } else {
        let what = format!("shard by {}, in one range to begin with", placed.key());
        (what, format!("{} documents stay where they are for now", grouped(documents)))
    };
    step(Kind::Shard, Some(placed.collection.name()), what, cost)
}

pub(super) fn balancing(collection: &'static str) -> Step {
    let what = "keep the cluster's balancer and auto-merger from undoing the placement".to_owned();
    step(
        Kind::Balancing,
        Some(collection),
        what,
        "a setting of the collection; the cluster goes on balancing others",
    )
}

pub(super) fn indexes(collection: &'static str, indexes: &[&Index], documents: u64) -> Option<Step> {
    let said: Vec<String> = indexes.iter().map(|index| described(index)).collect();
    let what =
        format!("build {} {}", if said.len() == 1 { "the index" } else { "the indexes" }, said.join(", "));
    let cost = match documents {
        0 => "there are no documents: done at once".to_owned(),
        some => format!("reads about {} documents on every shard; reads and writes go on", grouped(some)),
    };
    (!said.is_empty()).then(|| step(Kind::Index, Some(collection), what, cost))
}

fn described(index: &Index) -> String {
    let unique = if index.unique { " unique" } else { "" };
    let partial = if index.partial.is_some() { " of some" } else { "" };
    let expires = if index.expires { " deleting what is over" } else { "" };
    format!("{}{unique}{partial}{expires}", pattern(&index.keys))
}

fn pattern(keys: &Document) -> String {
    key_of(keys).map_or_else(|| keys.to_string(), |key| key.to_string())
}

pub(super) fn refine(placed: &Placed, old: &ShardKey) -> Step {
    let what = format!("refine the shard key from {old} to {}", placed.key());
    let cost = "a change of the cluster's books: no document moves; operations on the collection wait for a second or so";
    step(Kind::Refine, Some(placed.collection.name()), what, cost)
}

pub(super) fn reshard(placed: &Placed, old: &Document, documents: u64) -> Step {
    let what = format!(
        "reshard from {} to {}, {} on {}",
        pattern(old),
        placed.key(),
        count(placed.map.ranges().len(), "range"),
        count(placed.map.owners().len(), "shard")
    );
    let cost = format!(
        "copies about {} documents and needs room for them twice; lasts at least 5 min with the servers' usual settings; reads and writes go on, writes stop for up to 5 s at the end",
        grouped(documents)
    );
    step(Kind::Reshard, Some(placed.collection.name()), what, cost)
}

pub(super) fn zone_shards(members: &BTreeMap<String, BTreeSet<String>>) -> Step {
    let zone = |(zone, shards): (&String, &BTreeSet<String>)| {
        format!("{zone} on {}", shards.iter().map(String::as_str).collect::<Vec<_>>().join(" and "))
    };
    let zones: Vec<String> = members.iter().map(zone).collect();
    step(Kind::ZoneShards, None, format!("zones: {}", zones.join(", ")), "nothing moves by it")
}

pub(super) fn zones(placed: &Placed) -> Step {
    let stretches = placed.stretches();
    let what = if stretches.is_empty() {
        "take away the zones that this layout does not have".to_owned()
    } else {
        let names: BTreeSet<&str> = placed.zones.iter().map(|zone| zone.name.as_str()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        format!("bind {} to the zones {}", count(stretches.len(), "stretch of keys"), names.join(", "))
    };
    step(Kind::Zones, Some(placed.collection.name()), what, "nothing moves by it")
}

pub(super) fn ranges(placed: &Placed, changes: &[Change], ranges: usize, documents: u64) -> Step {
    let moves = moves(changes);
    let what = format!("cut {}, move {}", count(changes.len() - moves, "range"), count(moves, "range"));
    let cost = match (moves, documents) {
        (0, _) => "no document moves".to_owned(),
        (_, 0) => "there are no documents: some tenths of a second for each".to_owned(),
        _ => {
            let parts = u64::try_from(ranges + changes.len() - moves).unwrap_or(u64::MAX).max(1);
            let share = documents.saturating_mul(u64::try_from(moves).unwrap_or(u64::MAX)) / parts;
            moving(share.max(1))
        }
    };
    step(Kind::Ranges, Some(placed.collection.name()), what, cost)
}

pub(super) fn all_ranges(placed: &Placed, documents: u64) -> Step {
    let ranges = placed.map.ranges().len();
    let what = format!("cut into {} and move each to its shard", count(ranges, "range"));
    step(Kind::Ranges, Some(placed.collection.name()), what, moving(documents))
}

fn moving(documents: u64) -> String {
    format!(
        "copies about {} documents between shards; reads and writes go on, writes to a range stop for up to a second at the end of its move; the old copies are deleted later, after an hour with the servers' usual settings",
        grouped(documents)
    )
}

pub(super) fn tidy() -> Step {
    step(
        Kind::Tidy,
        None,
        "take away the zones that were needed for dealing ranges out".to_owned(),
        "nothing moves by it",
    )
}

pub(super) fn sign(layout: &str) -> Step {
    let what = format!("mark the database as laid out by {layout}");
    step(Kind::Sign, None, what, "stores that are opened with another layout are refused from then on")
}

/// The name of a form as layouts write it.
pub(super) fn form(form: Form) -> &'static str {
    match form {
        Form::Whole => "whole",
        Form::PerZone => "per-zone",
        Form::Apart => "apart",
    }
}

fn count(number: usize, what: &str) -> String {
    match (number, what) {
        (1, what) => format!("1 {what}"),
        (number, "stretch of keys") => format!("{number} stretches of keys"),
        (number, what) => format!("{number} {what}s"),
    }
}

/// A number as people read it: 120,000.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_threes() {
        assert_eq!(
            [0, 999, 1_000, 120_000, 12_345_678].map(grouped),
            ["0", "999", "1,000", "120,000", "12,345,678"]
        );
    }
}
