//! What the engine does when its file, its directory or its neighbours are not as they should be: it says so, and
//! what was sold stays sold.

// Measurements are what a test prints; and in a test an error is a failure, wherever it stands.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod copies;
mod damage;
mod log;
mod opening;
mod till;
