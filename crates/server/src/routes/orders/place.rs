//! `POST /orders`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use mworld_shop::Operation;

use crate::app::Shared;
use crate::auth::User;
use crate::dto;
use crate::dto::order::{CheckoutBody, OrderJson};
use crate::input::{Body, IdempotencyHeader, NoParameters, Query};
use crate::problem::Problem;

/// Checks out: turns the active cart into an order and writes the stock off, all or nothing. A repeat with the
/// same key answers the same order.
#[utoipa::path(post, path = "/api/v1/orders", tag = "orders", security(("session" = [])),
    params(("Idempotency-Key" = String, Header, min_length = 1, max_length = 128, pattern = "^[!-~]{1,128}$",
        description = "The client's name for this wish; the same in every repeat of it")),
    request_body = CheckoutBody,
    responses(
        (status = 201, description = "The order", body = OrderJson<'static>),
        (status = 200, description = "The order that this key made before", body = OrderJson<'static>),
        (status = 400, description = "`idempotency_key_required`, `invalid_json`, `unknown_parameter`"),
        (status = 401, description = "`login_required` for a guest, `unauthorized` without a valid token"),
        (status = 409, description = "`insufficient_stock` with items, `cart_empty`, `cart_busy`, \
            `price_changed` with total, `not_for_sale`; the key is not used up"),
        (status = 422, description = "`idempotency_mismatch`, `unknown_zone`, `invalid_body`"),
        (status = 503, description = "`overloaded`, `unavailable`, `checkout_called_off`: repeat with the same key")))]
pub(in crate::routes) async fn place_order(
    State(app): State<Shared>,
    user: User,
    _: Query<NoParameters>,
    IdempotencyHeader(key): IdempotencyHeader,
    Body(body): Body<CheckoutBody>,
) -> Result<Response, Problem> {
    let request = body.read(app.store.settings())?;
    let checkout = app.store.check_out(user.id, &key, &request);
    let placed = app.metrics.measure(Operation::OrderPlace, checkout).await?;
    let status = if placed.repeated { StatusCode::OK } else { StatusCode::CREATED };
    Ok(dto::json(status, &OrderJson::from(&placed.order)))
}
