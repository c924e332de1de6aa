//! Journeys that can be walked, whatever the seed and the mix.

use std::collections::BTreeSet;

use mworld_placement::diagnostic::{Colour, render};
use mworld_placement::layout::Source;
use mworld_shop::Operation;
use mworld_workload::plan::{Act, Buyer, Planned};
use mworld_workload::scenario::{Scenario, read, shipped_names, shipped_source};
use proptest::prelude::*;

use crate::{TEN_THOUSAND, journeys, plan, planner, product, shipped};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn journeys_are_well_formed(name in proptest::sample::select(shipped_names()), seed: u64, block in 0_u64..1_000_000) {
        let scenario = shipped(name);
        let cast = scenario.cast(seed);
        let mut planner = planner(&scenario, seed);
        let first = block * TEN_THOUSAND as u64;
        let plan: Vec<Planned> = (first..first + TEN_THOUSAND as u64).map(|n| planner.operation(n)).collect();
        prop_assert!(plan.is_sorted_by_key(|planned| planned.at));
        for (journey, steps) in journeys(&plan) {
            prop_assert_eq!(journey / TEN_THOUSAND as u64, block, "no journey leaves its block");
            if let Err(why) = well_formed(&steps) {
                prop_assert!(false, "{}: {:#?}", why, steps);
            }
        }
        for planned in &plan {
            let known = product(&planned.act).is_none_or(|product| (product.0 as usize) < cast.products.len());
            let user = |user: u32| user < cast.users;
            let users = match (&planned.act, planned.buyer) {
                (Act::Login(to), _) => user(to.0),
                (_, Buyer::User(by)) => user(by.0),
                _ => true,
            };
            prop_assert!(known && users && (planned.zone.0 as usize) < cast.zones.len(), "{:?}", planned);
        }
    }
}

/// A calm day with another mix, in hundredths of a percent; searches fill it up.
fn mixed(mix: &[(Operation, u32)], guests: u32) -> Scenario {
    let text = shipped_source("calm-day").expect("it is shipped").text;
    let (before, rest) = text.split_once("[mix]").expect("it has a mix");
    let (_, after) = rest.split_once("[categories]").expect("and categories behind it");
    let said: u32 = mix.iter().map(|(_, share)| share).sum();
    let lines: String = mix
        .iter()
        .chain(&[(Operation::CatalogSearch, 10_000 - said)])
        .map(|(operation, share)| format!("\"{operation}\" = {}\n", f64::from(*share) / 100.0))
        .collect();
    let text = format!("{before}[mix]\n{lines}[categories]{after}")
        .replace("guests    = 50", &format!("guests    = {guests}"));
    read(&Source::new("mixed.toml", text))
        .unwrap_or_else(|faults| panic!("{}", render(&faults, Colour::Plain)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn of_any_mix_that_is_not_refused_whole_journeys_are_made(
        place in 0_u32..1_000,
        more_puts in 0_u32..1_000,
        parts in proptest::collection::vec(0_u32..=100, 5),
        others in proptest::collection::vec(0_u32..600, 7),
        open in 0_u32..1_000,
        guests in 0_u32..=100,
    ) {
        let part = |whole: u32, part: usize| whole * parts[part] / 100;
        let mix = [
            (Operation::OrderPlace, place),
            (Operation::CartPut, place + more_puts),
            (Operation::CartRemove, part(more_puts, 0)),
            (Operation::OrderAdvance, part(place, 1)),
            (Operation::OrderCancel, part(place, 2)),
            (Operation::OrderStatus, if place == 0 { 0 } else { others[0] }),
            (Operation::SessionOpen, open),
            (Operation::SessionLogin, part(open, 3)),
            (Operation::OrderHistory, others[1]),
            (Operation::CartGet, others[2]),
            (Operation::CatalogStock, others[3]),
            (Operation::CatalogUpsert, others[4]),
            (Operation::CatalogAdjust, others[5]),
            (Operation::CatalogProduct, others[6]),
        ];
        let scenario = mixed(&mix, if open == 0 { 0 } else { guests });
        let plan = plan(&scenario, u64::from(place), TEN_THOUSAND);
        for (operation, share) in mix {
            let count = plan.iter().filter(|planned| planned.act.operation() == operation).count();
            prop_assert_eq!(count, share as usize, "{}", operation);
        }
        for steps in journeys(&plan).values() {
            prop_assert_eq!(well_formed(steps), Ok(()), "{:#?}", steps);
        }
    }
}

#[test]
fn one_operation_may_be_all_there_is() {
    for (operation, guests) in [
        (Operation::CartGet, 0),
        (Operation::SessionOpen, 100),
        (Operation::OrderHistory, 0),
        (Operation::CatalogAdjust, 0),
    ] {
        let plan = plan(&mixed(&[(operation, 10_000)], guests), 1, TEN_THOUSAND);
        assert!(plan.iter().all(|planned| planned.act.operation() == operation), "{operation}");
    }
}

/// Why a journey could not be walked, if it could not.
fn well_formed(steps: &[&Planned]) -> Result<(), &'static str> {
    let (mut cart, mut ever_put) = (BTreeSet::new(), BTreeSet::new());
    let mut buyer = steps[0].buyer;
    let (mut placed, mut paid, mut cancelled) = (false, false, false);
    let ensure = |holds: bool, why| if holds { Ok(()) } else { Err(why) };
    for (place, step) in steps.iter().enumerate() {
        ensure(step.buyer == buyer, "the session is the one that the step before left")?;
        ensure(step.zone == steps[0].zone, "a journey stays in its zone")?;
        ensure(
            (place == 0) == (step.act == Act::Open) || buyer != Buyer::Guest,
            "a guest opens first, and once",
        )?;
        let is_users = matches!(buyer, Buyer::User(_));
        match &step.act {
            Act::Open => ensure(place == 0 && buyer == Buyer::Guest, "only a guest opens")?,
            Act::Login(user) => {
                ensure(buyer == Buyer::Guest, "only a guest logs in")?;
                buyer = Buyer::User(*user);
            }
            Act::Put { product, quantity } => {
                ensure((1..=999).contains(quantity), "a cart takes so many")?;
                cart.insert(*product);
                ever_put.insert(*product);
            }
            Act::Remove(product) => {
                ensure(ever_put.contains(product), "what is removed was put")?;
                cart.remove(product);
            }
            Act::Place => {
                ensure(is_users && !placed && !cart.is_empty(), "a user's filled cart is checked out, once")?;
                placed = true;
            }
            Act::Pay => {
                ensure(
                    placed && !paid && !cancelled,
                    "what is placed is paid, once, before it is cancelled",
                )?;
                paid = true;
            }
            Act::Cancel => {
                ensure(placed && !cancelled, "what is placed is cancelled, once")?;
                cancelled = true;
            }
            Act::Status => ensure(placed, "there is an order to ask for")?,
            Act::History { .. } => ensure(is_users, "only users have a history")?,
            Act::Reprice { .. } | Act::Restock { .. } => {
                ensure(buyer == Buyer::Operator && steps.len() == 1, "the operator's errands stand alone")?;
            }
            Act::Search(_) | Act::Product(_) | Act::Stock(_) | Act::Cart => {}
        }
    }
    Ok(())
}
