//! Reports of made-up runs: the page that shows them, and what is said of two of them.

mod comparing;
mod pages;
mod samples;
