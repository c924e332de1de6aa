//! A layout after reading: `extends` resolved, defaults filled in, every name checked.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::entity::Entity;
use crate::key::ShardKey;
use crate::value::Value;

/// Where everything lives. Made by [`crate::layout::load`]; a `Layout` that exists is sound.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Its name, `LAYOUT` or `LAYOUT+CHANGE`.
    pub name: String,
    /// One sentence: what it is good and bad at.
    pub about: String,
    /// The document form of products.
    pub form: Form,
    /// How each entity lies; an entity that no file mentions has the default layout's table.
    pub entities: BTreeMap<Entity, Placed>,
    /// Read and write policy by operation name.
    pub policy: BTreeMap<String, Policy>,
    /// The whole ring's settings.
    pub ring: Ring,
}

/// How products and their stock are cut into documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// One document per product, stock list inside.
    #[default]
    Whole,
    /// One document per product and zone.
    PerZone,
    /// Stock in a collection of its own.
    Apart,
}

/// Which database an entity is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// A MongoDB sharded cluster.
    MongoDb,
    /// An Apache Cassandra ring.
    Cassandra,
}

/// One entity's engine in force and how it lies on each engine it may live on.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The engine in force.
    pub engine: Engine,
    /// On MongoDB.
    pub mongodb: Option<OnMongo>,
    /// On Cassandra.
    pub cassandra: Option<OnCassandra>,
}

/// How an entity lies on MongoDB.
#[derive(Debug, Clone, PartialEq)]
pub struct OnMongo {
    /// Its shard key.
    pub shard_key: ShardKey,
    /// Secondary indexes beyond the shard key's.
    pub indexes: Vec<Index>,
    /// Extra split points: prefixes of the key.
    pub splits: Vec<Vec<Value>>,
    /// Zones: ranges of the key bound to a number of shards. They do not overlap; sorted by `from`.
    pub zones: Vec<ZoneRange>,
    /// How long a record lives.
    pub ttl: Ttl,
    /// How long the store keeps owner → cart look-ups; zero = not at all.
    pub owner_cache: Duration,
}

/// A secondary index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// Its fields, in order.
    pub fields: Vec<String>,
    /// Whether it is unique.
    pub unique: bool,
}

/// A range of the key that lives on shards of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct ZoneRange {
    /// The zone's name.
    pub name: String,
    /// How many shards it gets.
    pub shards: u32,
    /// First key prefix inside.
    pub from: Vec<Value>,
    /// First key prefix beyond.
    pub to: Vec<Value>,
}

/// How long a record lives; zero = for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ttl {
    /// For guests (and for what has no owner).
    pub guest: Duration,
    /// For users.
    pub user: Duration,
}

/// How an entity lies on Cassandra.
#[derive(Debug, Clone, PartialEq)]
pub struct OnCassandra {
    /// Its table (with `by_owner`, two: `user_` and `guest_` + name).
    pub table: String,
    /// Carts only: separate tables for users and guests.
    pub by_owner: bool,
    /// Partition key, all fields together one hash.
    pub partition_key: Vec<String>,
    /// Clustering key: field and whether it descends.
    pub clustering_key: Vec<(String, bool)>,
    /// How long a row lives.
    pub ttl: Ttl,
    /// How long deletions are remembered.
    pub gc_grace: Duration,
    /// How replicas come to agree again.
    pub repair: Repair,
}

/// The repair strategy of one table.
#[derive(Debug, Clone, PartialEq)]
pub struct Repair {
    /// Hinted handoff wanted.
    pub hints: bool,
    /// Blocking read repair (else none).
    pub read_repair: bool,
    /// Scheduled anti-entropy, if any.
    pub anti_entropy: Option<AntiEntropy>,
}

/// Scheduled anti-entropy repair.
#[derive(Debug, Clone, PartialEq)]
pub struct AntiEntropy {
    /// How often.
    pub every: Duration,
    /// Full (else incremental).
    pub full: bool,
    /// At which minute of the day it starts, if said.
    pub at_minute: Option<u32>,
}

/// Read and write policy of one operation; what is `None` takes the engine's default.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Policy {
    /// MongoDB read preference.
    pub read: Option<String>,
    /// MongoDB read concern.
    pub read_concern: Option<String>,
    /// MongoDB write concern: `majority` or a number.
    pub write: Option<String>,
    /// How old an answer may be.
    pub max_age: Option<Duration>,
    /// Cassandra consistency level.
    pub consistency: Option<String>,
}

/// Settings of the whole ring.
#[derive(Debug, Clone, PartialEq)]
pub struct Ring {
    /// Replicas per data centre.
    pub replication: BTreeMap<String, u32>,
    /// How long hints are collected for a dead node.
    pub max_hint_window: Duration,
    /// Hint delivery rate, bytes per second.
    pub hinted_handoff_throttle: u64,
}

impl Layout {
    /// The layout as it is where only this engine can be had: it is in force for every entity of which the layout says
    /// how it lies there. Sessions and accounts follow the orders, by their own ids if nothing else is said.
    #[must_use]
    pub fn in_force_on(&self, engine: Engine) -> Layout {
        let mut layout = self.clone();
        for (entity, placed) in &mut layout.entities {
            let lies_there = match engine {
                Engine::MongoDb => placed.mongodb.is_some(),
                Engine::Cassandra => placed.cassandra.is_some(),
            };
            let follows = matches!(entity, Entity::Sessions | Entity::Accounts);
            if lies_there {
                placed.engine = engine;
            } else if engine == Engine::MongoDb && follows {
                let key = if *entity == Entity::Accounts { "email" } else { entity.own_id() };
                let ttl = placed.cassandra.as_ref().map(|on| on.ttl).unwrap_or_default();
                placed.engine = engine;
                placed.mongodb = Some(OnMongo {
                    shard_key: ShardKey::hashed(key),
                    indexes: Vec::new(),
                    splits: Vec::new(),
                    zones: Vec::new(),
                    ttl,
                    owner_cache: Duration::ZERO,
                });
            }
        }
        layout
    }
}
