//! What the shipped layouts come to, as a person reads it. A changed snapshot is a changed promise to users.

use mworld_placement::layout::{load_shipped, shipped_names};
use mworld_placement::{Domain, Explanation, Operation, Reach, Row, explain};

fn explained(name: &str, shards: u32) -> Explanation {
    let loaded = load_shipped(name).expect("the layout is shipped");
    explain(&loaded.layout, shards, &Domain::default())
}

/// The first row of an operation: its leading area, as the API calls it.
fn leading(name: &str, op: &str) -> Row {
    let rows = explained(name, 4).operations;
    rows.into_iter().find(|row| row.op == op).expect("every operation has a row")
}

#[test]
fn five_layouts_on_four_shards() {
    for name in ["category-range", "category", "category-spread", "geo-zoned", "price-bands"] {
        insta::assert_snapshot!(name, explained(name, 4).to_string());
    }
}

#[test]
fn every_shipped_layout_explains_every_operation_on_any_number_of_shards() {
    for name in shipped_names() {
        for shards in [1, 2, 7] {
            let explanation = explained(name, shards);
            let mut operations: Vec<&str> = explanation.operations.iter().map(|row| row.op).collect();
            operations.dedup();
            assert_eq!(operations, Operation::ALL.map(Operation::name), "{name}");
            for row in explanation.operations {
                let within = 1 <= row.shards_min
                    && row.shards_min <= row.shards_max
                    && row.shards_max <= shards as usize;
                assert!(within, "{name} on {shards} shards: {row:?}");
                assert!(shards > 1 || row.route == Reach::One, "{name} on one shard: {row:?}");
            }
        }
    }
}

#[test]
fn variants_differ_where_they_say_they_do() {
    assert_eq!(leading("geo-zoned", "order.history").route, Reach::One);
    assert_eq!(leading("geo-zoned+orders-by-zone", "order.history").route, Reach::All);
    assert_eq!(leading("geo-zoned+orders-by-zone", "order.list").route, Reach::One);
    assert_eq!(leading("category+products-by-id-hash", "catalog.upsert").route, Reach::One);
    assert_eq!(leading("category", "catalog.upsert").route, Reach::All);
    assert_eq!(leading("category-spread+stock-apart", "catalog.stock").route, Reach::One);
    assert_eq!(leading("price-bands+by-geo-zone", "order.place").route, Reach::One);
}

#[test]
fn a_checkout_by_region_stays_on_one_shard_but_for_its_look_ups() {
    let [one, _] = explained("price-bands+by-geo-zone", 4).checkouts[..] else { panic!("two sizes of cart") };
    assert!(
        one.shards_max <= 3,
        "order, cart and stock lie together; the key and the owner's look-up may not"
    );
}
