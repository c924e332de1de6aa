//! `mworld import` and `mworld export`: the catalogue as NDJSON, over the API of a running store.

mod export;
mod import;
mod line;
mod lines;

pub(crate) use self::export::export;
pub(crate) use self::import::import;
