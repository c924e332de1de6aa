//! Reads from secondaries on a real replicated shard: never older than the layout's promise, however far a member lags, and
//! never older than what the buyer has written, whichever store answers.

mod bound;
mod own;
mod shop;
