//! Sessions and accounts.

use mworld_shop::session::{Session, SessionStatus};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::Moment;
use super::cart::{CappedJson, CartJson};
use super::names::ZoneName;
use crate::password::Password;

/// What a session is opened with.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenSessionBody {
    /// Where the buyer is; the first zone if left out.
    #[schema(value_type = Option<ZoneName>)]
    pub(crate) zone: Option<String>,
}

/// A session that has just been opened.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OpenedSession)]
pub(crate) struct OpenedSessionJson<'a> {
    pub(crate) session_id: Uuid,
    /// The bearer token; it is not shown again.
    #[schema(pattern = "^[A-Za-z0-9_-]{64}$")]
    pub(crate) token: String,
    pub(crate) zone: &'a str,
    /// Moves on while the session is used; null = never.
    #[schema(required = true)]
    pub(crate) expires_at: Option<Moment>,
}

/// The session of the token.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Session)]
pub(crate) struct SessionJson<'a> {
    session_id: Uuid,
    /// Who is logged in; null for a guest.
    #[schema(required = true)]
    user_id: Option<Uuid>,
    zone: &'a str,
    #[schema(value_type = SessionStatusName)]
    status: SessionStatus,
    created_at: Moment,
    last_active: Moment,
    #[schema(required = true)]
    expires_at: Option<Moment>,
}

/// The statuses of a session, for the description only.
#[derive(ToSchema)]
#[schema(as = SessionStatus, rename_all = "lowercase")]
#[allow(dead_code)] // names of the API; the domain has the values
pub(crate) enum SessionStatusName {
    Active,
    Closed,
}

impl<'a> From<&'a Session> for SessionJson<'a> {
    fn from(session: &'a Session) -> SessionJson<'a> {
        SessionJson {
            session_id: session.id.uuid(),
            user_id: session.user.map(mworld_shop::UserId::uuid),
            zone: session.zone.as_str(),
            status: session.status,
            created_at: Moment(session.created_at),
            last_active: Moment(session.last_active),
            expires_at: session.expires_at.map(Moment),
        }
    }
}

/// A new account.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccountBody {
    #[schema(
        max_length = 254,
        pattern = r"^\s*[^@\s]+@[^@\s.]+(\.[^@\s.]+)+\s*$",
        example = "buyer@example.com"
    )]
    pub(crate) email: String,
    /// At least 8 characters, at most 1024 bytes.
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 1024)]
    pub(crate) password: Password,
    #[schema(min_length = 1, max_length = 100, pattern = "^[^\\u0000]*$")]
    pub(crate) name: Option<String>,
}

/// The account that was made.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Account)]
pub(crate) struct AccountJson {
    pub(crate) user_id: Uuid,
}

/// Who wants to log in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LoginBody {
    pub(crate) email: String,
    #[schema(value_type = String, format = Password, max_length = 1024)]
    pub(crate) password: Password,
}

/// A login: the old token is dead, the guest's cart is merged into the user's.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LoggedIn)]
pub(crate) struct LoggedInJson<'a> {
    pub(crate) user_id: Uuid,
    /// The new bearer token; it is not shown again.
    #[schema(pattern = "^[A-Za-z0-9_-]{64}$")]
    pub(crate) token: String,
    pub(crate) cart: CartJson<'a>,
    /// What of the guest's cart did not fit.
    pub(crate) capped: Vec<CappedJson>,
}
