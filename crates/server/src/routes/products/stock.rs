//! `GET /products/{id}/stock`

use axum::extract::State;
use axum::response::Response;
use mworld_shop::{Operation, ProductId};

use super::hints::Hints;
use crate::app::Shared;
use crate::dto;
use crate::dto::product::ProductStockJson;
use crate::input::{Id, Query};
use crate::problem::Problem;

/// Shows the exact stock of a product.
#[utoipa::path(get, path = "/api/v1/products/{id}/stock", tag = "catalogue",
    params(
        ("id" = uuid::Uuid, Path, description = "The product"),
        ("category" = Option<String>, Query, description = "A hint; a wrong one only costs"),
        ("zone" = Option<String>, Query, description = "A hint; a wrong one only costs")),
    responses(
        (status = 200, description = "Pieces in every zone", body = ProductStockJson<'static>),
        (status = 404, description = "`product_not_found`")))]
pub(in crate::routes) async fn show_stock(
    State(app): State<Shared>,
    Id(id): Id<ProductId>,
    Query(hints): Query<Hints>,
) -> Result<Response, Problem> {
    let wanted = hints.of(id);
    let stock = app.metrics.measure(Operation::CatalogStock, app.store.stock(&wanted)).await?;
    Ok(dto::ok(&ProductStockJson::new(id, &stock)))
}
