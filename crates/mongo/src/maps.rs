//! Where the cluster's records lie: the ranges of every sharded collection, as the cluster itself keeps them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use futures_util::TryStreamExt;
use mongodb::bson::{Document, doc};
use mworld_placement::{Area, Range, RangeMap, Route, ShardId, ShardKey};
use parking_lot::RwLock;

use crate::ask::Ask;
use crate::bson::from_bson;
use crate::collection::{Collection, Shape};
use crate::fault::{Answer, corrupt};

/// The ranges of one moment. Moves happen without our doing, so what is counted by them may be a moment old; what is
/// read and written never depends on them, for the cluster's router knows better.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ranges {
    /// The shards' names, in the order of their numbers here.
    pub(crate) shards: Vec<String>,
    pub(crate) maps: HashMap<Collection, RangeMap>,
}

impl Ranges {
    /// Where the cluster's router will look. What is not sharded lies on one shard, counted as the first.
    pub(crate) fn route(&self, ask: &Ask) -> Route {
        self.maps.get(&ask.collection).map_or(Route::One(ShardId(0)), |map| ask.route(map))
    }
}

/// The ranges in force, exchanged when they are read anew.
#[derive(Debug, Default)]
pub(crate) struct Maps(RwLock<Arc<Ranges>>);

impl Maps {
    pub(crate) fn new(ranges: Ranges) -> Maps {
        Maps(RwLock::new(Arc::new(ranges)))
    }

    pub(crate) fn now(&self) -> Arc<Ranges> {
        Arc::clone(&self.0.read())
    }

    pub(crate) fn replace(&self, ranges: Ranges) {
        *self.0.write() = Arc::new(ranges);
    }
}

/// Reads the ranges of these collections, whose keys are in the layout's words.
pub(crate) async fn read(
    client: &mongodb::Client,
    database: &str,
    shape: Shape,
    collections: &[(Collection, ShardKey)],
) -> Answer<Ranges> {
    let config = client.database("config");
    let shards = shards(client).await?;
    let names: Vec<String> =
        collections.iter().map(|(collection, _)| format!("{database}.{collection}")).collect();
    let known: Vec<Document> =
        config.collection("collections").find(doc! { "_id": { "$in": names } }).await?.try_collect().await?;
    let mut maps = HashMap::new();
    for (collection, key) in collections {
        let namespace = format!("{database}.{collection}");
        let Some(found) = known.iter().find(|known| known.get_str("_id").ok() == Some(namespace.as_str()))
        else {
            continue;
        };
        let uuid = found.get("uuid").ok_or_else(|| corrupt("collection", "it has no uuid"))?;
        let chunks: Vec<Document> = config
            .collection("chunks")
            .find(doc! { "uuid": uuid })
            .sort(doc! { "min": 1 })
            .await?
            .try_collect()
            .await?;
        if let Some(map) = map_of(&chunks, &shards, key, &shape.physical_key(*collection, key)) {
            maps.insert(*collection, map);
        }
    }
    Ok(Ranges { shards, maps })
}

/// The names of the cluster's shards, sorted: their places are their numbers here.
pub(crate) async fn shards(client: &mongodb::Client) -> Answer<Vec<String>> {
    let listed = client.database("admin").run_command(doc! { "listShards": 1 }).await?;
    let listed = listed.get_array("shards").map_err(|error| corrupt("list of shards", error))?;
    let name = |shard: &mongodb::bson::Bson| shard.as_document()?.get_str("_id").ok().map(str::to_owned);
    let mut names: Vec<String> = listed.iter().filter_map(name).collect();
    names.sort();
    Ok(names)
}

/// The map that these chunks make; `None` if they are of another key, or of a moment between two moves.
fn map_of(chunks: &[Document], shards: &[String], key: &ShardKey, physical: &ShardKey) -> Option<RangeMap> {
    let numbers: BTreeMap<&str, u32> = shards.iter().map(String::as_str).zip(0..).collect();
    let range = |chunk: &Document| {
        let min = chunk.get_document("min").ok()?;
        let value = |field: &mworld_placement::KeyField| from_bson(min.get(&field.name)?);
        let min = physical.fields().iter().map(value).collect::<Option<Vec<_>>>()?;
        let shard = ShardId(*numbers.get(chunk.get_str("shard").ok()?)?);
        Some(Range { min, shard })
    };
    RangeMap::from_parts(key.clone(), chunks.iter().map(range).collect::<Option<Vec<_>>>()?).ok()
}

/// Under which area a collection's records are counted; the engine's own small ones are not.
pub(crate) fn counted(collection: Collection) -> Option<Area> {
    match collection {
        Collection::Placed(area) => Some(area),
        _ => None,
    }
}
