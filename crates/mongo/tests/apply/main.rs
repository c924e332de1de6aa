//! `layout apply` on a real cluster of two shards: what is applied is there, a second run has nothing to do, a run that
//! was interrupted goes on, and no change of a key loses a document.

mod changes;
mod database;
mod refusals;
mod runs;
