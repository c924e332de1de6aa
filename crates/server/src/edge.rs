//! What happens to every request on its way in and out, in one function: the less there is between the socket and
//! a handler, the less every request costs.

mod admission;
mod panics;
mod request_id;

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tracing::Instrument as _;

pub(crate) use self::admission::Admission;
use self::request_id::RequestId;
use crate::app::Shared;
use crate::problem::{Cause, Code, PROBLEM_JSON, Problem};

/// Admits a request or says 503, names it, runs it, and makes sure that whatever comes out is an answer of ours.
///
/// Neither headers nor query strings nor bodies are logged: tokens and passwords travel in them.
pub(crate) async fn pass(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = RequestId::of(request.headers());
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("unknown", MatchedPath::as_str);
    let span = tracing::info_span!("request", id = id.as_str(), %method, route);
    let work = async {
        if is_always_answered(request.uri().path()) {
            return panics::caught(next.run(request)).await;
        }
        match app.admission.enter().await {
            // The place is held until the answer is made, and given back when `_place` goes.
            Ok(_place) => panics::caught(next.run(request)).await,
            Err(busy) => busy.into_response(),
        }
    };
    let response = work.instrument(span.clone()).await;
    let mut response = as_problem(response, &method);
    span.in_scope(|| log(&response, started));
    response.headers_mut().insert(request_id::HEADER, id.into_header());
    response
}

/// Whether a request is answered however busy the store is: otherwise an overloaded store would look dead to
/// whoever watches it, and be restarted.
fn is_always_answered(path: &str) -> bool {
    matches!(path, "/healthz" | "/metrics")
}

fn log(response: &Response, started: Instant) {
    let status = response.status().as_u16();
    let micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    match response.extensions().get::<Cause>() {
        Some(Cause(cause)) => tracing::error!(status, micros, cause, "request failed"),
        None => tracing::debug!(status, micros, "request done"),
    }
}

/// Turns an error that some library answered with (an unmatched asset, an illegal path) into a problem.
fn as_problem(response: Response, method: &Method) -> Response {
    let status = response.status();
    let plain = status.is_client_error() || status.is_server_error();
    if !plain || response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == PROBLEM_JSON) {
        return response;
    }
    let problem = match status {
        StatusCode::NOT_FOUND => nothing_here(),
        StatusCode::METHOD_NOT_ALLOWED => not_with(method),
        _ if status.is_client_error() => Problem::new(
            Code::InvalidParameter,
            "the address could not be read; percent-encode it as UTF-8 and compare it with /api/docs",
        ),
        _ => Problem::internal(format!("a handler answered {status} without a problem")),
    };
    let mut replaced = problem.into_response();
    for (name, value) in response.headers() {
        if name == axum::http::header::ALLOW {
            replaced.headers_mut().insert(name, HeaderValue::clone(value));
        }
    }
    replaced
}

/// The answer to a path that does not exist.
pub(crate) fn nothing_here() -> Problem {
    Problem::new(Code::NotFound, "there is nothing at this path; /api/docs lists what there is")
}

/// The answer to a path that exists, but not for this method.
pub(crate) fn not_with(method: &Method) -> Problem {
    let name: String = method.as_str().chars().take(32).collect();
    Problem::new(
        Code::MethodNotAllowed,
        format!("this path does not take {name}; the Allow header lists what it takes"),
    )
}
