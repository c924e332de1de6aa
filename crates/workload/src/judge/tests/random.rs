//! An honest shop is never accused, whatever the weather.

use proptest::prelude::*;

use crate::judge::judge;

use super::world::{Weather, run};

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn an_honest_shop_is_never_accused(
        seed: u64,
        calls in 20_usize..400,
        lost in 0_u32..40,
        deaths in 0_u32..4,
        products in 1_u32..5,
        users in 1_u32..4,
        slowest in prop_oneof![Just(20_000_u64), Just(500_000), Just(3_000_000)],
    ) {
        let evidence = run(seed, Weather { calls, lost, deaths, products, users, slowest });
        let verdict = judge(&evidence);
        prop_assert!(verdict.ok, "{:#?}", verdict.violations);
        prop_assert!(verdict.checked > 0);
    }
}

/// A long run of a busy shop, in which every rule has something to look at.
#[test]
fn every_rule_is_at_work() {
    let weather = Weather { calls: 3_000, lost: 5, deaths: 3, products: 8, users: 6, slowest: 500_000 };
    let evidence = run(1, weather);
    let verdict = judge(&evidence);
    assert!(verdict.ok, "{:#?}", verdict.violations);
    for (rule, checked) in &verdict.rules {
        assert!(*checked > 100, "{rule} checked {checked} facts only");
    }
}
