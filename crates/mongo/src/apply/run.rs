//! Doing a plan: step by step, each of which looks first and may be done twice.

use std::ops::ControlFlow;
use std::time::Duration;

use mongodb::IndexModel;
use mongodb::bson::{Document, doc};
use mongodb::options::IndexOptions;

use super::found::{self, There};
use super::mark;
use super::plan::{extra_members, missing, missing_members};
use super::step::{Kind, Step};
use super::temporary::{self, admin, bind, free};
use super::wanted::{Placed, Stretch, Wanted};
use super::{Ended, Pace, Progress, Watch, moving, resharding};
use crate::client::Cluster;
use crate::indexes::{Index, pattern};

/// One step under way, with all that it needs.
pub(super) struct Work<'w> {
    pub(super) cluster: &'w Cluster,
    pub(super) wanted: &'w Wanted,
    pub(super) shards: &'w [String],
    pub(super) pace: Pace,
    pub(super) watch: Watch<'w>,
    pub(super) step: &'w Step,
    pub(super) number: usize,
    pub(super) of: usize,
}

/// Whether a step came to its end or was told to stop.
pub(super) type Told = mongodb::error::Result<ControlFlow<()>>;

impl Work<'_> {
    /// Tells how far it is, and hears whether to go on.
    pub(super) fn tell(&self, part: Option<(u64, u64)>, waits_for: Option<&str>) -> ControlFlow<()> {
        (self.watch)(Progress { step: self.step, number: self.number, of: self.of, part, waits_for })
    }

    pub(super) fn namespace(&self, placed: &Placed) -> String {
        format!("{}.{}", self.cluster.database.name(), placed.collection)
    }

    /// Pauses before something is tried again.
    pub(super) async fn pause(&self, tries: u32, waits_for: &str) -> ControlFlow<()> {
        let told = self.tell(None, Some(waits_for));
        let pause = Duration::from_millis(100).saturating_mul(1 << tries.min(5));
        tokio::time::sleep(pause).await;
        told
    }
}

/// Does all steps, as long as whoever watches wants it.
pub(super) async fn run(
    cluster: &Cluster,
    wanted: &Wanted,
    shards: &[String],
    steps: &[Step],
    pace: Pace,
    watch: Watch<'_>,
) -> mongodb::error::Result<Ended> {
    for (number, step) in (1..).zip(steps) {
        let work = Work { cluster, wanted, shards, pace, watch, step, number, of: steps.len() };
        if work.tell(None, None).is_break() || work.done().await?.is_break() {
            return Ok(Ended::Stopped { done: number - 1 });
        }
    }
    Ok(Ended::Done)
}

