//! What headers and the connection say.

use std::net::SocketAddr;

use axum::extract::FromRequestParts;
use axum::http::header::USER_AGENT;
use axum::http::request::Parts;
use mworld_shop::checkout::IdempotencyKey;

use crate::app::Shared;
use crate::problem::{Code, Problem};

/// The address at the other end of the connection; the accept loop puts it into each request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Where a session comes from.
pub(crate) struct Origin {
    pub(crate) ip: Option<String>,
    pub(crate) user_agent: Option<String>,
}

impl FromRequestParts<Shared> for Origin {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Origin, Problem> {
        let ip = parts.extensions.get::<Peer>().map(|peer| peer.0.ip().to_string());
        let agent = parts.headers.get(USER_AGENT).and_then(|value| value.to_str().ok());
        // Long enough for every real browser; a longer one is somebody's joke and need not be stored.
        Ok(Origin { ip, user_agent: agent.map(|text| text.chars().take(256).collect()) })
    }
}

/// The client's name for one wish to order.
pub(crate) struct IdempotencyHeader(pub(crate) IdempotencyKey);

impl FromRequestParts<Shared> for IdempotencyHeader {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<IdempotencyHeader, Problem> {
        let required = |detail: String| Problem::new(Code::IdempotencyKeyRequired, detail);
        let Some(header) = parts.headers.get("idempotency-key") else {
            return Err(required(
                "there is no Idempotency-Key header; send 1 to 128 visible ASCII characters, such as a UUID, \
                 and the same ones when you repeat this order"
                    .to_owned(),
            ));
        };
        let text = String::from_utf8_lossy(header.as_bytes());
        text.parse()
            .map(IdempotencyHeader)
            .map_err(|error: mworld_shop::checkout::InvalidKey| required(error.to_string()))
    }
}
