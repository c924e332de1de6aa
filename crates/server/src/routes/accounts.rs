//! `POST /accounts`

use std::time::Instant;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use mworld_shop::session::{Email, InvalidEmail, check_account_name};
use mworld_shop::{Operation, UserId};

use crate::app::Shared;
use crate::dto;
use crate::dto::session::{AccountBody, AccountJson};
use crate::input::{Body, NoParameters, Query};
use crate::password;
use crate::problem::{Code, Problem};

/// Makes an account.
#[utoipa::path(post, path = "/api/v1/accounts", tag = "accounts",
    request_body = AccountBody,
    responses(
        (status = 201, description = "The account", body = AccountJson),
        (status = 409, description = "`email_taken`"),
        (status = 422, description = "`invalid_email`, `weak_password`, `invalid_body`")))]
pub(in crate::routes) async fn create_account(
    State(app): State<Shared>,
    _: Query<NoParameters>,
    Body(body): Body<AccountBody>,
) -> Result<Response, Problem> {
    let started = Instant::now();
    let outcome = create(&app, body).await;
    app.metrics.operation_done(Operation::AccountCreate, started, &outcome);
    Ok(dto::json(StatusCode::CREATED, &AccountJson { user_id: outcome?.uuid() }))
}

async fn create(app: &Shared, body: AccountBody) -> Result<UserId, Problem> {
    let AccountBody { email, password, name } = body;
    let email: Email =
        email.parse().map_err(|error: InvalidEmail| Problem::new(Code::InvalidEmail, error.to_string()))?;
    password.check_new()?;
    // Before the hash, which is the dear part.
    if let Some(name) = &name {
        check_account_name(name)?;
    }
    let hash = app.passwords.run(move || password::hash(&password)).await?;
    Ok(app.store.create_account(email, hash, name).await?)
}
