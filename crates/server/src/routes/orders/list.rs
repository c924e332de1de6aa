//! `GET /orders`

use axum::extract::State;
use axum::response::Response;
use mworld_shop::Operation;

use super::query::OwnOrders;
use crate::app::Shared;
use crate::auth::User;
use crate::dto::order::{OrderJson, OrderStatusName};
use crate::dto::{self, List};
use crate::input::Query;
use crate::problem::Problem;

/// Lists one's own orders, newest first.
#[utoipa::path(get, path = "/api/v1/orders", tag = "orders", security(("session" = [])),
    params(
        ("status" = Option<OrderStatusName>, Query),
        ("from" = Option<String>, Query, format = DateTime, description = "Placed at or after, RFC 3339"),
        ("to" = Option<String>, Query, format = DateTime, description = "Placed before, RFC 3339"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100, description = "24 if left out"),
        ("cursor" = Option<String>, Query, description = "`next` of the page before")),
    responses(
        (status = 200, description = "One page", body = List<OrderJson<'static>>),
        (status = 400, description = "`unknown_parameter`, `invalid_parameter`, `bad_cursor`"),
        (status = 401, description = "`login_required` for a guest, `unauthorized` without a valid token")))]
pub(in crate::routes) async fn list_own_orders(
    State(app): State<Shared>,
    user: User,
    Query(own): Query<OwnOrders>,
) -> Result<Response, Problem> {
    let query = own.of(user.id)?;
    let page = app.metrics.measure(Operation::OrderHistory, app.store.history(user.id, &query)).await?;
    Ok(dto::ok(&List::of(&page, query.list_id(Some(user.id)), OrderJson::from)))
}
