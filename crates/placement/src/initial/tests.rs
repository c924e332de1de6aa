use super::*;
use crate::key::KeyField;
use crate::route::{Constraint, Route};

fn key(fields: &[&str]) -> ShardKey {
    let read = |text: &&str| match text.strip_suffix(":hashed") {
        Some(name) => KeyField { name: name.to_owned(), order: Order::Hashed },
        None => KeyField { name: (*text).to_owned(), order: Order::Ranged },
    };
    ShardKey::new(fields.iter().map(read).collect()).unwrap()
}

fn zone(name: &str, shards: u32, from: &[&str], to: &[&str]) -> ZoneRange {
    let values = |texts: &[&str]| texts.iter().map(|text| Value::from(*text)).collect();
    ZoneRange { name: name.to_owned(), shards, from: values(from), to: values(to) }
}

fn plain(fields: &[&str], shards: u32) -> (RangeMap, Vec<Bent>) {
    initial(&key(fields), &[], &[], shards, &Domain::default())
}

fn shards_of_category(map: &RangeMap, category: &str) -> usize {
    map.route(&[("category", Constraint::Eq(Value::from(category)))]).route.len()
}

#[test]
fn a_leading_hash_gets_two_even_ranges_per_shard() {
    let (map, bent) = plain(&["user_id:hashed"], 4);
    assert_eq!(bent, []);
    let shards: Vec<u32> = map.ranges().iter().map(|range| range.shard.0).collect();
    assert_eq!(shards, [0, 1, 2, 3, 0, 1, 2, 3]);
    let cuts: Vec<&Value> = map.ranges().iter().map(|range| &range.min[0]).collect();
    assert_eq!(*cuts[1], Value::Int(i64::MIN + (1 << 61)));
    assert_eq!(*cuts[4], Value::Int(0));
}

#[test]
fn a_category_alone_lies_on_one_shard_and_a_hash_behind_it_spreads_it() {
    let (whole, _) = plain(&["category"], 4);
    let (ranged, _) = plain(&["category", "product_id"], 4);
    let (spread, _) = plain(&["category", "product_id:hashed"], 4);
    for category in Domain::default().categories {
        assert_eq!(shards_of_category(&whole, &category), 1);
        assert_eq!(shards_of_category(&ranged, &category), 1);
        assert_eq!(shards_of_category(&spread, &category), 4);
    }
    assert_eq!(whole.owners().len(), 4, "each category on a shard of its own");
}

#[test]
fn the_range_below_the_first_category_uses_up_no_turn() {
    let (map, _) = plain(&["category"], 4);
    let shards: Vec<u32> = map.ranges().iter().map(|range| range.shard.0).collect();
    assert_eq!(shards, [0, 0, 1, 2, 3]);
}

#[test]
fn shards_that_a_key_cannot_fill_are_named() {
    let (map, bent) = plain(&["category"], 6);
    assert_eq!(map.owners().len(), 4);
    assert_eq!(bent, [Bent::IdleShards(vec![ShardId(4), ShardId(5)])]);
    assert_eq!(bent[0].to_string(), "the key gives too few ranges to begin with: shards 4, 5 stay empty");

    let (one, bent) = plain(&["user_id"], 3);
    assert_eq!(one.ranges().len(), 1);
    assert_eq!(bent, [Bent::IdleShards(vec![ShardId(1), ShardId(2)])]);
}

#[test]
fn price_bands_cut_the_hash_of_each_category_at_its_prices() {
    let prices = [Value::Int(3_000_000), Value::Int(7_000_000)];
    let splits: Vec<Vec<Value>> =
        prices.iter().map(|price| vec![Value::from("electronics"), price.clone()]).collect();
    let (map, _) = initial(&key(&["category:hashed", "price"]), &splits, &[], 4, &Domain::default());
    let electronics = Value::Int(hashed(&Value::from("electronics")));
    let bands = map.ranges().iter().filter(|range| range.min[0] == electronics).count();
    assert_eq!(bands, 3);
    assert_eq!(shards_of_category(&map, "electronics"), 3);
    assert_eq!(shards_of_category(&map, "audio"), 1);
    let cheap = map.route(&[
        ("category", Constraint::Eq(Value::from("electronics"))),
        ("price", Constraint::Range { min: None, max: Some(Value::Int(2_999_999)) }),
    ]);
    assert_eq!(cheap.route.len(), 1);
}

