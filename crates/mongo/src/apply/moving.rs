//! Cutting and moving the ranges of a collection that may hold documents, while the store sells.

use std::ops::ControlFlow;

use mongodb::bson::{Document, doc};

use super::found;
use super::keys::{bound, end};
use super::ranges::{Change, changes};
use super::run::{Told, Work};
use super::temporary::admin;
use super::wanted::Placed;
use crate::fault::code;

/// How often the ranges are looked at again: somebody else may cut and move as well.
const ROUNDS: usize = 5;

/// How often one change is tried. Pauses grow to three seconds, so this is more than the hour for which old copies of a
/// range lie on a shard with the servers' usual settings.
const TRIES: u32 = 1_500;

/// Brings the collection's ranges to where they are wanted.
pub(super) async fn arrange(work: &Work<'_>, placed: &Placed) -> Told {
    for _ in 0..ROUNDS {
        let sharded = found::sharded(work.cluster, placed.collection.name(), work.shards).await?;
        let Some(map) = sharded.and_then(|sharded| sharded.map) else { break };
        if map.key() != placed.key() {
            break;
        }
        let changes = changes(&map, &placed.map);
        if changes.is_empty() {
            break;
        }
        let of = changes.len() as u64;
        for (done, change) in (0..).zip(&changes) {
            if work.tell(Some((done, of)), None).is_break() || make(work, placed, change).await?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}

async fn make(work: &Work<'_>, placed: &Placed, change: &Change) -> Told {
    let mut command = command(work, placed, change);
    let mut tries = 0;
    loop {
        let error = match admin(work.cluster, command.clone()).await {
            Ok(_) => return Ok(ControlFlow::Continue(())),
            Err(error) => error,
        };
        let waits_for = match code(&error) {
            // Somebody has cut there meanwhile.
            _ if error.to_string().contains("is a boundary key of existing chunk") => {
                return Ok(ControlFlow::Continue(()));
            }
            // The range holds more than the cluster moves without being told so twice.
            Some(153) if !command.contains_key("forceJumbo") => {
                command.insert("forceJumbo", true);
                continue;
            }
            // Bounds that are no longer those of one range: the next round looks again.
            Some(13_388 | 656_452) => return Ok(ControlFlow::Continue(())),
            Some(24 | 46) => "a transaction on the collection to end",
            Some(96) => "the shard to delete its old copy of the range",
            Some(117) => "another change of the collection to end",
            _ => return Err(error),
        };
        tries += 1;
        if tries > TRIES {
            return Err(error);
        }
        if work.pause(tries, waits_for).await.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
}

fn command(work: &Work<'_>, placed: &Placed, change: &Change) -> Document {
    let (namespace, key) = (work.namespace(placed), placed.key());
    match change {
        Change::Split { at } => doc! { "split": namespace, "middle": bound(key, at) },
        Change::Move { min, max, to } => doc! {
            "moveRange": namespace,
            "min": bound(key, min),
            "max": max.as_ref().map_or_else(|| end(key), |max| bound(key, max)),
            "toShard": work.shards.get(to.0 as usize).cloned().unwrap_or_default(),
        },
    }
}
