//! Sessions: a guest's, which becomes a user's by a login.

pub(super) mod current;
pub(super) mod login;
pub(super) mod open;

use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::response::Response;

/// Keeps an answer that holds a token out of every cache.
fn not_stored(mut response: Response) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
