//! What stands beside the API: the front page, health, metrics.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::Shared;
use crate::dto;
use crate::problem::{Code, Problem};

/// How the process is.
#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    status: &'static str,
}

/// Says that the process is up.
#[utoipa::path(get, path = "/healthz", tag = "health",
    responses((status = 200, description = "The process is up", body = Health)))]
pub(in crate::routes) async fn show_health() -> Response {
    dto::ok(&Health { status: "ok" })
}

/// Says whether the store can sell: its engines answer.
#[utoipa::path(get, path = "/readyz", tag = "health",
    responses(
        (status = 200, description = "Every engine answers", body = Health),
        (status = 503, description = "`not_ready`, with what does not answer")))]
pub(in crate::routes) async fn show_readiness(State(app): State<Shared>) -> Result<Response, Problem> {
    match app.views.ready() {
        Ok(()) => Ok(dto::ok(&Health { status: "ready" })),
        Err(what) => Err(Problem::new(Code::NotReady, what).retry_after(std::time::Duration::from_secs(1))),
    }
}

/// The page that Prometheus reads.
pub(crate) async fn metrics_page(State(app): State<Shared>) -> Response {
    let page = app.metrics.render(app.views.as_ref(), app.admission.waiting());
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page).into_response()
}

/// The front page. It needs nothing from elsewhere and runs nothing.
pub(crate) async fn home() -> Response {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"),
    ];
    (headers, include_str!("home.html")).into_response()
}

/// Nothing, behind the same middleware as everything: what a benchmark subtracts.
pub(crate) async fn empty() -> StatusCode {
    StatusCode::NO_CONTENT
}
