//! How many shards each operation of a layout asks, and why: told without a database.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::calls::{About, Call, Knows, Whose, calls};
use crate::domain::Domain;
use crate::layout::model::Layout;
use crate::placement::{Note, Placement};
use crate::range_map::ShardId;
use crate::route::{Reason, Route};

mod sample;
mod table;

use sample::Sample;

/// What a layout makes of the shop's operations.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The layout's name.
    pub layout: String,
    /// On how many shards.
    pub shards: u32,
    /// One row per call: first each operation's own, as the API makes it, then other areas and ways of calling.
    pub operations: Vec<Row>,
    /// How many shards a checkout's transaction spans.
    #[serde(skip)]
    pub checkouts: Vec<Checkout>,
    /// What could not be had as the layout asks for it.
    #[serde(skip)]
    pub notes: Vec<Note>,
}

/// One call of an operation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The operation's name.
    pub op: &'static str,
    /// The area it touches; `checkout` for all that a checkout touches together.
    pub entity: &'static str,
    /// One shard, several or all.
    pub route: Reach,
    /// The fewest shards that a call of this kind asks.
    pub shards_min: usize,
    /// The most.
    pub shards_max: usize,
    /// Why, in a sentence.
    pub why: String,
}

/// How far calls of a kind reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    /// Never more than one shard.
    One,
    /// More than one for some of them.
    Some,
    /// Every one asks every shard that holds a range.
    All,
}

/// How many shards the transaction of a checkout of so many items spans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checkout {
    /// Lines in the cart.
    pub items: usize,
    /// The fewest shards.
    pub shards_min: usize,
    /// The most.
    pub shards_max: usize,
}

/// Runs every call of the shop through the router that the store itself uses, with every category and zone and many
/// ids, and tells what came out.
pub fn explain(layout: &Layout, shards: u32, domain: &Domain) -> Explanation {
    let (placement, notes) = Placement::new(layout, shards, domain);
    let samples: Vec<Sample> = sample::samples(domain);
    let mut explanation = Explanation {
        layout: layout.name.clone(),
        shards: placement.shards(),
        operations: Vec::new(),
        checkouts: Vec::new(),
        notes,
    };
    for call in calls(&placement) {
        let spread = Spread::of(&call, &placement, domain, &samples);
        let (shards_min, shards_max) = (spread.shards_min, spread.shards_max);
        let entity = match call.about {
            About::Area(area) => area.name(),
            About::Checkout(items) => {
                explanation.checkouts.push(Checkout { items, shards_min, shards_max });
                "checkout"
            }
        };
        let why = why(&call, &placement, &spread);
        let row =
            Row { op: call.operation.name(), entity, route: spread.reach(), shards_min, shards_max, why };
        explanation.operations.push(row);
    }
    explanation
}

/// What a call came to over all samples.
struct Spread {
    shards_min: usize,
    shards_max: usize,
    always_all: bool,
    reason: Reason,
}

impl Spread {
    fn of(call: &Call, placement: &Placement, domain: &Domain, samples: &[Sample]) -> Spread {
        let mut spread =
            Spread { shards_min: usize::MAX, shards_max: 0, always_all: true, reason: Reason::OneOwner };
        // For each access, the one shard it may go to; `None` once it went to several.
        let mut ones: Vec<Option<BTreeSet<ShardId>>> = vec![Some(BTreeSet::new()); call.touches.len()];
        for sample in samples {
            let mut touched: Vec<ShardId> = Vec::new();
            let mut all = false;
            for (at, touch) in call.touches.iter().enumerate() {
                let known = sample.known(touch, domain);
                let routed = placement.map(touch.area).route(&known);
                touched.extend(routed.route.shards());
                match &routed.route {
                    Route::One(shard) => drop(ones[at].as_mut().map(|seen| seen.insert(*shard))),
                    Route::Some(_) | Route::All(_) => ones[at] = None,
                }
                all |= matches!(routed.route, Route::All(_));
                if at == 0 {
                    spread.reason = routed.reason;
                }
            }
            touched.sort_unstable();
            touched.dedup();
            spread.shards_min = spread.shards_min.min(touched.len());
            spread.shards_max = spread.shards_max.max(touched.len());
            spread.always_all &= all || touched.len() == placement.shards() as usize;
        }
        // Several items are in several categories, which keeps them apart; sampling says how far.
        let several_items = call.touches.iter().any(|touch| matches!(touch.whose, Whose::Line(1..)));
        if !several_items && can_meet(ones) {
            spread.shards_min = 1;
        }
        spread
    }

    fn reach(&self) -> Reach {
        match (self.shards_max, self.always_all) {
            (..=1, _) => Reach::One,
            (_, true) => Reach::All,
            (_, false) => Reach::Some,
        }
    }
}

/// Whether all accesses of a call can come to lie on one shard. Among many shards that is too rare to be met by
/// sampling, but it happens: each goes to one shard, and there is a shard to which all of them may go.
fn can_meet(ones: Vec<Option<BTreeSet<ShardId>>>) -> bool {
    let common = ones.into_iter().reduce(|a, b| Some(a?.intersection(&b?).copied().collect()));
    common.flatten().is_some_and(|shards| !shards.is_empty())
}

fn why(call: &Call, placement: &Placement, spread: &Spread) -> String {
    match call.about {
        About::Area(area) => {
            let key = placement.map(area).key();
            let names_zones = call
                .touches
                .iter()
                .flat_map(|touch| &touch.knows)
                .any(|(field, knows)| *knows == Knows::AnyZone && key.names(field));
            let all_zones = if names_zones { ", naming every zone" } else { "" };
            format!("{}{all_zones}: {}", call.shape, spread.reason.of(key))
        }
        About::Checkout(_) => {
            let mut areas: Vec<&str> = call.touches.iter().map(|touch| touch.area.name()).collect();
            areas.dedup();
            format!("{}: {} in one transaction", call.shape, areas.join(", "))
        }
    }
}

#[cfg(test)]
mod tests;
