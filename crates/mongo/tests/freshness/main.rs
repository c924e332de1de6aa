//! Reads from secondaries on a real replicated shard: never older than the layout's promise, however far a member lags, and
//! never older than what the buyer has written, whichever store answers.

// How old answers were is a result of these tests.
#![allow(clippy::print_stdout)]

mod bound;
mod own;
mod shop;
