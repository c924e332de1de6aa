//! A buyer's own orders.

pub(super) mod list;
pub(super) mod place;
pub(super) mod query;
pub(super) mod show;
pub(super) mod steps;
