//! The catalogue as an operator writes it.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use mworld_shop::product::MAX_STOCK;
use mworld_shop::{Operation, ProductId, Refusal};

use crate::app::Shared;
use crate::auth::Operator;
use crate::dto;
use crate::dto::product::{ProductBody, ProductJson, StockChangeBody};
use crate::input::{Body, Id, NoParameters, Query};
use crate::problem::{Code, Problem};

/// Writes a product. A withdrawn one is sold again.
#[utoipa::path(put, path = "/api/v1/admin/products/{id}", tag = "operators", security(("operator" = [])),
    params(("id" = uuid::Uuid, Path, description = "The product; any UUID")),
    request_body = ProductBody,
    responses(
        (status = 200, description = "The product, changed", body = ProductJson<'static>),
        (status = 201, description = "The product, new", body = ProductJson<'static>),
        (status = 422, description = "`invalid_body`, `unknown_category`, `unknown_zone`, `invalid_stock`")))]
pub(in crate::routes) async fn put_product(
    State(app): State<Shared>,
    _: Operator,
    Id(id): Id<ProductId>,
    _: Query<NoParameters>,
    Body(body): Body<ProductBody>,
) -> Result<Response, Problem> {
    let draft = body.read(app.store.settings())?;
    let written = app.metrics.measure(Operation::CatalogUpsert, app.store.upsert(id, draft)).await?;
    let status = if written.created { StatusCode::CREATED } else { StatusCode::OK };
    Ok(dto::json(status, &ProductJson::from(&written.product)))
}

/// Withdraws a product: not searched, not sold; old orders keep it.
#[utoipa::path(delete, path = "/api/v1/admin/products/{id}", tag = "operators", security(("operator" = [])),
    params(("id" = uuid::Uuid, Path, description = "The product")),
    responses(
        (status = 204, description = "Withdrawn"),
        (status = 404, description = "`product_not_found`")))]
pub(in crate::routes) async fn withdraw_product(
    State(app): State<Shared>,
    _: Operator,
    Id(id): Id<ProductId>,
    _: Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    app.metrics.measure(Operation::CatalogUpsert, app.store.withdraw(id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Adds to the stock of one zone, or takes from it.
#[utoipa::path(post, path = "/api/v1/admin/products/{id}/stock", tag = "operators", security(("operator" = [])),
    params(("id" = uuid::Uuid, Path, description = "The product")),
    request_body = StockChangeBody,
    responses(
        (status = 200, description = "The product", body = ProductJson<'static>),
        (status = 404, description = "`product_not_found`"),
        (status = 409, description = "`insufficient_stock`: it would go below zero"),
        (status = 422, description = "`unknown_zone`, `invalid_stock`, `invalid_body`")))]
pub(in crate::routes) async fn adjust_stock(
    State(app): State<Shared>,
    _: Operator,
    Id(id): Id<ProductId>,
    _: Query<NoParameters>,
    Body(body): Body<StockChangeBody>,
) -> Result<Response, Problem> {
    let zone = app.store.settings().zone(&body.zone)?;
    check_delta(body.delta)?;
    let adjusted = app.store.adjust(id, &zone, body.delta);
    let product = app.metrics.measure(Operation::CatalogAdjust, adjusted).await?;
    Ok(dto::ok(&ProductJson::from(&product)))
}

fn check_delta(delta: i64) -> Result<(), Problem> {
    if delta == 0 {
        let detail = "delta: 0 changes nothing; send how many pieces come, or negative how many go";
        return Err(Problem::new(Code::InvalidBody, detail));
    }
    if delta.unsigned_abs() > u64::from(MAX_STOCK) {
        return Err(Refusal::InvalidStock { given: delta, max: MAX_STOCK }.into());
    }
    Ok(())
}
