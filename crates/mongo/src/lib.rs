//! Engine: a MongoDB sharded cluster.
//!
//! The shop's ports on a real cluster, reached through its router (`mongos`), with every operation carrying its shard
//! key where the layout allows it. What this engine is *not*: a general data layer. It speaks the shop's words, and
//! nobody else in the workspace speaks the driver's.

pub mod admin;
