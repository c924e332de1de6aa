//! The session of the token: shown, closed.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use mworld_shop::Operation;

use crate::app::Shared;
use crate::auth::Visitor;
use crate::dto;
use crate::dto::session::SessionJson;
use crate::input::{NoParameters, Query};
use crate::problem::Problem;

/// Shows the session of the token.
#[utoipa::path(get, path = "/api/v1/sessions/current", tag = "sessions", security(("session" = [])),
    responses((status = 200, description = "The session", body = SessionJson<'static>)))]
pub(in crate::routes) async fn show_session(
    visitor: Visitor,
    _: Query<NoParameters>,
) -> Result<Response, Problem> {
    Ok(dto::ok(&SessionJson::from(&visitor.session)))
}

/// Closes the session; its token dies.
#[utoipa::path(delete, path = "/api/v1/sessions/current", tag = "sessions", security(("session" = [])),
    responses((status = 204, description = "Closed")))]
pub(in crate::routes) async fn close_session(
    State(app): State<Shared>,
    visitor: Visitor,
    _: Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    app.metrics.measure(Operation::SessionClose, app.store.close_session(&visitor.session)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Logs out: closes the session; its token dies.
#[utoipa::path(post, path = "/api/v1/sessions/current/logout", tag = "sessions", security(("session" = [])),
    responses((status = 204, description = "Logged out")))]
pub(in crate::routes) async fn log_out(
    app: State<Shared>,
    visitor: Visitor,
    query: Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    close_session(app, visitor, query).await
}
