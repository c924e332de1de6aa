//! The catalogue.

mod hints;
pub(super) mod search;
pub(super) mod show;
pub(super) mod stock;
