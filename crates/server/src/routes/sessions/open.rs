//! `POST /sessions`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use mworld_shop::session::NewSession;
use mworld_shop::{Operation, SessionId};

use crate::app::Shared;
use crate::auth::SessionToken;
use crate::dto::session::{OpenSessionBody, OpenedSessionJson};
use crate::dto::{self, Moment};
use crate::input::{NoParameters, OptionalBody, Origin, Query};
use crate::problem::Problem;

/// Opens a guest session. The body may be left out.
#[utoipa::path(post, path = "/api/v1/sessions", tag = "sessions",
    request_body(content = Option<OpenSessionBody>, content_type = "application/json"),
    responses(
        (status = 201, description = "The session and its token", body = OpenedSessionJson<'static>),
        (status = 422, description = "`unknown_zone`, `invalid_body`")))]
pub(in crate::routes) async fn open_session(
    State(app): State<Shared>,
    _: Query<NoParameters>,
    origin: Origin,
    OptionalBody(body): OptionalBody<OpenSessionBody>,
) -> Result<Response, Problem> {
    let settings = app.store.settings();
    let zone = match &body.zone {
        Some(name) => settings.zone(name)?,
        None => settings.default_zone(),
    };
    let id = SessionId::generate();
    let token = SessionToken::generate(id);
    let new = NewSession { id, digest: token.digest(), zone, ip: origin.ip, user_agent: origin.user_agent };
    let session = app.metrics.measure(Operation::SessionOpen, app.store.open_session(new)).await?;
    let opened = OpenedSessionJson {
        session_id: session.id.uuid(),
        token: token.expose(),
        zone: session.zone.as_str(),
        expires_at: session.expires_at.map(Moment),
    };
    Ok(super::not_stored(dto::json(StatusCode::CREATED, &opened)))
}
