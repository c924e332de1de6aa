//! The accounts of the run, each with a session that is logged in.

use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use mworld_shop::UserId;
use serde::Deserialize;
use serde_json::json;

use super::{TokenJson, Work};
use crate::drive::api::Words;
use crate::drive::error::Error;
use crate::drive::live::Live;
use crate::drive::persist::complaint;
use crate::stage::Stage;

/// People under way at once. A store hashes passwords on a few threads; a few waiting for each keep them busy, and more
/// would only find its queue full.
const AT_ONCE: usize = 12;

/// How often a login is tried whose answer got lost.
const MOST_LOGINS: u32 = 10;

/// A user with a session.
pub(super) struct LoggedIn {
    pub(super) id: UserId,
    pub(super) token: Arc<str>,
}

#[derive(Deserialize)]
struct LoginJson {
    user_id: UserId,
    token: String,
}

/// Makes the users that are wanted and logs them in.
pub(super) async fn make_users(
    work: &Work<'_>,
    stage: &Stage,
    wanted: &[bool],
    live: &Live,
) -> Result<Vec<Option<LoggedIn>>, Error> {
    let users = (0..stage.users.len()).map(|number| async move {
        if !wanted.get(number).is_some_and(|wanted| *wanted) {
            return Ok(None);
        }
        let user = make(work, stage, number).await?;
        live.one_more();
        Ok(Some(user))
    });
    stream::iter(users).buffered(AT_ONCE).try_collect().await
}

async fn make(work: &Work<'_>, stage: &Stage, number: usize) -> Result<LoggedIn, Error> {
    let email = &stage.users[number].email;
    let body = json!({"email": email, "password": work.password});
    let request = work.nobody().send("POST", "/accounts", None, Some(body.clone()));
    let what = format!("make the account {email}");
    let answer = work.ask(&request, &what).await?;
    // Nobody else can know this address: if it is taken, an answer of ours got lost.
    if answer.status != 201 && !complaint(&answer).contains("email_taken") {
        return Err(work.failed(&what, complaint(&answer)));
    }
    let zone = &stage.zones[number % stage.zones.len()];
    let what = format!("log {email} in");
    let mut last = String::new();
    for _ in 0..MOST_LOGINS {
        let open = work.nobody().send("POST", "/sessions", None, Some(json!({"zone": zone})));
        let session: TokenJson = work.read(open, "open a session").await?;
        let words = Words { token: Some(&session.token), ..work.nobody() };
        let login = words.send("POST", "/sessions/current/login", None, Some(body.clone()));
        let answer = work.ask(&login, &what).await?;
        if answer.status == 200
            && let Ok(login) = serde_json::from_slice::<LoginJson>(&answer.body)
        {
            return Ok(LoggedIn { id: login.user_id, token: login.token.into() });
        }
        // After a lost answer the old token is dead: a new session is opened.
        last = complaint(&answer);
    }
    Err(work.failed(&what, last))
}
