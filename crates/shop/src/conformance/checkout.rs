//! The promises of [`crate::ports::Checkout`], whether one transaction does it or a saga over two engines.

pub mod races;
pub mod refusals;
pub mod sale;
