//! The shapes that travel, apart from the domain's own types: these are promises to clients, those may change.
//! Answers borrow from the domain and are written straight into the body.

pub(crate) mod cart;
pub(crate) mod event;
mod list;
mod moment;
pub(crate) mod money;
pub(crate) mod names;
pub(crate) mod object;
pub(crate) mod order;
pub(crate) mod problem;
pub(crate) mod product;
pub(crate) mod session;
mod whole;

use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

pub(crate) use self::list::{Items, List, Named};
pub(crate) use self::moment::Moment;

/// A JSON answer.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    // One product fits; a page of them grows a few times instead of a dozen.
    let mut bytes = Vec::with_capacity(1024);
    serde_json::to_writer(&mut bytes, body).expect("answers have text keys only and a Vec takes every write");
    let mut response = (status, bytes).into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// An answer with status 200 that is JSON already.
pub(crate) fn ready_json(bytes: Vec<u8>) -> Response {
    let mut response = bytes.into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A JSON answer with status 200.
pub(crate) fn ok(body: &impl Serialize) -> Response {
    json(StatusCode::OK, body)
}
