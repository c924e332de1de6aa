//! `GET /orders/{id}`

use axum::extract::State;
use axum::response::Response;
use mworld_shop::order::OrderRef;
use mworld_shop::{Operation, OrderId};

use crate::app::Shared;
use crate::auth::User;
use crate::dto;
use crate::dto::order::OrderJson;
use crate::input::{Id, NoParameters, Query};
use crate::problem::Problem;

/// Shows one of one's own orders.
#[utoipa::path(get, path = "/api/v1/orders/{id}", tag = "orders", security(("session" = [])),
    params(("id" = uuid::Uuid, Path, description = "The order")),
    responses(
        (status = 200, description = "The order", body = OrderJson<'static>),
        (status = 401, description = "`login_required` for a guest, `unauthorized` without a valid token"),
        (status = 404, description = "`order_not_found`, also for another user's")))]
pub(in crate::routes) async fn show_own_order(
    State(app): State<Shared>,
    user: User,
    Id(id): Id<OrderId>,
    _: Query<NoParameters>,
) -> Result<Response, Problem> {
    let wanted = OrderRef { id, user: Some(user.id) };
    let order = app.metrics.measure(Operation::OrderStatus, app.store.order(wanted)).await?;
    Ok(dto::ok(&OrderJson::from(&order)))
}
