//! Those who come with a session: guests and users.

use std::time::Instant;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use mworld_shop::session::{Session, TokenDigest};
use mworld_shop::{Operation, UserId};

use super::credential::Credential;
use super::token::SessionToken;
use crate::app::Shared;
use crate::problem::{Code, Problem};

/// Anybody with an open session.
pub(crate) struct Visitor {
    pub(crate) session: Session,
    /// The digest of the token that opened it, which a login must name to replace it.
    pub(crate) digest: TokenDigest,
}

/// Somebody who is logged in.
pub(crate) struct User {
    pub(crate) id: UserId,
}

impl FromRequestParts<Shared> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Visitor, Problem> {
        let token = read_token(&parts.headers)?;
        let digest = token.digest();
        app.rates.admit(&digest.0)?;
        let started = Instant::now();
        let found = app.store.session(token.session_id(), &digest).await.map_err(Problem::from);
        app.metrics.operation_done(Operation::SessionTouch, started, &found);
        match found? {
            Some(session) => Ok(Visitor { session, digest }),
            None => Err(unauthorized("the session is over or its token was replaced")),
        }
    }
}

impl FromRequestParts<Shared> for User {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<User, Problem> {
        let visitor = Visitor::from_request_parts(parts, app).await?;
        let id = visitor.session.user.ok_or_else(|| {
            let detail = "this session is a guest's; log in at POST /api/v1/sessions/current/login first";
            Problem::new(Code::LoginRequired, detail)
        })?;
        Ok(User { id })
    }
}

fn read_token(headers: &HeaderMap) -> Result<SessionToken, Problem> {
    match Credential::of(headers) {
        Credential::Token(text) => {
            SessionToken::parse(text).ok_or_else(|| unauthorized("this is not a session's token"))
        }
        Credential::Nothing => Err(unauthorized("there is no token")),
        Credential::Unreadable => {
            Err(unauthorized("the Authorization header is not of the form Bearer TOKEN"))
        }
    }
}

fn unauthorized(what: &str) -> Problem {
    let next = "open a session at POST /api/v1/sessions and send its token as Authorization: Bearer TOKEN";
    Problem::new(Code::Unauthorized, format!("{what}; {next}"))
}
