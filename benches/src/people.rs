//! Buyers, and sessions in which they are logged in. No password is hashed anywhere: that is what the password pool
//! is for, and it would hide everything else.

use std::sync::Arc;

use anyhow::{Context, Result};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mworld_shop::ports::Sessions;
use mworld_shop::session::{NewSession, TokenDigest};
use mworld_shop::{SessionId, UserId, Zone};
use sha2::{Digest, Sha256};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::dice::mix;

/// Buyer `n`. Ids are scattered as those of accounts that were made long before they buy.
pub(crate) fn buyer(n: u64) -> UserId {
    UserId::from_uuid(Uuid::from_u64_pair(mix(2 * n), mix(2 * n + 1)))
}

/// The one who has ten years of orders.
pub(crate) fn wholesale_buyer() -> UserId {
    buyer(u64::MAX / 4)
}

/// The bearer token of a session in which somebody is logged in.
pub(crate) type Token = String;

/// Opens a session for each of these, in this order, and logs them in.
pub(crate) async fn log_in(
    sessions: Arc<dyn Sessions>,
    zone: &Zone,
    users: Vec<UserId>,
) -> Result<Vec<Token>> {
    let mut tokens = Vec::with_capacity(users.len());
    // The engine commits what waits together; this many at once make few commits.
    for group in users.chunks(512) {
        let mut tasks = JoinSet::new();
        for (i, user) in group.iter().copied().enumerate() {
            let (sessions, zone) = (Arc::clone(&sessions), zone.clone());
            tasks.spawn(async move { log_in_one(&*sessions, zone, user).await.map(|token| (i, token)) });
        }
        let mut opened = Vec::with_capacity(group.len());
        while let Some(done) = tasks.join_next().await {
            opened.push(done.context("a login was cut off")??);
        }
        opened.sort_by_key(|(i, _)| *i);
        tokens.extend(opened.into_iter().map(|(_, token)| token));
    }
    Ok(tokens)
}

async fn log_in_one(sessions: &dyn Sessions, zone: Zone, user: UserId) -> Result<Token> {
    let id = SessionId::generate();
    let secret: [u8; 32] = Sha256::digest(id.uuid().as_bytes()).into();
    let digest = TokenDigest(Sha256::digest(secret).into());
    sessions.open(NewSession { id, digest, zone, ip: None, user_agent: None }).await?;
    sessions.login(id, &digest, digest, user).await?;
    // The server's form of a token: the session's id and the secret, as URL-safe text.
    let mut bytes = id.uuid().as_bytes().to_vec();
    bytes.extend_from_slice(&secret);
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}
