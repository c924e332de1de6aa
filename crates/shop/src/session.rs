//! Sessions and accounts.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::cart::{Buyer, Owner};
use crate::error::{Refusal, Result};
use crate::ids::{SessionId, UserId};
use crate::name::Zone;
use crate::time::Timestamp;

/// The SHA-256 of a token's secret half. The secret itself is never stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenDigest(pub [u8; 32]);

impl fmt::Debug for TokenDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenDigest(…)")
    }
}

/// Whether a session can still be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionStatus {
    /// Open.
    Active,
    /// Logged out.
    Closed,
}

/// A session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// Who is logged in.
    pub user: Option<UserId>,
    /// Where the buyer is.
    pub zone: Zone,
    /// Whether it can still be used.
    pub status: SessionStatus,
    /// The address it was opened from.
    pub ip: Option<String>,
    /// The browser it was opened by.
    pub user_agent: Option<String>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it was last used, to within the touch interval.
    pub last_active: Timestamp,
    /// When it ends unless it is used; `None` = never.
    pub expires_at: Option<Timestamp>,
}

impl Session {
    /// Whose cart this session fills.
    pub fn owner(&self) -> Owner {
        self.user.map_or(Owner::Guest(self.id), Owner::User)
    }

    /// The buyer at the till.
    pub fn buyer(&self) -> Buyer {
        Buyer { owner: self.owner(), session: self.id, zone: self.zone.clone() }
    }

    /// Whether a use at this moment should be written down: at most once a minute, or once in a tenth of the
    /// session's life if that is shorter. A write per request would make every read a write.
    pub fn touch_due(&self, now: Timestamp) -> bool {
        let Some(expires_at) = self.expires_at else {
            return now >= self.last_active.plus(Duration::from_secs(60));
        };
        let life = expires_at.micros() - self.last_active.micros();
        let interval = Duration::from_micros((life / 10).clamp(0, 60_000_000).unsigned_abs());
        now >= self.last_active.plus(interval)
    }
}

/// What a session is opened with.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Its id.
    pub id: SessionId,
    /// The digest of its token.
    pub digest: TokenDigest,
    /// Where the buyer is.
    pub zone: Zone,
    /// The address it is opened from.
    pub ip: Option<String>,
    /// The browser it is opened by.
    pub user_agent: Option<String>,
}

/// An e-mail address, lower case: two spellings of one address are one account.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Email(String);

impl Email {
    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a text is no e-mail address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no e-mail address; write name@host.tld, at most 254 characters, without spaces")]
pub struct InvalidEmail(String);

impl FromStr for Email {
    type Err = InvalidEmail;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let lower = text.trim().to_lowercase();
        let legal = lower.split_once('@').is_some_and(|(name, host)| {
            let parts: Vec<&str> = host.split('.').collect();
            !name.is_empty()
                && parts.len() >= 2
                && parts.iter().all(|part| !part.is_empty())
                && !host.contains('@')
                && !lower.chars().any(|c| c.is_whitespace() || c.is_control())
                && lower.len() <= 254
        });
        if legal { Ok(Email(lower)) } else { Err(InvalidEmail(text.chars().take(64).collect())) }
    }
}

/// An account as it is stored.
#[derive(Clone)]
pub struct Account {
    /// Its id.
    pub user_id: UserId,
    /// Its address.
    pub email: Email,
    /// The Argon2id hash of its password, in PHC form.
    pub password_hash: String,
    /// The name that its owner goes by.
    pub name: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Account").field("user_id", &self.user_id).finish_non_exhaustive()
    }
}

/// Checks the name that an account's owner goes by.
pub fn check_account_name(name: &str) -> Result<()> {
    let given = name.chars().count();
    if (1..=100).contains(&given) && !name.contains('\0') {
        return Ok(());
    }
    Err(Refusal::Invalid { field: "name", problem: format!("has {given} characters; write 1 to 100") }.into())
}
