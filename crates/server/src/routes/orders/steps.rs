//! What a buyer does with an order: pays it, cancels it.

use axum::extract::State;
use axum::response::Response;
use mworld_shop::order::{OrderRef, OrderStatus};
use mworld_shop::{Operation, OrderId};

use crate::app::Shared;
use crate::auth::User;
use crate::dto;
use crate::dto::order::OrderJson;
use crate::input::{Id, NoParameters, Query};
use crate::problem::Problem;

/// Pays with the demo provider. A real one reports to `POST /admin/orders/{id}/payment`.
#[utoipa::path(post, path = "/api/v1/orders/{id}/pay", tag = "orders", security(("session" = [])),
    params(("id" = uuid::Uuid, Path, description = "The order")),
    responses(
        (status = 200, description = "The order, paid", body = OrderJson<'static>),
        (status = 401, description = "`login_required` for a guest, `unauthorized` without a valid token"),
        (status = 404, description = "`order_not_found`, also for another user's"),
        (status = 409, description = "`illegal_transition`")))]
pub(in crate::routes) async fn pay_own_order(
    State(app): State<Shared>,
    user: User,
    Id(id): Id<OrderId>,
    _: Query<NoParameters>,
) -> Result<Response, Problem> {
    let step = app.store.advance(OrderRef { id, user: Some(user.id) }, OrderStatus::Paid);
    let order = app.metrics.measure(Operation::OrderAdvance, step).await?;
    Ok(dto::ok(&OrderJson::from(&order)))
}

/// Cancels an order; its stock goes back.
#[utoipa::path(post, path = "/api/v1/orders/{id}/cancel", tag = "orders", security(("session" = [])),
    params(("id" = uuid::Uuid, Path, description = "The order")),
    responses(
        (status = 200, description = "The order, cancelled", body = OrderJson<'static>),
        (status = 401, description = "`login_required` for a guest, `unauthorized` without a valid token"),
        (status = 404, description = "`order_not_found`, also for another user's"),
        (status = 409, description = "`illegal_transition`")))]
pub(in crate::routes) async fn cancel_own_order(
    State(app): State<Shared>,
    user: User,
    Id(id): Id<OrderId>,
    _: Query<NoParameters>,
) -> Result<Response, Problem> {
    let step = app.store.advance(OrderRef { id, user: Some(user.id) }, OrderStatus::Cancelled);
    let order = app.metrics.measure(Operation::OrderCancel, step).await?;
    Ok(dto::ok(&OrderJson::from(&order)))
}
