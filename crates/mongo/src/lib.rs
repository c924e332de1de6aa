//! Engine: a MongoDB sharded cluster.
//!
//! The shop's ports on a real cluster, reached through its router (`mongos`), with every operation carrying its shard
//! key where the layout allows it. What this engine is *not*: a general data layer. It speaks the shop's words, and
//! nobody else in the workspace speaks the driver's.

mod accounts;
pub mod admin;
mod ages;
pub mod apply;
mod ask;
mod bson;
mod carts;
mod catalog;
mod checkout;
mod client;
mod cluster_time;
mod collection;
mod core;
mod db;
mod engine;
mod fault;
mod feed;
mod hot;
mod indexes;
mod ledger;
mod lifetimes;
mod maps;
mod open;
mod open_error;
mod own_writes;
mod policy;
mod question;
mod replica;
mod sessions;
mod stock;
mod transaction;
mod tries;
mod watch;

pub use self::ages::AgeObserver;
pub use self::client::{Address, DEFAULT_DATABASE};
pub use self::engine::{Engine, Options};
pub use self::open_error::OpenError;
#[doc(hidden)]
pub use self::question::Question;
