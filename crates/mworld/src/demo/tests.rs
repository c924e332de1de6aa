use std::collections::HashSet;

use mworld_shop::{Category, Named, Settings, Zone};
use sha2::{Digest, Sha256};

use super::*;

fn catalogue(seed: u64, count: u64, settings: &Settings) -> Vec<(ProductId, ProductDraft)> {
    let demo = Demo::new(seed, settings);
    (0..count).map(|n| demo.product(n)).collect()
}

#[test]
fn one_seed_always_gives_the_same_bytes() {
    let settings = Settings::default();
    let mut hasher = Sha256::new();
    for product in catalogue(SEED, 1_000, &settings) {
        hasher.update(format!("{product:?}"));
    }
    let digest: String = hasher.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    // A change of this number means that every stored demo catalogue and every comparison against one is void.
    assert_eq!(digest, "cafd2d8ecaf6ef80");
    assert_ne!(catalogue(1, 10, &settings), catalogue(2, 10, &settings));
}

#[test]
fn a_larger_catalogue_begins_with_the_smaller_one() {
    let settings = Settings::default();
    assert_eq!(catalogue(SEED, 500, &settings)[..100], catalogue(SEED, 100, &settings));
}

#[test]
fn every_product_keeps_the_shops_rules_and_no_two_share_a_name_or_an_id() {
    let settings = Settings::default();
    let products = catalogue(SEED, 10_000, &settings);
    for (id, draft) in &products {
        draft.check(&settings).unwrap_or_else(|error| panic!("{id} {}: {error}", draft.name));
        assert!((4..=8).contains(&draft.attributes.len()), "{:?}", draft.attributes);
        assert_eq!(id.uuid().get_version_num(), 7);
    }
    let names: HashSet<&str> = products.iter().map(|(_, draft)| draft.name.as_str()).collect();
    let ids: HashSet<ProductId> = products.iter().map(|(id, _)| *id).collect();
    assert_eq!((names.len(), ids.len()), (10_000, 10_000));
}

#[test]
fn prices_crowd_round_fifty_thousand_roubles() {
    let products = catalogue(SEED, 10_000, &Settings::default());
    let mut roubles: Vec<i64> = products.iter().map(|(_, draft)| draft.price.amount() / 100).collect();
    roubles.sort_unstable();
    let median = roubles[roubles.len() / 2];
    assert!((45_000..=55_000).contains(&median), "median {median}");
    let near = roubles.iter().filter(|price| (30_000..=80_000).contains(*price)).count();
    assert!(near > 6_500, "{near} of 10,000 near the middle");
    assert!(roubles[0] < 3_000 && roubles[9_999] > 120_000, "{} to {}", roubles[0], roubles[9_999]);
}

#[test]
fn both_alphabets_all_categories_and_all_zones_are_there() {
    let settings = Settings::default();
    let products = catalogue(SEED, 2_000, &settings);
    let cyrillic = |text: &str| text.chars().any(|c| ('а'..='я').contains(&c));
    let russian = products.iter().filter(|(_, draft)| cyrillic(&draft.name)).count();
    assert!((1_500..1_800).contains(&russian), "{russian} Russian names");
    assert!(products.iter().all(|(_, draft)| cyrillic(&draft.description)));
    for category in &settings.categories {
        assert!(products.iter().any(|(_, draft)| draft.category == category.id), "{}", category.id);
    }
    let in_zone = |zone: &str| -> u64 {
        let stock = products.iter().flat_map(|(_, draft)| draft.stock.iter().flatten());
        stock.filter(|stock| stock.zone.as_str() == zone).map(|stock| u64::from(stock.quantity)).sum()
    };
    assert!(in_zone("msk") > in_zone("spb") && in_zone("spb") > 2 * in_zone("ekb") && in_zone("kln") > 0);
    let empty =
        products.iter().flat_map(|(_, draft)| draft.stock.iter().flatten()).filter(|s| s.quantity == 0);
    assert!(empty.count() > 100, "some shelves are empty");
}

#[test]
fn a_store_with_its_own_zones_and_categories_gets_a_demo_too() {
    let settings = Settings {
        zones: vec![Named { id: Zone::new("kzn").unwrap(), name: "Казань".to_owned() }],
        categories: vec![
            Named { id: Category::new("phones").unwrap(), name: "Телефоны".to_owned() },
            Named { id: Category::new("audio").unwrap(), name: "Звук".to_owned() },
        ],
        ..Settings::default()
    };
    for (_, draft) in catalogue(SEED, 200, &settings) {
        draft.check(&settings).unwrap();
    }
}
