use mworld_placement::layout::load_shipped;
use mworld_placement::layout::model::Engine;
use mworld_placement::{Domain, RangeMap, ShardId};

use super::super::found::{FoundIndex, Sharded};
use super::super::mark::Mark;
use super::*;
use crate::indexes::pattern;

const DATABASE: &str = "shop";

fn wanted(layout: &str) -> Wanted {
    let layout = load_shipped(layout).unwrap().layout.in_force_on(Engine::MongoDb);
    Wanted::of(&layout, 2, &Domain::default())
}

fn empty() -> Found {
    Found { shards: vec!["s1".to_owned(), "s2".to_owned()], ..Found::default() }
}

/// A cluster that is exactly as wanted, with so many documents in each collection.
fn brought_to(wanted: &Wanted, documents: u64) -> Found {
    let mut found = empty();
    found.zones = zone_shards(wanted, &found.shards);
    found.mark = Some(Mark {
        name: wanted.layout.clone(),
        fingerprint: wanted.fingerprint.clone(),
        schema: SCHEMA,
        toml: wanted.toml.clone(),
    });
    for placed in &wanted.collections {
        let name = placed.collection.name().to_owned();
        let index = |index: &Index| FoundIndex {
            name: "an index".to_owned(),
            keys: index.keys.clone(),
            unique: index.unique,
            partial: index.partial.clone(),
            expires: index.expires,
        };
        let sharded = Sharded { key: pattern(placed.key()), map: Some(placed.map.clone()), left_alone: true };
        let indexes = placed.indexes.iter().map(index).collect();
        found.collections.insert(name.clone(), There { sharded: Some(sharded), indexes, documents });
        if !placed.stretches().is_empty() {
            found.stretches.insert(name, placed.stretches());
        }
    }
    found
}

fn steps(wanted: &Wanted, found: &Found) -> Vec<Step> {
    plan(wanted, found, DATABASE).unwrap()
}

fn kinds(steps: &[Step], collection: &str) -> Vec<Kind> {
    steps.iter().filter(|step| step.collection == Some(collection)).map(|step| step.kind).collect()
}

#[test]
fn an_empty_database_gets_everything_and_the_mark_last() {
    let wanted = wanted("geo-zoned");
    let steps = steps(&wanted, &empty());
    for placed in &wanted.collections {
        let kinds = kinds(&steps, placed.collection.name());
        assert_eq!(kinds[..2], [Kind::Shard, Kind::Balancing], "{}", placed.collection);
    }
    assert_eq!(kinds(&steps, "products"), [Kind::Shard, Kind::Balancing, Kind::Index, Kind::Zones]);
    assert!(steps.iter().any(|step| step.kind == Kind::ZoneShards));
    let last: Vec<Kind> = steps.iter().rev().take(2).map(|step| step.kind).collect();
    assert_eq!(last, [Kind::Sign, Kind::Tidy]);
}

#[test]
fn nothing_is_to_be_done_where_all_is_as_wanted() {
    for layout in mworld_placement::layout::shipped_names() {
        let wanted = wanted(layout);
        assert_eq!(steps(&wanted, &brought_to(&wanted, 10)), [], "{layout}");
    }
}

#[test]
fn a_longer_key_is_refined_after_its_index_and_then_dealt_out() {
    let found = brought_to(&wanted("category"), 120_000);
    let wanted = wanted("category-spread");
    let steps = steps(&wanted, &found);
    assert_eq!(kinds(&steps, "products"), [Kind::Index, Kind::Refine, Kind::Ranges]);
    assert_eq!(steps.len(), 4, "the three and the mark: {steps:?}");
    let cost = &steps.iter().find(|step| step.kind == Kind::Ranges).unwrap().cost;
    assert!(cost.starts_with("copies about 53,333 documents between shards"), "{cost}");
}

#[test]
fn another_key_is_a_copy_and_says_what_it_costs() {
    let found = brought_to(&wanted("category-range"), 120_000);
    let wanted = wanted("category-range+products-by-id-hash");
    let steps = steps(&wanted, &found);
    assert_eq!(kinds(&steps, "products"), [Kind::Reshard]);
    let reshard = &steps[0];
    assert_eq!(
        reshard.what,
        r#"reshard from {category: 1, _id: 1} to {_id: "hashed"}, 4 ranges on 2 shards"#
    );
    assert!(reshard.cost.starts_with("copies about 120,000 documents"), "{}", reshard.cost);
    assert_eq!(steps.iter().map(|step| step.kind).collect::<Vec<_>>(), [Kind::Reshard, Kind::Sign]);
}

