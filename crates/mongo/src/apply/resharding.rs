//! Copying a collection under another key, while the store sells.

use std::ops::ControlFlow;
use std::time::Duration;

use futures_util::TryStreamExt;
use mongodb::bson::{Bson, Document, doc};

use super::keys::{bound, end_of};
use super::run::{Told, Work};
use super::temporary::admin;
use super::wanted::Placed;
use super::{Pace, found, moving};
use crate::fault::code;
use crate::indexes::pattern;

/// How often progress is asked for.
const EVERY: Duration = Duration::from_millis(500);

/// How often it is tried while something else changes the collection.
const TRIES: u32 = 100;

/// Copies the collection under the wanted key, every range at once on its shard. A copy that an earlier run began with
/// the same ranges is joined.
pub(super) async fn reshard(work: &Work<'_>, placed: &Placed) -> Told {
    let name = placed.collection.name();
    let now = found::sharded(work.cluster, name, work.shards).await?;
    let is_done = now.and_then(|sharded| sharded.key()).as_ref() == Some(placed.key());
    if !is_done {
        // The bounds of the zones are values of the old key.
        work.rebind(placed, &[]).await?;
        let (mut tries, mut dealt) = (0, Dealt::ByUs);
        while let Err(error) = copied(work, placed, dealt).await {
            match code(&error) {
                Some(117) if tries < TRIES => tries += 1,
                Some(40_415 | 72) if dealt == Dealt::ByUs => {
                    dealt = Dealt::ByTheCluster;
                    continue;
                }
                _ => return Err(error),
            }
            if work.pause(tries, "another change of the collection to end").await.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }
    moving::arrange(work, placed).await
}

/// Who says where the ranges of the copy lie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dealt {
    /// The command names each range with its shard, as servers since 8.0 take it.
    ByUs,
    /// An older server cuts where it likes, and what lies elsewhere is moved afterwards. Zones would not help: where the
    /// key begins with a hash they are passed over (seen on 8.2).
    ByTheCluster,
}

/// Gives the command and tells how far it is until it answers. It cannot be stopped half-way but by being undone, so
/// whoever wants to stop is heard after it.
async fn copied(work: &Work<'_>, placed: &Placed, dealt: Dealt) -> mongodb::error::Result<()> {
    let command = command(work, placed, dealt);
    let running = admin(work.cluster, command);
    tokio::pin!(running);
    loop {
        match tokio::time::timeout(EVERY, &mut running).await {
            Ok(answer) => return answer.map(drop),
            // Progress that cannot be had is no reason to give up.
            Err(_) => {
                let part = progress(work, placed).await.unwrap_or_default();
                let _ = work.tell(part, None);
            }
        }
    }
}

fn command(work: &Work<'_>, placed: &Placed, dealt: Dealt) -> Document {
    let mut command = doc! { "reshardCollection": work.namespace(placed), "key": pattern(placed.key()) };
    let ranges = placed.map.ranges();
    match dealt {
        Dealt::ByUs => {
            let range = |(place, range): (usize, &mworld_placement::Range)| {
                let shard = work.shards.get(range.shard.0 as usize).cloned().unwrap_or_default();
                let (min, max) = (bound(placed.key(), &range.min), end_of(&placed.map, place));
                Bson::from(doc! { "shard": shard, "min": min, "max": max })
            };
            command.insert("shardDistribution", ranges.iter().enumerate().map(range).collect::<Vec<_>>());
        }
        Dealt::ByTheCluster => {
            command.insert("numInitialChunks", i64::try_from(ranges.len()).unwrap_or(i64::MAX));
        }
    }
    if work.pace == Pace::Hurried {
        command.insert("demoMode", true);
    }
    command
}

/// Documents copied so far, and in all, as the shards that receive them say.
async fn progress(work: &Work<'_>, placed: &Placed) -> mongodb::error::Result<Option<(u64, u64)>> {
    let pipeline = [
        doc! { "$currentOp": { "allUsers": true, "localOps": false } },
        doc! { "$match": {
            "type": "op",
            "originatingCommand.reshardCollection": work.namespace(placed),
            "recipientState": { "$exists": true },
        } },
        doc! { "$group": {
            "_id": null,
            "copied": { "$sum": "$documentsCopied" },
            "all": { "$sum": "$approxDocumentsToCopy" },
        } },
    ];
    let found: Vec<Document> =
        work.cluster.client.database("admin").aggregate(pipeline).await?.try_collect().await?;
    let number = |found: &Document, field| match found.get(field) {
        Some(Bson::Int32(number)) => u64::try_from(*number).ok(),
        Some(Bson::Int64(number)) => u64::try_from(*number).ok(),
        Some(Bson::Double(number)) => Some(*number as u64),
        _ => None,
    };
    let both = |found: &Document| Some((number(found, "copied")?, number(found, "all")?));
    // The servers' guess of the whole is rough: some shards copy more than they said.
    Ok(found.first().and_then(both).map(|(copied, all)| (copied.min(all), all)))
}