#[test]
fn zones_keep_to_their_shards_and_the_rest_spreads() {
    let zones = [zone("msk", 2, &["msk"], &["msk~"]), zone("spb", 1, &["spb"], &["spb~"])];
    let fields = ["geo_zone", "category", "product_id:hashed"];
    let (map, bent) = initial(&key(&fields), &[], &zones, 4, &Domain::default());
    assert_eq!(bent, []);
    let route = |geo_zone: &str| map.route(&[("geo_zone", Constraint::Eq(Value::from(geo_zone)))]).route;
    assert_eq!(route("msk").shards().collect::<Vec<_>>(), [ShardId(0), ShardId(1)]);
    assert_eq!(route("spb"), Route::One(ShardId(2)));
    assert_eq!(route("kln").len(), 4);
}

#[test]
fn a_zone_cut_in_three_is_one_zone_and_its_middle_lies_elsewhere() {
    let zones = [
        zone("msk", 1, &["msk"], &["msk", "electronics"]),
        zone("msk_electronics", 2, &["msk", "electronics"], &["msk", "electronics~"]),
        zone("msk", 1, &["msk", "electronics~"], &["msk~"]),
    ];
    let fields = ["geo_zone", "category", "product_id:hashed"];
    let domain =
        Domain { categories: vec!["audio".into(), "electronics".into(), "tv".into()], ..Domain::default() };
    let (map, bent) = initial(&key(&fields), &[], &zones, 3, &domain);
    assert_eq!(bent, []);
    let shards = |category: &str| {
        let known = [
            ("geo_zone", Constraint::Eq(Value::from("msk"))),
            ("category", Constraint::Eq(Value::from(category))),
        ];
        map.route(&known).route.shards().map(|shard| shard.0).collect::<Vec<_>>()
    };
    assert_eq!(shards("audio"), [0]);
    assert_eq!(shards("electronics"), [1, 2]);
    assert_eq!(shards("tv"), [0]);
}

#[test]
fn too_few_shards_are_shared_between_zones_and_it_is_said() {
    let zones = [zone("msk", 2, &["msk"], &["msk~"]), zone("spb", 1, &["spb"], &["spb~"])];
    let (map, bent) = initial(&key(&["geo_zone", "category"]), &[], &zones, 2, &Domain::default());
    assert_eq!(bent, [Bent::ZonesShareShards { wanted: 3, shards: 2 }]);
    let spb = map.route(&[("geo_zone", Constraint::Eq(Value::from("spb")))]).route;
    assert_eq!(spb, Route::One(ShardId(0)));
}

#[test]
fn what_lies_between_a_zone_and_the_next_value_uses_up_no_turn() {
    let zones = [zone("ekb", 1, &["ekb"], &["ekb~"])];
    let (map, _) = initial(&key(&["geo_zone"]), &[], &zones, 3, &Domain::default());
    let of = |geo_zone: &str| map.shard_of(&[Value::from(geo_zone)]).0;
    assert_eq!(["ekb", "kln", "msk", "spb"].map(of), [0, 0, 1, 2]);
}

#[test]
fn any_number_of_shards_makes_a_map() {
    for fields in [&["user_id:hashed"][..], &["category", "product_id:hashed"], &["category:hashed", "price"]]
    {
        for shards in [0, 1, 2, 3, 7, 64, 1000] {
            let (map, _) = plain(fields, shards);
            assert!(map.owners().iter().all(|shard| shard.0 < shards.max(1)));
        }
    }
}
