//! `GET /admin/events`

use axum::extract::State;
use axum::response::Response;
use mworld_shop::PageSize;
use mworld_shop::event::EventId;

use crate::app::Shared;
use crate::auth::Operator;
use crate::dto::event::EventJson;
use crate::dto::{self, List};
use crate::input::{Parameters, Query, ReadQuery};
use crate::problem::Problem;

/// Lists what happened to orders and stock, in commit order per key, for mail, accounting and the like. A program
/// pages through it by `after` and may read it again.
#[utoipa::path(get, path = "/api/v1/admin/events", tag = "operators", security(("operator" = [])),
    params(
        ("after" = Option<String>, Query, max_length = 128,
            description = "The id of an event, or `next` of the page before"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100, description = "24 if left out")),
    responses(
        (status = 200, description = "One page", body = List<EventJson<'static>>),
        (status = 400, description = "`unknown_parameter`, `invalid_parameter`, `bad_cursor`")))]
pub(in crate::routes) async fn list_events(
    State(app): State<Shared>,
    _: Operator,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Problem> {
    let page = app.store.events(wanted.after.as_ref(), wanted.limit).await?;
    let items = page.items.iter().map(EventJson::from).collect();
    Ok(dto::ok(&List { items, next: page.next.map(|id| id.0) }))
}

/// Which part of the feed.
pub(in crate::routes) struct Wanted {
    after: Option<EventId>,
    limit: PageSize,
}

impl ReadQuery for Wanted {
    const KNOWN: &'static [&'static str] = &["after", "limit"];

    fn read(parameters: &Parameters<'_>, _: &Shared) -> Result<Wanted, Problem> {
        Ok(Wanted {
            after: parameters.text("after", 128)?.map(|id| EventId(id.to_owned())),
            limit: parameters.limit()?.unwrap_or(PageSize::DEFAULT),
        })
    }
}
