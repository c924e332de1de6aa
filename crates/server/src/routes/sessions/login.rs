//! `POST /sessions/current/login`

use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;
use axum::response::Response;
use mworld_shop::session::Email;
use mworld_shop::{LoggedIn, Operation, UserId};

use crate::app::Shared;
use crate::auth::{SessionToken, Visitor};
use crate::dto;
use crate::dto::cart::{CappedJson, CartJson};
use crate::dto::session::{LoggedInJson, LoginBody};
use crate::input::{Body, NoParameters, Query};
use crate::password;
use crate::problem::{Code, Problem};

/// Logs a user in: a fresh token, the guest's cart merged into the user's.
#[utoipa::path(post, path = "/api/v1/sessions/current/login", tag = "sessions", security(("session" = [])),
    request_body = LoginBody,
    responses(
        (status = 200, description = "Logged in; the old token is dead", body = LoggedInJson<'static>),
        (status = 401, description = "`bad_credentials`, or `unauthorized` without a valid token"),
        (status = 429, description = "`too_many_requests`: too many failed logins for this e-mail")))]
pub(in crate::routes) async fn log_in(
    State(app): State<Shared>,
    visitor: Visitor,
    _: Query<NoParameters>,
    Body(body): Body<LoginBody>,
) -> Result<Response, Problem> {
    let started = Instant::now();
    let token = SessionToken::generate(visitor.session.id);
    let outcome = attempt(&app, &visitor, &token, body).await;
    app.metrics.operation_done(Operation::SessionLogin, started, &outcome);
    let (user, logged_in) = outcome?;
    let currency = app.store.settings().currency;
    let answer = LoggedInJson {
        user_id: user.uuid(),
        token: token.expose(),
        cart: CartJson::new(logged_in.cart.as_ref(), &logged_in.session, currency)?,
        capped: logged_in.capped.iter().map(CappedJson::from).collect(),
    };
    Ok(super::not_stored(dto::ok(&answer)))
}

async fn attempt(
    app: &Shared,
    visitor: &Visitor,
    token: &SessionToken,
    body: LoginBody,
) -> Result<(UserId, LoggedIn), Problem> {
    let user = authenticate(app, body).await?;
    let done = app.store.log_in(&visitor.session, &visitor.digest, token.digest(), user).await?;
    Ok((user, done))
}

/// The user of this e-mail and password. Whatever is wrong, the answer and the time it takes are the same.
async fn authenticate(app: &Shared, body: LoginBody) -> Result<UserId, Problem> {
    body.password.check_given()?;
    let typed = body.email.trim().to_lowercase();
    app.logins.check(&typed)?;
    // What cannot be an address has no account; it waits for a hash like every other wrong one.
    let account = match typed.parse::<Email>() {
        Ok(email) => app.store.account(&email).await?,
        Err(_) => None,
    };
    let user = account.as_ref().map(|account| account.user_id);
    let logins = Arc::clone(&app.logins);
    let matches = app
        .passwords
        .run(move || {
            // Checked again where only a few run at once: a burst of guesses cannot slip through together.
            logins.check(&typed)?;
            let stored = account.as_ref().map(|account| account.password_hash.as_str());
            let matches = password::verify(&body.password, stored)?;
            if !matches {
                logins.failed(&typed);
            }
            Ok(matches)
        })
        .await?;
    user.filter(|_| matches).ok_or_else(|| {
        let detail = "no account has this e-mail and this password; check both, or make an account";
        Problem::new(Code::BadCredentials, detail)
    })
}
