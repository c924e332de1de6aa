//! `mworld load plan`: the operations of a scenario, told and not sent.

use mworld_workload::plan::{Act, Arrivals, Buyer, Planned, Planner};
use mworld_workload::scenario::{Cast, Scenario};
use mworld_workload::stage::ProductNo;
use serde::Serialize;

use super::args::Plan;
use super::scenario;
use crate::failure::{Outcome, failed};
use crate::output;

/// Prints the first operations, due as the scenario's own rate and duration say.
pub(crate) fn run(args: &Plan) -> Outcome {
    let scenario = scenario::find(&args.seeded.scenario)?;
    output::json_lines(lines(&scenario, args.seeded.seed, args.count))
        .map_err(|error| failed(format!("the plan cannot be written: {error}; see where the output goes")))
}

fn lines(scenario: &Scenario, seed: u64, count: u64) -> impl Iterator<Item = Line> {
    let cast = scenario.cast(seed);
    let mut planner = Planner::new(scenario, seed, Arrivals::of(scenario));
    (0..count).map(move |n| line(planner.operation(n), &cast))
}

/// One operation. What does not concern it is left out.
#[derive(Debug, Default, Serialize)]
struct Line {
    n: u64,
    at_ms: f64,
    op: &'static str,
    journey: u64,
    buyer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    product: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quantity: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_stock: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_price: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_price: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    price_per_mille: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    units: Option<u32>,
}

fn line(planned: Planned, cast: &Cast) -> Line {
    let (buyer, user) = match planned.buyer {
        Buyer::Guest => ("guest", None),
        Buyer::User(user) => ("user", Some(user.0)),
        Buyer::Operator => ("operator", None),
    };
    let line = Line {
        n: planned.n,
        at_ms: planned.at.as_micros() as f64 / 1_000.0,
        op: planned.act.operation().name(),
        journey: planned.journey,
        buyer,
        user,
        zone: Some(cast.zones[planned.zone.0 as usize].clone()),
        ..Line::default()
    };
    with(line, planned.act, cast)
}

/// The line with what only its operation has.
fn with(line: Line, act: Act, cast: &Cast) -> Line {
    let of = |product: ProductNo, line: Line| Line {
        category: Some(cast.products[product.0 as usize].category.clone()),
        product: Some(product.0),
        ..line
    };
    match act {
        Act::Search(search) => Line {
            category: Some(search.category),
            in_stock: Some(search.in_zone),
            min_price: search.min_price,
            max_price: search.max_price,
            sort: Some(search.sort),
            ..line
        },
        Act::Product(product) | Act::Stock(product) | Act::Remove(product) => of(product, line),
        Act::Put { product, quantity } => of(product, Line { quantity: Some(quantity), ..line }),
        Act::Login(user) => Line { user: Some(user.0), ..line },
        Act::History { limit } => Line { limit: Some(limit), ..line },
        // A price is the same in every zone.
        Act::Reprice { product, per_mille } => {
            of(product, Line { price_per_mille: Some(per_mille), zone: None, ..line })
        }
        Act::Restock { product, units } => of(product, Line { units: Some(units), ..line }),
        Act::Open | Act::Cart | Act::Place | Act::Pay | Act::Cancel | Act::Status => line,
    }
}
