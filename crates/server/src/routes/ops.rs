//! What the store is made of, for an operator.

use axum::extract::State;
use axum::response::Response;

use crate::app::Shared;
use crate::auth::Operator;
use crate::dto::{self, Items};
use crate::input::{NoParameters, Query};
use crate::problem::Problem;
use crate::views::ShardInfo;

/// Lists the shards and what lies on them.
#[utoipa::path(get, path = "/api/v1/ops/shards", tag = "operations", security(("operator" = [])),
    responses((status = 200, description = "Every shard of every engine", body = Items<ShardInfo>)))]
pub(in crate::routes) async fn list_shards(
    State(app): State<Shared>,
    _: Operator,
    _: Query<NoParameters>,
) -> Result<Response, Problem> {
    Ok(dto::ok(&Items { items: app.views.shards() }))
}

/// Shows the layout in force.
#[utoipa::path(get, path = "/api/v1/ops/layout", tag = "operations", security(("operator" = [])),
    responses((status = 200, description = "The layout", body = serde_json::Value)))]
pub(in crate::routes) async fn show_layout(
    State(app): State<Shared>,
    _: Operator,
    _: Query<NoParameters>,
) -> Result<Response, Problem> {
    Ok(dto::ok(&app.views.layout()))
}
