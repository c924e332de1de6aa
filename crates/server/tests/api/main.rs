//! The API as its users meet it: a real server on a real socket over the real embedded engine.

// A test that unwraps what is not there fails, which is what it is for; helpers of tests are no exception.
#![allow(clippy::unwrap_used)]

mod beside;
mod cart;
mod catalogue;
mod checkout;
mod description;
mod journey;
mod limits;
mod operators;
mod orders;
mod sessions;
mod shop;
mod wrong_input;
