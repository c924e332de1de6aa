//! Engine: one process, one directory, sharded inside by the layout.
//!
//! One SQLite file holds everything. One writer thread commits in groups, readers have connections of their own,
//! and every record lies on the shard that the layout's route says: `shard` leads the keys and indexes of all that is placed.
//! What this engine is *not*: a server. A second process on the same directory is refused; a running store is
//! copied with [`backup`].

mod accounts;
mod backup;
mod cache;
mod carts;
mod catalog;
mod checkout;
mod checkpoint;
mod core;
mod db;
mod engine;
mod error;
mod feed;
mod freshness;
mod health;
mod ledger;
mod lifetimes;
mod lock;
mod open;
mod readers;
mod router;
mod schema;
mod sessions;
mod stock;
mod writer;
mod zones;

pub use self::backup::{BackupError, Progress, backup, restore};
pub use self::engine::{Engine, Options};
pub use self::error::OpenError;
pub use self::health::{Health, inspect};
pub use self::lock::holder;
#[doc(hidden)] // The benchmarks' bare loop has the same settings and copies its log the same way.
pub use self::{checkpoint::Checkpoints, writer::configure};
pub use mworld_placement::touched::{Kind, Observer, Touch};

/// The name of the store's file in its directory.
pub const FILE_NAME: &str = "store.sqlite";
