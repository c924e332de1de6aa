//! The promises of [`crate::ports::Carts`]. They need no other port: a line brings its name and price along.

pub mod claims;
pub mod life;
pub mod lines;
pub mod merge;
pub mod merge_races;
