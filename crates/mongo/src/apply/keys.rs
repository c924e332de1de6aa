//! Shard keys and bounds of ranges in the cluster's own words.

use mongodb::bson::{Bson, Document};
use mworld_placement::{KeyField, Order, Range, RangeMap, ShardId, ShardKey, Value};

use crate::bson::{from_bson, to_bson};

/// The key that a pattern such as `{category: 1, _id: "hashed"}` stands for; `None` for one that a layout cannot say.
pub(super) fn key_of(pattern: &Document) -> Option<ShardKey> {
    let field = |(name, order): (&String, &Bson)| {
        let order = match order {
            Bson::String(hashed) if hashed == "hashed" => Order::Hashed,
            Bson::Int32(1) | Bson::Int64(1) => Order::Ranged,
            Bson::Double(one) if *one == 1.0 => Order::Ranged,
            _ => return None,
        };
        Some(KeyField { name: name.clone(), order })
    };
    ShardKey::new(pattern.iter().map(field).collect::<Option<Vec<_>>>()?)
}

/// A full bound of a range.
pub(super) fn bound(key: &ShardKey, values: &[Value]) -> Document {
    key.fields().iter().map(|field| field.name.clone()).zip(values.iter().map(to_bson)).collect()
}

/// The end of the line of keys.
pub(super) fn end(key: &ShardKey) -> Document {
    key.fields().iter().map(|field| (field.name.clone(), Bson::MaxKey)).collect()
}

/// Where the range at this place of the map ends.
pub(super) fn end_of(map: &RangeMap, place: usize) -> Document {
    map.ranges().get(place + 1).map_or_else(|| end(map.key()), |next| bound(map.key(), &next.min))
}

/// The map that these chunks make, sorted by where they begin. `None` if one of them lies on an unknown shard or begins
/// at a kind of value that no layout can name.
pub(super) fn map_of(key: &ShardKey, chunks: &[Document], shards: &[String]) -> Option<RangeMap> {
    let range = |chunk: &Document| {
        let min = chunk.get_document("min").ok()?;
        let value = |field: &KeyField| from_bson(min.get(&field.name)?);
        let min = key.fields().iter().map(value).collect::<Option<Vec<_>>>()?;
        let name = chunk.get_str("shard").ok()?;
        let shard = shards.iter().position(|shard| shard == name)?;
        Some(Range { min, shard: ShardId(u32::try_from(shard).ok()?) })
    };
    RangeMap::from_parts(key.clone(), chunks.iter().map(range).collect::<Option<Vec<_>>>()?).ok()
}

/// Whether a collection with the old key can be given the new one without moving a document.
pub(super) fn extends(new: &ShardKey, old: &ShardKey) -> bool {
    new.fields().len() > old.fields().len() && new.fields().starts_with(old.fields())
}

/// The ranges after the key has been refined: the same, below every value of the fields that are new.
pub(super) fn refined(map: &RangeMap, key: &ShardKey) -> RangeMap {
    let longer = |range: &Range| {
        let mut min = range.min.clone();
        min.resize(key.fields().len(), Value::MinKey);
        Range { min, shard: range.shard }
    };
    RangeMap::from_parts(key.clone(), map.ranges().iter().map(longer).collect())
        .expect("bounds that were sorted stay so when all grow by the lowest value")
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn a_pattern_and_its_key_say_the_same() {
        let pattern = doc! { "geo_zone": 1, "category": 1.0, "product_id": "hashed" };
        let key = key_of(&pattern).unwrap();
        assert_eq!(key.to_string(), r#"{geo_zone: 1, category: 1, product_id: "hashed"}"#);
        assert_eq!(key_of(&doc! { "at": -1 }), None);
        assert_eq!(key_of(&doc! {}), None);
    }

    #[test]
    fn only_a_longer_key_with_the_same_beginning_is_an_extension() {
        let key = |pattern: Document| key_of(&pattern).unwrap();
        let old = key(doc! { "category": 1 });
        assert!(extends(&key(doc! { "category": 1, "_id": "hashed" }), &old));
        assert!(!extends(&old, &old));
        assert!(!extends(&key(doc! { "category": "hashed", "_id": 1 }), &old));
        assert!(!extends(&key(doc! { "_id": 1, "category": 1 }), &old));
    }

    #[test]
    fn a_refined_key_keeps_its_ranges() {
        let old = key_of(&doc! { "category": 1 }).unwrap();
        let new = key_of(&doc! { "category": 1, "_id": "hashed" }).unwrap();
        let mut map = RangeMap::undivided(old, ShardId(0));
        map.assign(&[Value::from("b")], None, ShardId(1)).unwrap();
        let refined = refined(&map, &new);
        assert_eq!(
            refined.ranges()[1],
            Range { min: vec![Value::from("b"), Value::MinKey], shard: ShardId(1) }
        );
    }
}
