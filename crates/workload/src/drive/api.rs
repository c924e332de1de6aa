//! The store's API as the driver speaks it: a question becomes a request, an answer becomes a fact.

mod answer;
mod request;

pub(super) use self::answer::{Read, read};
pub(super) use self::request::{Words, request};
