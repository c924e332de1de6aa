//! Plans as a run, a person or another machine would get them.

mod journeys;
mod promises;

use std::collections::BTreeMap;

use mworld_placement::diagnostic::{Colour, render};
use mworld_workload::plan::{Act, Arrivals, Planned, Planner};
use mworld_workload::scenario::{Scenario, read, shipped_source};
use mworld_workload::stage::ProductNo;

const TEN_THOUSAND: usize = 10_000;

fn shipped(name: &str) -> Scenario {
    let source = shipped_source(name).expect("it is shipped");
    read(&source).unwrap_or_else(|faults| panic!("{}", render(&faults, Colour::Plain)))
}

fn planner(scenario: &Scenario, seed: u64) -> Planner {
    Planner::new(scenario, seed, Arrivals::of(scenario))
}

fn plan(scenario: &Scenario, seed: u64, count: usize) -> Vec<Planned> {
    planner(scenario, seed).operations().take(count).collect()
}

fn journeys(plan: &[Planned]) -> BTreeMap<u64, Vec<&Planned>> {
    let mut journeys: BTreeMap<u64, Vec<&Planned>> = BTreeMap::new();
    for planned in plan {
        journeys.entry(planned.journey).or_default().push(planned);
    }
    journeys
}

fn product(act: &Act) -> Option<ProductNo> {
    match act {
        Act::Product(product) | Act::Stock(product) | Act::Remove(product) => Some(*product),
        Act::Put { product, .. } | Act::Reprice { product, .. } | Act::Restock { product, .. } => {
            Some(*product)
        }
        _ => None,
    }
}
