//! What a database on a cluster is like: read, never changed.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::TryStreamExt;
use mongodb::bson::{Bson, Document, doc};
use mworld_placement::{RangeMap, ShardKey};

use super::keys::{key_of, map_of};
use super::mark::{Mark, read as read_mark};
use super::wanted::Stretch;
use crate::client::Cluster;
use crate::collection::Collection;
use crate::fault::code;
use crate::indexes::Index;

/// The server's number for a collection that is not there.
const NO_COLLECTION: i32 = 26;

/// What there is.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// The shards' names, sorted: their places are their numbers in maps.
    pub(super) shards: Vec<String>,
    /// The shards of each zone of the cluster.
    pub(super) zones: BTreeMap<String, BTreeSet<String>>,
    /// Zones that other databases use as well.
    pub(super) shared_zones: BTreeSet<String>,
    /// The layout in force.
    pub(super) mark: Option<Mark>,
    pub(super) collections: BTreeMap<String, There>,
    /// The zones' stretches of each collection; they can be there before the collection is.
    pub(super) stretches: BTreeMap<String, Vec<Stretch>>,
}

/// A collection that is there.
#[derive(Debug, Clone, Default)]
pub(super) struct There {
    /// By which key it is sharded, if it is.
    pub(super) sharded: Option<Sharded>,
    pub(super) indexes: Vec<FoundIndex>,
    /// About how many documents it has; zero only if it has none.
    pub(super) documents: u64,
}

/// How a collection is sharded.
#[derive(Debug, Clone)]
pub(super) struct Sharded {
    pub(super) key: Document,
    /// Its ranges; `None` if they are of a kind that no layout makes.
    pub(super) map: Option<RangeMap>,
    /// Whether the cluster's own balancer and merger leave it alone.
    pub(super) left_alone: bool,
}

/// An index that is there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FoundIndex {
    pub(super) name: String,
    pub(super) keys: Document,
    pub(super) unique: bool,
    pub(super) partial: Option<Document>,
    pub(super) expires: bool,
}

impl FoundIndex {
    /// Whether it does what the other is wanted for.
    pub(super) fn serves(&self, wanted: &Index) -> bool {
        let same_keys = key_of(&self.keys).is_some() && key_of(&self.keys) == key_of(&wanted.keys);
        let promises = (self.unique || !wanted.unique) && (self.expires || !wanted.expires);
        same_keys && promises && self.partial == wanted.partial
    }
}

impl Sharded {
    pub(super) fn key(&self) -> Option<ShardKey> {
        key_of(&self.key)
    }
}

/// Reads all of it.
pub(super) async fn read(cluster: &Cluster) -> mongodb::error::Result<Found> {
    let mut found = Found { mark: read_mark(cluster).await?, ..zones(cluster).await? };
    let names = cluster.database.list_collection_names().await?;
    for name in names.into_iter().filter(|name| !name.starts_with("system.")) {
        let there = there(cluster, &name, &found.shards).await?;
        found.collections.insert(name, there);
    }
    Ok(found)
}

/// Reads shards and zones only.
pub(super) async fn zones(cluster: &Cluster) -> mongodb::error::Result<Found> {
    let config = cluster.client.database("config");
    let database = cluster.database.name();
    let mut found = Found::default();
    let shards: Vec<Document> =
        config.collection("shards").find(doc! {}).sort(doc! { "_id": 1 }).await?.try_collect().await?;
    for shard in &shards {
        let name = shard.get_str("_id").unwrap_or_default().to_owned();
        let tags = shard.get_array("tags").map(Vec::as_slice).unwrap_or_default();
        for zone in tags.iter().filter_map(Bson::as_str) {
            found.zones.entry(zone.to_owned()).or_default().insert(name.clone());
        }
        found.shards.push(name);
    }
    let tags: Vec<Document> =
        config.collection("tags").find(doc! {}).sort(doc! { "min": 1 }).await?.try_collect().await?;
    for tag in tags {
        let (Ok(namespace), Ok(zone)) = (tag.get_str("ns"), tag.get_str("tag")) else { continue };
        match namespace.split_once('.') {
            Some((of, collection)) if of == database => {
                let at = |field| tag.get_document(field).cloned().unwrap_or_default();
                let stretch = Stretch { zone: zone.to_owned(), min: at("min"), max: at("max") };
                found.stretches.entry(collection.to_owned()).or_default().push(stretch);
            }
            _ => {
                found.shared_zones.insert(zone.to_owned());
            }
        }
    }
    Ok(found)
}

/// Reads one collection.
pub(super) async fn there(cluster: &Cluster, name: &str, shards: &[String]) -> mongodb::error::Result<There> {
    if name == Collection::Meta.name() {
        return Ok(There::default());
    }
    let collection = cluster.database.collection::<Document>(name);
    let indexes: Vec<mongodb::IndexModel> = match collection.list_indexes().await {
        Ok(listed) => listed.try_collect().await?,
        Err(error) if code(&error) == Some(NO_COLLECTION) => return Ok(There::default()),
        Err(error) => return Err(error),
    };
    let any = collection.find_one(doc! {}).projection(doc! { "_id": 1 }).await?.is_some();
    // The estimate counts from memory and may say zero after a crash.
    let documents = if any { collection.estimated_document_count().await?.max(1) } else { 0 };
    let index = |index: mongodb::IndexModel| {
        let options = index.options.unwrap_or_default();
        FoundIndex {
            name: options.name.unwrap_or_default(),
            keys: index.keys,
            unique: options.unique == Some(true),
            partial: options.partial_filter_expression,
            expires: options.expire_after.is_some(),
        }
    };
    Ok(There {
        sharded: sharded(cluster, name, shards).await?,
        indexes: indexes.into_iter().map(index).collect(),
        documents,
    })
}

/// How the collection is sharded now.
pub(super) async fn sharded(
    cluster: &Cluster,
    name: &str,
    shards: &[String],
) -> mongodb::error::Result<Option<Sharded>> {
    let config = cluster.client.database("config");
    let namespace = format!("{}.{name}", cluster.database.name());
    let entry = config.collection::<Document>("collections").find_one(doc! { "_id": namespace }).await?;
    let Some(entry) = entry.filter(|entry| entry.get_bool("unsplittable").ok() != Some(true)) else {
        return Ok(None);
    };
    let key = entry.get_document("key").cloned().unwrap_or_default();
    let chunks: Vec<Document> = config
        .collection("chunks")
        .find(doc! { "uuid": entry.get("uuid").cloned().unwrap_or(Bson::Null) })
        .sort(doc! { "min": 1 })
        .await?
        .try_collect()
        .await?;
    let map = key_of(&key).and_then(|key| map_of(&key, &chunks, shards));
    let left_alone = entry.get_bool("noBalance").ok() == Some(true)
        && entry.get_bool("enableAutoMerge").ok() == Some(false);
    Ok(Some(Sharded { key, map, left_alone }))
}
