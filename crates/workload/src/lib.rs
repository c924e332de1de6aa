//! Black Friday on demand, with a judge.
//!
//! A [`scenario`] describes traffic; a [`plan`] makes operation *n* of it, a pure function of scenario, seed and *n*;
//! [`drive`] sends the plan to a running store at the moments it says and keeps a [`record`] of every call; [`judge`]
//! proves from that record, and from what is read after the end, that the store kept its promises, or names the calls
//! that show otherwise; [`report`] says how fast it was, and [`compare`] whether two runs differ by more than chance.
//!
//! The store is reached by HTTP alone, so any Mobile World anywhere can be driven and judged. Only [`drive`] does I/O.

pub mod compare;
pub mod drive;
mod figures;
pub mod judge;
pub mod plan;
pub mod record;
pub mod report;
pub mod scenario;
pub mod stage;