impl Work<'_> {
    async fn done(&self) -> Told {
        let placed = self
            .wanted
            .collections
            .iter()
            .find(|placed| self.step.collection == Some(placed.collection.name()));
        match (self.step.kind, placed) {
            (Kind::Shard, Some(placed)) => self.shard(placed).await?,
            (Kind::Balancing, Some(placed)) => self.leave_alone(placed).await?,
            (Kind::Index, Some(placed)) => self.index(placed).await?,
            (Kind::Refine, Some(placed)) => self.refine(placed).await?,
            (Kind::Reshard, Some(placed)) => return resharding::reshard(self, placed).await,
            (Kind::Zones, Some(placed)) => self.rebind(placed, &placed.stretches()).await?,
            (Kind::Ranges, Some(placed)) => return moving::arrange(self, placed).await,
            (Kind::ZoneShards, _) => self.name_members().await?,
            (Kind::Tidy, _) => temporary::clear(self.cluster, &found::zones(self.cluster).await?).await?,
            (Kind::Sign, _) => mark::write(self.cluster, self.wanted).await?,
            (kind, None) => unreachable!("a step {kind:?} names a collection of its own plan"),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Makes an empty collection with every range on its shard at once; one that holds documents begins in one range.
    async fn shard(&self, placed: &Placed) -> mongodb::error::Result<()> {
        let name = placed.collection.name();
        let there = found::there(self.cluster, name, self.shards).await?;
        if there.sharded.is_none() && there.documents == 0 {
            temporary::prepare(self.cluster, self.shards).await?;
            let stretches = temporary::stretches(placed, self.cluster.database.name(), self.shards);
            self.rebind(placed, &stretches).await?;
        }
        let key = pattern(placed.key());
        admin(self.cluster, doc! { "shardCollection": self.namespace(placed), "key": key }).await?;
        self.rebind(placed, &[]).await
    }

    /// Binds exactly these stretches of the collection to zones.
    pub(super) async fn rebind(&self, placed: &Placed, wanted: &[Stretch]) -> mongodb::error::Result<()> {
        let name = placed.collection.name();
        let there = found::zones(self.cluster).await?.stretches.remove(name).unwrap_or_default();
        for stretch in there.iter().filter(|stretch| !wanted.contains(stretch)) {
            free(self.cluster, name, stretch).await?;
        }
        for stretch in wanted.iter().filter(|stretch| !there.contains(stretch)) {
            bind(self.cluster, name, stretch).await?;
        }
        Ok(())
    }

    async fn leave_alone(&self, placed: &Placed) -> mongodb::error::Result<()> {
        let namespace = self.namespace(placed);
        let command = doc! {
            "configureCollectionBalancing": &namespace,
            "enableAutoMerger": false,
            "enableBalancing": false,
        };
        admin(self.cluster, command).await?;
        // Servers older than 8.1 pass over enableBalancing without a word, and have no command for it.
        let books = self.cluster.client.database("config").collection::<Document>("collections");
        let still_on = doc! { "_id": namespace, "noBalance": { "$ne": true } };
        books.update_one(still_on, doc! { "$set": { "noBalance": true } }).await?;
        Ok(())
    }

    async fn index(&self, placed: &Placed) -> mongodb::error::Result<()> {
        let name = placed.collection.name();
        let there: There = found::there(self.cluster, name, self.shards).await?;
        let models: Vec<IndexModel> = missing(placed, &there).into_iter().map(model).collect();
        if !models.is_empty() {
            self.cluster.database.collection::<Document>(name).create_indexes(models).await?;
        }
        Ok(())
    }

    async fn refine(&self, placed: &Placed) -> mongodb::error::Result<()> {
        let key = pattern(placed.key());
        let command = doc! { "refineCollectionShardKey": self.namespace(placed), "key": key };
        admin(self.cluster, command).await?;
        Ok(())
    }

    async fn name_members(&self) -> mongodb::error::Result<()> {
        let found = found::zones(self.cluster).await?;
        for (zone, shard) in missing_members(self.wanted, &found) {
            admin(self.cluster, doc! { "addShardToZone": shard, "zone": zone }).await?;
        }
        for (zone, shard) in extra_members(self.wanted, &found) {
            admin(self.cluster, doc! { "removeShardFromZone": shard, "zone": zone }).await?;
        }
        Ok(())
    }
}

/// An index as the driver wants it. The name says what kind it is, so that two over the same fields can stand side by side.
fn model(index: &Index) -> IndexModel {
    let fields = index.keys.iter().map(|(field, order)| match order.as_str() {
        Some(kind) => format!("{field}_{kind}"),
        None => format!("{field}_1"),
    });
    let mut name = fields.collect::<Vec<_>>().join("_");
    for (is, mark) in [(index.unique, "_unique"), (index.partial.is_some(), "_some")] {
        if is {
            name.push_str(mark);
        }
    }
    let mut options = IndexOptions::default();
    options.name = Some(name);
    options.unique = index.unique.then_some(true);
    options.partial_filter_expression = index.partial.clone();
    options.expire_after = index.expires.then_some(Duration::ZERO);
    IndexModel::builder().keys(index.keys.clone()).options(options).build()
}
