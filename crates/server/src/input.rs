//! What a request says, read strictly: whatever is wrong is named, with the limit and the next step.

mod body;
mod headers;
mod path;
mod query;

pub(crate) use self::body::{Body, OptionalBody};
pub(crate) use self::headers::{IdempotencyHeader, Origin, Peer};
pub(crate) use self::path::Id;
pub(crate) use self::query::{NoParameters, Parameters, Query, ReadQuery, invalid};

/// The beginning of a value that goes into a message: enough to recognise it, too little to flood a log.
pub(crate) fn excerpt(text: &str) -> String {
    text.chars().take(64).collect()
}
