//! Plans as a run, a person or another machine would get them.

use std::collections::{BTreeMap, BTreeSet};

use mworld_placement::diagnostic::{Colour, render};
use mworld_shop::Operation;
use mworld_shop::Settings;
use mworld_workload::plan::{Act, Arrivals, Buyer, Planned, Planner};
use mworld_workload::scenario::{Scenario, read, shipped_names, shipped_source};
use mworld_workload::stage::ProductNo;
use proptest::prelude::*;

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

#[test]
fn an_operation_follows_from_scenario_seed_and_number_alone() {
    let scenario = shipped("black-friday");
    let whole = plan(&scenario, 7, 25_000);
    let mut backwards = planner(&scenario, 7);
    for n in [24_999, 10_000, 9_999, 20_123, 0] {
        assert_eq!(backwards.operation(n as u64), whole[n], "{n}");
    }
    assert_eq!(plan(&scenario, 7, 12_345), whole[..12_345]);
    assert_ne!(plan(&scenario, 8, 1_000), whole[..1_000]);
    // Another rate moves the moments and nothing else.
    let faster = Arrivals::new(&scenario, scenario.rate * 2.0, scenario.duration);
    let faster: Vec<Planned> = Planner::new(&scenario, 7, faster).operations().take(1_000).collect();
    assert!(faster.iter().zip(&whole).all(|(a, b)| a.act == b.act && a.journey == b.journey && a.at < b.at));
}

#[test]
fn ten_thousand_operations_hold_the_mix_exactly() {
    for name in shipped_names() {
        let scenario = shipped(name);
        let mut seen: BTreeMap<Operation, usize> = BTreeMap::new();
        for planned in plan(&scenario, 3, 2 * TEN_THOUSAND) {
            *seen.entry(planned.act.operation()).or_default() += 1;
        }
        for operation in Operation::ALL {
            let count = seen.get(operation).copied().unwrap_or_default();
            assert_eq!(count, 2 * scenario.mix.of_ten_thousand(*operation), "{name} {operation}");
        }
    }
}

#[test]
fn the_shipped_scenarios_are_what_they_promise_and_fit_a_new_store() {
    let settings = Settings::default();
    for name in shipped_names() {
        let scenario = shipped(name);
        assert_eq!(scenario.name, name);
        assert!(!scenario.about.is_empty() && !scenario.curve.is_empty(), "{name}");
        for zone in &scenario.zones {
            assert!(settings.zone(&zone.name).is_ok(), "{name} {}", zone.name);
        }
        for category in &scenario.categories {
            assert!(settings.category(&category.name).is_ok(), "{name} {}", category.name);
        }
    }
    let mix = shipped("black-friday").mix;
    assert!(mix.of_ten_thousand(Operation::OrderPlace) >= 500);
    assert!(mix.of_ten_thousand(Operation::CartGet) >= 1_000);
    assert!(mix.of_ten_thousand(Operation::SessionLogin) <= 100);
}

#[test]
fn a_short_run_has_its_orders_too() {
    // The first journeys must begin before they can end in an order, which a run of a few seconds must not notice.
    let short = plan(&shipped("black-friday"), 1, 2_000);
    let share =
        |operation| short.iter().filter(|planned| planned.act.operation() == operation).count() * 100 / 2_000;
    assert!(share(Operation::OrderPlace) >= 5, "{}", share(Operation::OrderPlace));
    assert!(share(Operation::CartGet) >= 10, "{}", share(Operation::CartGet));
}

#[test]
fn seven_of_ten_requests_on_a_black_friday_are_for_electronics() {
    for (name, wanted) in [("black-friday", 70.0), ("flash-sale", 70.0), ("calm-day", 40.0)] {
        let scenario = shipped(name);
        let products = scenario.cast(5).products;
        let plan = plan(&scenario, 5, 3 * TEN_THOUSAND);
        let of: Vec<&str> = plan
            .iter()
            .filter_map(|planned| match &planned.act {
                Act::Search(search) => Some(search.category.as_str()),
                act => product(act).map(|product| products[product.0 as usize].category.as_str()),
            })
            .collect();
        let share =
            of.iter().filter(|category| **category == "electronics").count() as f64 * 100.0 / of.len() as f64;
        assert!((share - wanted).abs() < 1.5, "{name}: {share} % of {}", of.len());
    }
}

#[test]
fn the_hot_phone_takes_a_tenth_of_the_purchases() {
    let scenario = shipped("flash-sale");
    let products = scenario.cast(9).products;
    let hot = ProductNo(products.len() as u32 - 1);
    assert_eq!(products[hot.0 as usize].category, "electronics");
    let plan = plan(&scenario, 9, TEN_THOUSAND);
    let puts: Vec<ProductNo> = plan
        .iter()
        .filter_map(|p| if let Act::Put { product, .. } = p.act { Some(product) } else { None })
        .collect();
    assert_eq!(puts.iter().filter(|product| **product == hot).count() * 10, puts.len());
    let mut orders = 0;
    let mut with_hot = 0;
    for steps in journeys(&plan).values().filter(|steps| steps.iter().any(|step| step.act == Act::Place)) {
        orders += 1;
        let put = |step: &&Planned| matches!(step.act, Act::Put { product, .. } if product == hot);
        with_hot += usize::from(steps.iter().any(put));
    }
    assert!((orders / 10..orders / 7).contains(&with_hot), "{with_hot} of {orders}");
}

#[test]
fn a_few_wholesale_buyers_take_most_of_the_goods() {
    let scenario = shipped("wholesale");
    let buyers = scenario.people.wholesale.as_ref().expect("it has them").accounts;
    let plan = plan(&scenario, 2, TEN_THOUSAND);
    let places = |wanted: &dyn Fn(u32) -> bool| {
        let by = |step: &&Planned| matches!(step.buyer, Buyer::User(user) if wanted(user.0));
        plan.iter().filter(|step| step.act == Act::Place).filter(by).count()
    };
    assert_eq!(places(&|user| user < buyers), scenario.mix.of_ten_thousand(Operation::OrderPlace) * 70 / 100);
    let mut units = [0_u64; 2];
    for step in &plan {
        if let (Act::Put { quantity, .. }, Buyer::User(user)) = (&step.act, step.buyer) {
            units[usize::from(user.0 < buyers)] += u64::from(*quantity);
        }
    }
    assert!(units[1] > 20 * units[0], "{units:?}");
}

#[test]
fn set_up_is_told_what_to_make() {
    for name in shipped_names() {
        let scenario = shipped(name);
        let cast = scenario.cast(4);
        assert_eq!(cast, scenario.cast(4));
        let names: BTreeSet<&str> = cast.products.iter().map(|product| product.name.as_str()).collect();
        assert_eq!(names.len(), cast.products.len(), "{name}: every name once");
        for product in &cast.products {
            assert_eq!(product.stock.len(), cast.zones.len());
            let part =
                scenario.categories.iter().find(|part| part.name == product.category).expect("its category");
            assert!((part.price[0]..=part.price[1]).contains(&product.price), "{product:?}");
        }
        assert_eq!(cast.products[0].stock.iter().sum::<u32>(), scenario.products.stock, "{name}");
    }
}

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