#[test]
fn what_lies_on_the_wrong_shard_is_moved() {
    let wanted = wanted("category-spread");
    let mut found = brought_to(&wanted, 0);
    let orders = found.collections.get_mut("orders").unwrap().sharded.as_mut().unwrap();
    let key = orders.key().unwrap();
    orders.map = Some(RangeMap::undivided(key, ShardId(0)));
    orders.left_alone = false;
    let steps = steps(&wanted, &found);
    assert_eq!(kinds(&steps, "orders"), [Kind::Balancing, Kind::Ranges]);
    assert!(steps.iter().any(|step| step.what == "cut 3 ranges, move 2 ranges"), "{steps:?}");
}

#[test]
fn what_an_interrupted_run_left_is_tidied_up() {
    let wanted = wanted("category-spread");
    let mut found = brought_to(&wanted, 0);
    found.zones.insert(temporary::zone(DATABASE, "s1"), BTreeSet::from(["s1".to_owned()]));
    found.zones.insert(temporary::zone("another", "s1"), BTreeSet::from(["s1".to_owned()]));
    let kinds: Vec<Kind> = steps(&wanted, &found).iter().map(|step| step.kind).collect();
    assert_eq!(kinds, [Kind::Tidy, Kind::Sign]);
}

#[test]
fn a_zone_leaves_a_shard_only_if_no_other_database_uses_it() {
    let wanted = wanted("geo-zoned");
    let mut found = brought_to(&wanted, 0);
    found.zones.get_mut("msk").unwrap().insert("s2".to_owned());
    let extra: Vec<_> = extra_members(&wanted, &found).collect();
    assert_eq!(extra, [("msk".to_owned(), "s2".to_owned())]);
    found.shared_zones.insert("msk".to_owned());
    assert_eq!(extra_members(&wanted, &found).count(), 0);
}

#[test]
fn another_shape_is_refused_with_what_differs() {
    let refused = |from: &str, to: &str| match plan(&wanted(to), &brought_to(&wanted(from), 1), DATABASE) {
        Err(Refused::OtherShape { what, .. }) => what,
        other => panic!("{from} to {to}: {other:?}"),
    };
    assert!(refused("category-spread", "geo-zoned").contains("the form per-zone instead of whole"));
    assert!(refused("category-spread", "category-spread+stock-apart").contains("apart instead of whole"));
    assert!(refused("category-spread", "category-range").contains("carts"));
    assert!(refused("geo-zoned", "geo-zoned+orders-by-zone").contains("idempotency keys"));
}

#[test]
fn documents_of_somebody_else_are_left_in_peace() {
    let wanted = wanted("category-spread");
    let mut found = empty();
    found.collections.insert("orders".to_owned(), There { documents: 7, ..There::default() });
    let refused = plan(&wanted, &found, DATABASE);
    assert_eq!(refused, Err(Refused::Foreign { collection: "orders", documents: 7 }));
}

#[test]
fn a_newer_schema_is_refused() {
    let wanted = wanted("category-spread");
    let mut found = brought_to(&wanted, 0);
    found.mark.as_mut().unwrap().schema = SCHEMA + 1;
    assert_eq!(plan(&wanted, &found, DATABASE), Err(Refused::Newer { schema: SCHEMA + 1 }));
}

#[test]
fn what_stays_although_nobody_wants_it_is_said() {
    let wanted = wanted("category-spread");
    let mut found = brought_to(&wanted, 0);
    found.collections.insert("letters".to_owned(), There::default());
    let old = FoundIndex {
        name: "colour_1".to_owned(),
        keys: mongodb::bson::doc! { "colour": 1 },
        unique: false,
        partial: None,
        expires: false,
    };
    found.collections.get_mut("products").unwrap().indexes.push(old);
    assert_eq!(steps(&wanted, &found), []);
    let notes = notes(&wanted, &found).join("\n");
    assert!(notes.contains("left as they are: letters"), "{notes}");
    assert!(notes.contains("colour_1"), "{notes}");
}
