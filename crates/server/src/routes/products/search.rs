//! `GET /products`

use axum::extract::State;
use axum::response::Response;
use mworld_shop::search::{Search, Sort, words};
use mworld_shop::{Money, Operation};

use crate::app::Shared;
use crate::dto::names::{CategoryName, ZoneName};
use crate::dto::product::{ProductJson, shown_page};
use crate::dto::{self, List};
use crate::input::{Parameters, Query, ReadQuery, excerpt, invalid};
use crate::problem::Problem;

const MAX_Q: usize = 200;
/// More filters than a shop page has, and few enough that a query stays cheap.
const MAX_ATTRIBUTES: usize = 16;

/// Searches the catalogue. Every filter narrows; `attr.KEY=VALUE` filters by an attribute and may be repeated.
#[utoipa::path(get, path = "/api/v1/products", tag = "catalogue",
    params(
        ("q" = Option<String>, Query, max_length = 200,
            description = "Words of the name; the last one may be a beginning"),
        ("category" = Option<CategoryName>, Query),
        ("subcategory" = Option<String>, Query, max_length = 64),
        ("zone" = Option<ZoneName>, Query, description = "In stock there"),
        ("min_price" = Option<i64>, Query, minimum = 0, maximum = 1_000_000_000_000_000_i64,
            description = "Minor units, inclusive"),
        ("max_price" = Option<i64>, Query, minimum = 0, maximum = 1_000_000_000_000_000_i64,
            description = "Minor units, inclusive"),
        ("sort" = inline(Option<SortName>), Query, description = "`newest` if left out"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100, description = "24 if left out"),
        ("cursor" = Option<String>, Query, description = "`next` of the page before")),
    responses(
        (status = 200, description = "One page", body = List<ProductJson<'static>>),
        (status = 400, description = "`unknown_parameter`, `invalid_parameter`, `bad_cursor`"),
        (status = 422, description = "`unknown_category`, `unknown_zone`")))]
pub(in crate::routes) async fn search_products(
    State(app): State<Shared>,
    Query(search): Query<Search>,
) -> Result<Response, Problem> {
    let page = app.metrics.measure(Operation::CatalogSearch, app.store.search(&search)).await?;
    // A cursor is URL-safe text: nothing in it needs escaping.
    let next = page.next.map(|position| position.encode(search.list_id()));
    Ok(dto::ready_json(shown_page(&page.items, next)))
}

/// The orders of a result, for the description only.
#[derive(utoipa::ToSchema)]
#[schema(as = Sort)]
#[allow(dead_code)] // names of the API; the domain has the values
enum SortName {
    #[schema(rename = "price")]
    PriceUp,
    #[schema(rename = "-price")]
    PriceDown,
    #[schema(rename = "newest")]
    Newest,
}

impl ReadQuery for Search {
    const KNOWN: &'static [&'static str] = &[
        "q",
        "category",
        "subcategory",
        "zone",
        "min_price",
        "max_price",
        "sort",
        "limit",
        "cursor",
        "attr.KEY",
    ];

    fn is_known_family(name: &str) -> bool {
        name.strip_prefix("attr.").is_some_and(|key| !key.is_empty())
    }

    fn read(parameters: &Parameters<'_>, app: &Shared) -> Result<Search, Problem> {
        let settings = app.store.settings();
        let category = parameters.one("category")?.map(|name| settings.category(name)).transpose()?;
        let zone = parameters.one("zone")?.map(|name| settings.zone(name)).transpose()?;
        let mut search = filters(parameters)?;
        search.category = category;
        search.zone = zone;
        // The cursor is bound to everything else, so it is read last.
        search.after = parameters.cursor(search.list_id())?;
        Ok(search)
    }
}

/// Everything that needs no knowledge of the store.
fn filters(parameters: &Parameters<'_>) -> Result<Search, Problem> {
    // Punctuation alone asks for nothing in particular.
    let q = parameters.text("q", MAX_Q)?.filter(|q| !words(q).is_empty());
    let min_price = parameters.whole("min_price", 0, Money::MAX_AMOUNT)?;
    let max_price = parameters.whole("max_price", 0, Money::MAX_AMOUNT)?;
    if let (Some(min), Some(max)) = (min_price, max_price)
        && min > max
    {
        return Err(invalid(
            "min_price",
            format!("{min} is above max_price {max}; swap them or leave one out"),
        ));
    }
    let sort = parameters.one_as("sort", |name| {
        Sort::from_name(name)
            .ok_or_else(|| format!("{:?} is no order; choose price, -price or newest", excerpt(name)))
    })?;
    Ok(Search {
        q: q.map(str::to_owned),
        subcategory: parameters.text("subcategory", 64)?.map(str::to_owned),
        min_price,
        max_price,
        attributes: attributes(parameters)?,
        sort: sort.unwrap_or_default(),
        limit: parameters.limit()?,
        ..Search::default()
    })
}

fn attributes(parameters: &Parameters<'_>) -> Result<Vec<(String, String)>, Problem> {
    let wanted: Vec<_> =
        parameters.family("attr.").map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    if wanted.len() > MAX_ATTRIBUTES {
        return Err(invalid("attr", format!("has {} filters; send at most {MAX_ATTRIBUTES}", wanted.len())));
    }
    let too_long = |(key, value): &&(String, String)| key.chars().count() > 64 || value.chars().count() > 256;
    match wanted.iter().find(too_long) {
        Some((key, _)) => Err(invalid(
            "attr",
            format!(
                "{:?} or its value is too long; a key has at most 64 characters, a value 256",
                excerpt(key)
            ),
        )),
        None => Ok(wanted),
    }
}
