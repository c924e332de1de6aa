//! The definition of every port, written once as cases and run on each engine's real database.
//!
//! A case asks its [`World`] for fresh shops, uses their ports, and panics with a telling message when a promise
//! is broken. Cases make their own ids and look only at what they made, so they also run on a database that
//! already holds other data. Cases are grouped by port, so that an engine runs those of the ports it has:
//!
//! ```ignore
//! mworld_shop::conformance_tests!(MyHarness::new());            // an engine that has every port
//! mworld_shop::conformance_tests!(MyHarness::new(); carts);     // one that has carts only
//! ```

#[macro_use]
mod chapter;
mod fixture;
mod gate;
mod harness;
mod pages;

pub mod accounts;
pub mod carts;
pub mod catalog;
pub mod checkout;
pub mod feed;
pub mod history;
pub mod ledger;
pub mod saga;
pub mod sessions;

/// The task type of [`Harness::spawn`], so that an engine needs no crate for it.
pub use futures_util::future::BoxFuture;

pub use self::chapter::{Case, run_case};
pub use self::harness::{Harness, Parts, World};
