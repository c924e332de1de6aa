//! Everybody's orders, for an operator.

use axum::extract::State;
use axum::response::Response;
use mworld_shop::order::{OrderRef, OrderStatus};
use mworld_shop::{Operation, OrderId};

use crate::app::Shared;
use crate::auth::Operator;
use crate::dto::names::ZoneName;
use crate::dto::order::{OrderJson, OrderStatusName, PaymentBody, StatusBody};
use crate::dto::{self, List};
use crate::input::{Body, Id, NoParameters, Query};
use crate::problem::Problem;
use crate::routes::orders::query::AllOrders;

/// Lists everybody's orders, newest first.
#[utoipa::path(get, path = "/api/v1/admin/orders", tag = "operators", security(("operator" = [])),
    params(
        ("zone" = Option<ZoneName>, Query),
        ("status" = Option<OrderStatusName>, Query),
        ("from" = Option<String>, Query, format = DateTime, description = "Placed at or after, RFC 3339"),
        ("to" = Option<String>, Query, format = DateTime, description = "Placed before, RFC 3339"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100, description = "24 if left out"),
        ("cursor" = Option<String>, Query, description = "`next` of the page before")),
    responses(
        (status = 200, description = "One page", body = List<OrderJson<'static>>),
        (status = 400, description = "`unknown_parameter`, `invalid_parameter`, `bad_cursor`"),
        (status = 422, description = "`unknown_zone`")))]
pub(in crate::routes) async fn list_orders(
    State(app): State<Shared>,
    _: Operator,
    Query(AllOrders(query)): Query<AllOrders>,
) -> Result<Response, Problem> {
    let page = app.metrics.measure(Operation::OrderList, app.store.list(&query)).await?;
    Ok(dto::ok(&List::of(&page, query.list_id(None), OrderJson::from)))
}

/// Shows any order by its id alone.
#[utoipa::path(get, path = "/api/v1/admin/orders/{id}", tag = "operators", security(("operator" = [])),
    params(("id" = uuid::Uuid, Path, description = "The order")),
    responses(
        (status = 200, description = "The order", body = OrderJson<'static>),
        (status = 404, description = "`order_not_found`")))]
pub(in crate::routes) async fn show_order(
    State(app): State<Shared>,
    _: Operator,
    Id(id): Id<OrderId>,
    _: Query<NoParameters>,
) -> Result<Response, Problem> {
    let wanted = OrderRef { id, user: None };
    let order = app.metrics.measure(Operation::OrderStatus, app.store.order(wanted)).await?;
    Ok(dto::ok(&OrderJson::from(&order)))
}

/// Takes an order one step further: created → paid → shipped → delivered, or cancelled from the first two.
#[utoipa::path(post, path = "/api/v1/admin/orders/{id}/status", tag = "operators", security(("operator" = [])),
    params(("id" = uuid::Uuid, Path, description = "The order")),
    request_body = StatusBody,
    responses(
        (status = 200, description = "The order", body = OrderJson<'static>),
        (status = 404, description = "`order_not_found`"),
        (status = 409, description = "`illegal_transition`")))]
pub(in crate::routes) async fn set_order_status(
    State(app): State<Shared>,
    _: Operator,
    Id(id): Id<OrderId>,
    _: Query<NoParameters>,
    Body(body): Body<StatusBody>,
) -> Result<Response, Problem> {
    let status = OrderStatus::from(body.status);
    let operation = match status {
        OrderStatus::Cancelled => Operation::OrderCancel,
        _ => Operation::OrderAdvance,
    };
    let step = app.store.advance(OrderRef { id, user: None }, status);
    let order = app.metrics.measure(operation, step).await?;
    Ok(dto::ok(&OrderJson::from(&order)))
}

/// Takes note of a payment, once for each provider and reference.
#[utoipa::path(post, path = "/api/v1/admin/orders/{id}/payment", tag = "operators", security(("operator" = [])),
    params(("id" = uuid::Uuid, Path, description = "The order")),
    request_body = PaymentBody,
    responses(
        (status = 200, description = "The order, paid", body = OrderJson<'static>),
        (status = 404, description = "`order_not_found`"),
        (status = 409, description = "`order_cancelled` (the payment is recorded as a refund due), \
            `wrong_amount`, `reference_taken`, `illegal_transition` (another payment had paid it; a refund is due)")))]
pub(in crate::routes) async fn record_payment(
    State(app): State<Shared>,
    _: Operator,
    Id(id): Id<OrderId>,
    _: Query<NoParameters>,
    Body(body): Body<PaymentBody>,
) -> Result<Response, Problem> {
    let payment = app.store.pay(id, body.read()?);
    let order = app.metrics.measure(Operation::OrderAdvance, payment).await?;
    Ok(dto::ok(&OrderJson::from(&order)))
}
