//! What an operator does: writes the catalogue, moves orders on, reads the feed.

pub(super) mod events;
pub(super) mod orders;
pub(super) mod products;
