//! What an operator may see of the store beneath the shop. The binary's wiring implements it.

use serde::Serialize;
use utoipa::ToSchema;

/// Windows into the engines.
pub trait Views: Send + Sync {
    /// Whether every engine answers; otherwise what does not, in words for an operator.
    fn ready(&self) -> Result<(), String>;

    /// The shards of every engine.
    fn shards(&self) -> Vec<ShardInfo>;

    /// The layout in force.
    fn layout(&self) -> serde_json::Value;

    /// How often each shard was touched since the start.
    fn shard_operations(&self) -> Vec<ShardOperations>;

    /// Operations that wait for an engine's writer.
    fn queue_depth(&self) -> usize;
}

/// One shard as an operator sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ShardInfo {
    /// The engine that holds it, such as `embedded`.
    pub engine: String,
    /// Its name within the engine.
    pub shard: String,
    /// What lies on it.
    pub entities: Vec<ShardEntity>,
}

/// What one shard holds of one entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ShardEntity {
    /// The entity, such as `products`.
    pub entity: String,
    /// How many documents, if that is known without counting them all.
    pub documents: Option<u64>,
    /// How many ranges of the key lie here.
    pub ranges: u64,
    /// How often it was touched since the start.
    pub operations: u64,
}

/// How often one shard was touched in one way since the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardOperations {
    /// The engine, such as `embedded`.
    pub engine: String,
    /// The entity, such as `products`.
    pub entity: String,
    /// The shard's name within the engine.
    pub shard: String,
    /// `read` or `write`, or finer if the engine knows.
    pub kind: String,
    /// How often.
    pub count: u64,
}
