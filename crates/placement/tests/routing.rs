//! What routing promises for every map and every call: the record that is meant lies where the router looks.

use mworld_placement::{
    Constraint, KeyField, Order, Range, RangeMap, Reason, Route, ShardId, ShardKey, Value, composite_value,
    hashed,
};
use proptest::prelude::*;

const FIELDS: [&str; 3] = ["a", "b", "c"];

/// Few distinct values, so that bounds, records and constraints often meet.
fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        (-3_i64..4).prop_map(Value::Int),
        "[a-d]{0,2}".prop_map(Value::Str),
        any::<bool>().prop_map(Value::Bool),
    ]
}

fn key() -> impl Strategy<Value = ShardKey> {
    (1..=FIELDS.len(), proptest::option::of(0..FIELDS.len())).prop_map(|(width, hashed_at)| {
        let order = |at| if hashed_at == Some(at) { Order::Hashed } else { Order::Ranged };
        let field = |at: usize| KeyField { name: FIELDS[at].to_owned(), order: order(at) };
        ShardKey::new((0..width).map(field).collect()).expect("fields differ and at most one is hashed")
    })
}

fn map() -> impl Strategy<Value = RangeMap> {
    let bound =
        || proptest::collection::vec(prop_oneof![4 => value(), 1 => Just(Value::MinKey)], FIELDS.len());
    let cuts = proptest::collection::btree_set(bound(), 0..12);
    (key(), cuts, proptest::collection::vec(0_u32..5, 13)).prop_map(|(key, cuts, shards)| {
        let place = |(field, value): (&KeyField, &Value)| match (field.order, value) {
            (Order::Hashed, Value::MinKey) | (Order::Ranged, _) => value.clone(),
            (Order::Hashed, raw) => Value::Int(hashed(raw)),
        };
        let mut mins: Vec<Vec<Value>> =
            cuts.iter().map(|cut| key.fields().iter().zip(cut).map(place).collect()).collect();
        mins.push(vec![Value::MinKey; key.fields().len()]);
        mins.sort();
        mins.dedup();
        let range = |(min, shard)| Range { min, shard: ShardId(shard) };
        let ranges = mins.into_iter().zip(shards).map(range).collect();
        RangeMap::from_parts(key, ranges).expect("sorted and begun at the lowest key")
    })
}

/// A constraint that this value satisfies, or none.
fn satisfied_by(value: Value) -> impl Strategy<Value = Option<Constraint>> {
    let with_others = (Just(value.clone()), proptest::collection::vec(self::value(), 0..4));
    let ends =
        (Just(value.clone()), proptest::option::of(self::value()), proptest::option::of(self::value()));
    prop_oneof![
        1 => Just(None),
        2 => Just(Some(Constraint::Eq(value))),
        2 => with_others.prop_map(|(value, mut values)| {
            values.push(value);
            Some(Constraint::In(values))
        }),
        2 => ends.prop_map(|(value, min, max)| {
            let min = min.map(|min| min.min(value.clone()));
            let max = max.map(|max| max.max(value));
            Some(Constraint::Range { min, max })
        }),
    ]
}

fn record_and_constraints() -> impl Strategy<Value = (Vec<Value>, Vec<Option<Constraint>>)> {
    proptest::collection::vec(value(), FIELDS.len()).prop_flat_map(|record| {
        let constraints: Vec<_> = record.iter().cloned().map(satisfied_by).collect();
        (Just(record), constraints)
    })
}

fn known(constraints: Vec<Option<Constraint>>) -> Vec<(&'static str, Constraint)> {
    FIELDS.into_iter().zip(constraints).filter_map(|(field, known)| Some((field, known?))).collect()
}

proptest! {
    #[test]
    fn every_key_lies_in_exactly_one_range(map in map(), record in proptest::collection::vec(value(), 3)) {
        let record = &record[..map.key().fields().len()];
        let placed = map.placed(record);
        let holds = |at: &usize| {
            let next = map.ranges().get(at + 1);
            map.ranges()[*at].min <= placed && next.is_none_or(|next| placed < next.min)
        };
        let holders: Vec<usize> = (0..map.ranges().len()).filter(holds).collect();
        prop_assert_eq!(holders, vec![map.range_of(record)]);
    }

    #[test]
    fn a_record_lies_where_the_router_looks(map in map(), (record, constraints) in record_and_constraints()) {
        let known = known(constraints);
        let routed = map.route(&known);
        let shard = map.shard_of(&record[..map.key().fields().len()]);
        prop_assert!(routed.route.shards().any(|asked| asked == shard), "{shard} not in {routed:?} for {known:?}");
    }

    #[test]
    fn a_route_says_one_some_or_all_as_it_is(map in map(), (_, constraints) in record_and_constraints()) {
        let routed = map.route(&known(constraints));
        let shards: Vec<ShardId> = routed.route.shards().collect();
        prop_assert!(shards.is_sorted() && shards.len() == routed.route.len());
        prop_assert!(shards.iter().all(|shard| map.owners().contains(shard)));
        match routed.route {
            Route::One(_) => prop_assert_eq!(shards.len(), 1),
            Route::All(_) => prop_assert!(shards.len() > 1 && shards[..] == map.owners()[..]),
            Route::Some(_) => prop_assert!(shards.len() != 1 && shards.len() < map.owners().len()),
        }
    }

    #[test]
    fn a_whole_key_is_one_shard(map in map(), record in proptest::collection::vec(value(), 3)) {
        let known = known(record.iter().cloned().map(|value| Some(Constraint::Eq(value))).collect());
        let routed = map.route(&known);
        prop_assert_eq!(routed.route, Route::One(map.shard_of(&record[..map.key().fields().len()])));
    }

    #[test]
    fn a_hashed_key_orders_records_by_their_hash(a in value(), b in value(), cut in value()) {
        let cut = hashed(&cut);
        let ranges = vec![
            Range { min: vec![Value::MinKey], shard: ShardId(0) },
            Range { min: vec![Value::Int(cut)], shard: ShardId(1) },
        ];
        let map = RangeMap::from_parts(ShardKey::hashed("a"), ranges).unwrap();
        for value in [a, b] {
            let expected = ShardId(u32::from(hashed(&value) >= cut));
            prop_assert_eq!(map.shard_of(&[value]), expected);
        }
    }
}

