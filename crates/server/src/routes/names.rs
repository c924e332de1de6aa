//! `GET /categories`, `GET /zones`: the store's own configuration.

use axum::extract::State;
use axum::response::Response;
use mworld_shop::{Category, Zone};

use crate::app::Shared;
use crate::dto::{self, Items, Named};
use crate::input::{NoParameters, Query};
use crate::problem::Problem;

/// Lists the categories.
#[utoipa::path(get, path = "/api/v1/categories", tag = "catalogue",
    responses((status = 200, description = "Every category", body = Items<Named<'static>>)))]
pub(in crate::routes) async fn list_categories(
    State(app): State<Shared>,
    _: Query<NoParameters>,
) -> Result<Response, Problem> {
    Ok(answer(&app.store.settings().categories, Category::as_str))
}

/// Lists the zones; the first is the default of a new session.
#[utoipa::path(get, path = "/api/v1/zones", tag = "catalogue",
    responses((status = 200, description = "Every zone", body = Items<Named<'static>>)))]
pub(in crate::routes) async fn list_zones(
    State(app): State<Shared>,
    _: Query<NoParameters>,
) -> Result<Response, Problem> {
    Ok(answer(&app.store.settings().zones, Zone::as_str))
}

fn answer<T>(named: &[mworld_shop::Named<T>], id: fn(&T) -> &str) -> Response {
    let items = named.iter().map(|known| Named { id: id(&known.id), name: &known.name }).collect();
    dto::ok(&Items { items })
}
