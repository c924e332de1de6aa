//! Orders and the feed on a real cluster: what the conformance suite cannot ask of one open store. Several processes
//! that sell, sweep and number events at once, and one that died between two steps.

mod feed;
mod keys;
mod lists;
mod store;