fn four_by(fields: &[(&str, Order)], cuts: [Vec<Value>; 3]) -> RangeMap {
    let field = |(name, order): &(&str, Order)| KeyField { name: (*name).to_owned(), order: *order };
    let key = ShardKey::new(fields.iter().map(field).collect()).expect("fields differ");
    let lowest = vec![Value::MinKey; fields.len()];
    let mins = std::iter::once(lowest).chain(cuts);
    let ranges = mins.zip(0..).map(|(min, shard)| Range { min, shard: ShardId(shard) }).collect();
    RangeMap::from_parts(key, ranges).expect("the cuts ascend")
}

fn by_a_and_b() -> RangeMap {
    let cut = |a: i64, b: i64| vec![Value::Int(a), Value::Int(b)];
    four_by(&[("a", Order::Ranged), ("b", Order::Ranged)], [cut(1, 5), cut(2, 5), cut(3, 5)])
}

fn shards(map: &RangeMap, known: &[(&str, Constraint)]) -> Vec<u32> {
    map.route(known).route.shards().map(|shard| shard.0).collect()
}

fn eq(value: i64) -> Constraint {
    Constraint::Eq(Value::Int(value))
}

fn between(min: i64, max: i64) -> Constraint {
    Constraint::Range { min: Some(Value::Int(min)), max: Some(Value::Int(max)) }
}

#[test]
fn values_after_a_list_still_narrow_but_a_second_list_only_gives_its_ends() {
    let map = by_a_and_b();
    let a = || Constraint::In(vec![Value::Int(1), Value::Int(3)]);
    assert_eq!(shards(&map, &[("a", a()), ("b", eq(7))]), [1, 3]);
    let b = Constraint::In(vec![Value::Int(4), Value::Int(7)]);
    assert_eq!(shards(&map, &[("a", a()), ("b", b)]), [0, 1, 2, 3]);
}

#[test]
fn what_follows_a_range_only_moves_its_ends() {
    let map = by_a_and_b();
    assert_eq!(shards(&map, &[("a", between(1, 2)), ("b", eq(4))]), [0, 1]);
    assert_eq!(shards(&map, &[("a", between(1, 2)), ("b", eq(5))]), [1, 2]);
}

#[test]
fn a_value_named_twice_is_one_value() {
    let twice = Constraint::In(vec![Value::Int(1), Value::Double(1.0)]);
    assert_eq!(by_a_and_b().route(&[("a", twice), ("b", eq(7))]).reason, Reason::WholeKey);
}

#[test]
fn without_the_first_field_everything_is_asked() {
    let routed = by_a_and_b().route(&[("b", eq(1))]);
    assert_eq!((routed.route.len(), routed.reason), (4, Reason::FirstFieldUnknown));
}

#[test]
fn a_range_over_a_hash_narrows_nothing_and_a_value_does() {
    let cut = |part: i64| vec![Value::Int(part)];
    let map = four_by(&[("a", Order::Hashed)], [cut(-1 << 62), cut(0), cut(1 << 62)]);
    let routed = map.route(&[("a", between(1, 1))]);
    assert_eq!((routed.route.len(), routed.reason), (4, Reason::RangeOverHash));
    assert_eq!(map.route(&[("a", eq(1))]).route.len(), 1);
}

#[test]
fn what_cannot_match_is_asked_nowhere() {
    let map = by_a_and_b();
    for impossible in [Constraint::In(vec![]), between(2, 1)] {
        let routed = map.route(&[("a", impossible)]);
        assert!(routed.route.is_empty());
        assert_eq!(routed.reason, Reason::NothingMatches);
    }
}

#[test]
fn a_composite_field_is_known_when_all_its_parts_are() {
    let cut = |part: i64| vec![Value::Int(part)];
    let map = four_by(&[("a+b", Order::Hashed)], [cut(-1 << 62), cut(0), cut(1 << 62)]);
    let routed = map.route(&[("a", eq(1)), ("b", eq(2))]);
    let home = map.shard_of(&[composite_value(&[Value::Int(1), Value::Int(2)])]);
    assert_eq!(routed.route, Route::One(home));
    assert_eq!(map.route(&[("a", eq(1))]).route.len(), 4);
    let several = Constraint::In((0..50).map(Value::Int).collect());
    assert_eq!(map.route(&[("a", several), ("b", eq(2))]).route.len(), 4);
}

#[test]
fn a_very_long_list_is_taken_as_a_range() {
    let map = by_a_and_b();
    let long = Constraint::In((0..10_000).map(|n| Value::Double(f64::from(n) / 10_000.0 + 1.5)).collect());
    assert_eq!(shards(&map, &[("a", long), ("b", eq(9))]), [1, 2]);
}

#[test]
fn reasons_name_the_key() {
    let map = by_a_and_b();
    let why = |known: &[(&str, Constraint)]| map.route(known).reason.of(map.key()).to_string();
    assert_eq!(why(&[]), "the call does not know a, with which {a: 1, b: 1} begins");
    assert_eq!(why(&[("a", eq(1))]), "the call knows a, with which {a: 1, b: 1} begins");
    assert_eq!(why(&[("a", eq(1)), ("b", eq(1))]), "the call knows every field of {a: 1, b: 1}");
}
