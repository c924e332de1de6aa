//! `GET /products/{id}`

use axum::extract::State;
use axum::response::Response;
use mworld_shop::{Operation, ProductId};

use super::hints::Hints;
use crate::app::Shared;
use crate::dto;
use crate::dto::product::{ProductJson, shown};
use crate::input::{Id, Query};
use crate::problem::Problem;

/// Shows a product with all its zones.
#[utoipa::path(get, path = "/api/v1/products/{id}", tag = "catalogue",
    params(
        ("id" = uuid::Uuid, Path, description = "The product"),
        ("category" = Option<String>, Query, description = "A hint; a wrong one only costs"),
        ("zone" = Option<String>, Query, description = "A hint; a wrong one only costs")),
    responses(
        (status = 200, description = "The product", body = ProductJson<'static>),
        (status = 404, description = "`product_not_found`")))]
pub(in crate::routes) async fn show_product(
    State(app): State<Shared>,
    Id(id): Id<ProductId>,
    Query(hints): Query<Hints>,
) -> Result<Response, Problem> {
    let wanted = hints.of(id);
    let product = app.metrics.measure(Operation::CatalogProduct, app.store.product(&wanted)).await?;
    Ok(dto::ready_json(shown(&product).to_vec()))
}
