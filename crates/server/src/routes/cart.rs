//! The visitor's one cart.

use axum::extract::State;
use axum::response::Response;
use mworld_shop::cart::Cart;
use mworld_shop::{Category, Operation, ProductId};

use crate::app::Shared;
use crate::auth::Visitor;
use crate::dto;
use crate::dto::cart::{CartJson, PutItemBody};
use crate::input::{Body, Id, NoParameters, Query};
use crate::problem::Problem;

/// Shows the cart; an empty one if there is none.
#[utoipa::path(get, path = "/api/v1/cart", tag = "cart", security(("session" = [])),
    responses((status = 200, description = "The cart", body = CartJson<'static>)))]
pub(in crate::routes) async fn show_cart(
    State(app): State<Shared>,
    visitor: Visitor,
    _: Query<NoParameters>,
) -> Result<Response, Problem> {
    let cart = app.metrics.measure(Operation::CartGet, app.store.cart(&visitor.session)).await?;
    answer(&app, &visitor, cart.as_ref())
}

/// Sets the quantity of a product.
#[utoipa::path(put, path = "/api/v1/cart/items/{product_id}", tag = "cart", security(("session" = [])),
    params(("product_id" = uuid::Uuid, Path, description = "The product")),
    request_body = PutItemBody,
    responses(
        (status = 200, description = "The cart", body = CartJson<'static>),
        (status = 404, description = "`product_not_found`"),
        (status = 409, description = "`not_for_sale`, `cart_busy`"),
        (status = 422, description = "`invalid_quantity`, `cart_full`, `invalid_body`")))]
pub(in crate::routes) async fn put_item(
    State(app): State<Shared>,
    visitor: Visitor,
    Id(product): Id<ProductId>,
    _: Query<NoParameters>,
    Body(body): Body<PutItemBody>,
) -> Result<Response, Problem> {
    // A wrong hint only costs, so whatever cannot be a category is no hint.
    let category = body.category.and_then(|text| Category::new(&text).ok());
    let put = app.store.put(&visitor.session, product, category, body.quantity);
    let cart = app.metrics.measure(Operation::CartPut, put).await?;
    answer(&app, &visitor, Some(&cart))
}

/// Removes a product, if it is there.
#[utoipa::path(delete, path = "/api/v1/cart/items/{product_id}", tag = "cart", security(("session" = [])),
    params(("product_id" = uuid::Uuid, Path, description = "The product")),
    responses(
        (status = 200, description = "The cart", body = CartJson<'static>),
        (status = 409, description = "`cart_busy`")))]
pub(in crate::routes) async fn remove_item(
    State(app): State<Shared>,
    visitor: Visitor,
    Id(product): Id<ProductId>,
    _: Query<NoParameters>,
) -> Result<Response, Problem> {
    let removed = app.store.remove(&visitor.session, product);
    let cart = app.metrics.measure(Operation::CartRemove, removed).await?;
    answer(&app, &visitor, cart.as_ref())
}

fn answer(app: &Shared, visitor: &Visitor, cart: Option<&Cart>) -> Result<Response, Problem> {
    Ok(dto::ok(&CartJson::new(cart, &visitor.session, app.store.settings().currency)?))
}
