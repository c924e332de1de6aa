//! The promises of [`crate::ports::Ledger`]: stock is never oversold, an order is made once and its life goes
//! along the arrows only.

pub mod hold;
pub mod list;
pub mod payments;
pub mod place;
pub mod refusals;
pub mod steps;
pub mod stock;
pub mod void;
