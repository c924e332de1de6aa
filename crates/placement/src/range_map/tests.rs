use super::*;
use crate::key::KeyField;

fn category_and_hash() -> ShardKey {
    let category = KeyField { name: "category".to_owned(), order: Order::Ranged };
    let product = KeyField { name: "product_id".to_owned(), order: Order::Hashed };
    ShardKey::new(vec![category, product]).unwrap()
}

fn range(min: &[Value; 2], shard: u32) -> Range {
    Range { min: min.to_vec(), shard: ShardId(shard) }
}

fn three_ranges() -> RangeMap {
    let ranges = vec![
        range(&[Value::MinKey, Value::MinKey], 0),
        range(&[Value::from("audio"), Value::MinKey], 1),
        range(&[Value::from("audio"), Value::Int(0)], 2),
    ];
    RangeMap::from_parts(category_and_hash(), ranges).unwrap()
}

#[test]
fn a_key_lies_in_the_last_range_that_begins_at_or_before_it() {
    let map = three_ranges();
    // The hash of 5 is positive, that of ObjectId(0) is negative.
    let positive = Value::Int(5);
    let negative = Value::ObjectId([0; 12]);
    assert_eq!(map.shard_of(&[Value::from("appliances"), positive.clone()]), ShardId(0));
    assert_eq!(map.shard_of(&[Value::from("audio"), negative]), ShardId(1));
    assert_eq!(map.shard_of(&[Value::from("audio"), positive.clone()]), ShardId(2));
    assert_eq!(map.shard_of(&[Value::from("phones"), positive]), ShardId(2));
}

#[test]
fn a_missing_value_counts_as_null() {
    let map = three_ranges();
    assert_eq!(map.range_of(&[Value::from("audio")]), map.range_of(&[Value::from("audio"), Value::Null]));
    assert_eq!(map.placed(&[]), [Value::Null, Value::Int(hashed(&Value::Null))]);
}

#[test]
fn a_split_moves_nothing() {
    let mut map = three_ranges();
    map.split_at(vec![Value::from("audio"), Value::Int(-7)]).unwrap();
    map.split_at(vec![Value::from("audio"), Value::Int(-7)]).unwrap();
    let shards: Vec<u32> = map.ranges().iter().map(|range| range.shard.0).collect();
    assert_eq!(shards, [0, 1, 1, 2]);
}

#[test]
fn assigning_cuts_at_both_bounds_and_tells_the_owners() {
    let mut map = three_ranges();
    let (min, max) = ([Value::from("a"), Value::MinKey], [Value::from("audio"), Value::Int(-7)]);
    map.assign(&min, Some(&max), ShardId(3)).unwrap();
    let shards: Vec<u32> = map.ranges().iter().map(|range| range.shard.0).collect();
    assert_eq!(shards, [0, 3, 3, 1, 2]);
    assert_eq!(map.owners()[..], [0, 1, 2, 3].map(ShardId));

    map.assign(&[Value::MinKey, Value::MinKey], None, ShardId(9)).unwrap();
    assert_eq!(map.owners()[..], [ShardId(9)]);
}

#[test]
fn bounds_that_make_no_range_are_refused() {
    let mut map = three_ranges();
    let audio = [Value::from("audio"), Value::MinKey];
    assert!(matches!(map.assign(&audio, Some(&audio), ShardId(0)), Err(RangeMapError::Empty { .. })));
    assert!(matches!(map.split_at(vec![Value::from("audio")]), Err(RangeMapError::WrongWidth { .. })));
    let raw = vec![Value::from("audio"), Value::from("a name, not its hash")];
    assert!(matches!(map.split_at(raw), Err(RangeMapError::NotAHash { .. })));
    assert_eq!(map, three_ranges());
}

#[test]
fn ranges_that_do_not_cover_the_line_are_refused() {
    let from_parts = |ranges| RangeMap::from_parts(category_and_hash(), ranges);
    assert_eq!(from_parts(vec![]), Err(RangeMapError::NoRange));
    let audio = || range(&[Value::from("audio"), Value::MinKey], 0);
    assert!(matches!(from_parts(vec![audio()]), Err(RangeMapError::Uncovered(_))));
    let first = range(&[Value::MinKey, Value::MinKey], 0);
    let doubled = from_parts(vec![first, audio(), audio()]);
    assert!(matches!(doubled, Err(RangeMapError::Unsorted { position: 2, .. })));
}

#[test]
fn json_keeps_the_map_and_checks_it() {
    let json = serde_json::to_string(&three_ranges()).unwrap();
    assert!(json.starts_with(r#"{"key":["category","product_id:hashed"],"ranges":[{"min":[{"$minKey":1}"#));
    assert_eq!(serde_json::from_str::<RangeMap>(&json).unwrap(), three_ranges());

    let unsorted = json.replace("\"audio\"", "{\"$minKey\":1}");
    let refused = serde_json::from_str::<RangeMap>(&unsorted).unwrap_err().to_string();
    assert!(refused.contains("range 1 begins at [MinKey, MinKey]"), "{refused}");
}
