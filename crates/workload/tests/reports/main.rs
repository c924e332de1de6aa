//! Reports of made-up runs: the page that shows them, and what is said of two of them.

// In a test an error is a failure, wherever it stands.
#![allow(clippy::unwrap_used)]

mod comparing;
mod pages;
mod samples;
