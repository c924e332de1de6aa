//! What a plan and the shipped scenarios promise.

use std::collections::{BTreeMap, BTreeSet};

use mworld_shop::{Operation, Settings};
use mworld_workload::plan::{Act, Arrivals, Buyer, Planned, Planner};
use mworld_workload::scenario::shipped_names;
use mworld_workload::stage::ProductNo;

use crate::{TEN_THOUSAND, journeys, plan, planner, product, shipped};

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
