use std::collections::BTreeMap;
use std::time::Duration;

use super::*;
use crate::entity::Entity;
use crate::key::{KeyField, Order, ShardKey};
use crate::layout::model::{Engine, Form, OnCassandra, OnMongo, Placed, Repair, Ring, Ttl, ZoneRange};
use crate::value::Value;

fn key(fields: &[&str]) -> ShardKey {
    let read = |text: &&str| match text.strip_suffix(":hashed") {
        Some(name) => KeyField { name: name.to_owned(), order: Order::Hashed },
        None => KeyField { name: (*text).to_owned(), order: Order::Ranged },
    };
    ShardKey::new(fields.iter().map(read).collect()).unwrap()
}

fn on_mongodb(fields: &[&str]) -> Placed {
    let on = OnMongo {
        shard_key: key(fields),
        indexes: vec![],
        splits: vec![],
        zones: vec![],
        ttl: Ttl::default(),
        owner_cache: Duration::ZERO,
    };
    Placed { engine: Engine::MongoDb, mongodb: Some(on), cassandra: None }
}

fn on_cassandra(partition_key: &[&str]) -> Placed {
    let on = OnCassandra {
        table: "carts".to_owned(),
        by_owner: false,
        partition_key: partition_key.iter().map(|field| (*field).to_owned()).collect(),
        clustering_key: vec![],
        ttl: Ttl::default(),
        gc_grace: Duration::ZERO,
        repair: Repair { hints: true, read_repair: true, anti_entropy: None },
    };
    Placed { engine: Engine::Cassandra, mongodb: None, cassandra: Some(on) }
}

fn layout(form: Form, products: &[&str], orders: &[&str], carts: Placed) -> Layout {
    let entities = [
        (Entity::Products, on_mongodb(products)),
        (Entity::Orders, on_mongodb(orders)),
        (Entity::Carts, carts),
        (Entity::Sessions, on_mongodb(&["session_id:hashed"])),
        (Entity::Accounts, on_mongodb(&["email:hashed"])),
    ];
    let ring =
        Ring { replication: BTreeMap::new(), max_hint_window: Duration::ZERO, hinted_handoff_throttle: 0 };
    Layout {
        name: "by hand".to_owned(),
        about: String::new(),
        form,
        entities: BTreeMap::from(entities),
        policy: BTreeMap::new(),
        ring,
    }
}

fn spread() -> Layout {
    let carts = on_mongodb(&["owner_key:hashed"]);
    layout(Form::Whole, &["category", "product_id:hashed"], &["user_id:hashed"], carts)
}

/// Reach and number of shards of an operation's rows for an area, in order.
fn rows(layout: &Layout, shards: u32, op: &str, entity: &str) -> Vec<(Reach, usize, usize)> {
    let explanation = explain(layout, shards, &Domain::default());
    let wanted = explanation.operations.into_iter().filter(|row| row.op == op && row.entity == entity);
    wanted.map(|row| (row.route, row.shards_min, row.shards_max)).collect()
}

const ONE: (Reach, usize, usize) = (Reach::One, 1, 1);
const ALL_FOUR: (Reach, usize, usize) = (Reach::All, 4, 4);

#[test]
fn a_spread_category_is_searched_everywhere_and_sold_on_one_shard() {
    let layout = spread();
    assert_eq!(rows(&layout, 4, "catalog.search", "products")[0], ALL_FOUR);
    assert_eq!(rows(&layout, 4, "catalog.product", "products"), [ONE, ONE, ALL_FOUR]);
    assert_eq!(rows(&layout, 4, "order.place", "stock"), [ONE]);
    assert_eq!(rows(&layout, 4, "order.status", "orders"), [ONE, ALL_FOUR]);
    assert_eq!(rows(&layout, 4, "order.history", "orders"), [ONE]);
}

#[test]
fn a_whole_category_is_searched_and_sold_on_one_shard() {
    let carts = on_mongodb(&["owner_key:hashed"]);
    let layout = layout(Form::Whole, &["category"], &["user_id:hashed"], carts);
    assert_eq!(rows(&layout, 4, "catalog.search", "products"), [ONE, ONE, ONE, ALL_FOUR]);
    assert_eq!(rows(&layout, 4, "order.place", "stock"), [ONE]);
    // Four items of four categories are every shard, each time, though no single access asks all of them.
    assert_eq!(rows(&layout, 4, "order.place", "checkout"), [(Reach::Some, 1, 2), ALL_FOUR]);
}

#[test]
fn two_owners_of_a_merge_may_lie_on_two_shards() {
    assert_eq!(rows(&spread(), 4, "cart.merge", "carts"), [(Reach::Some, 1, 2)]);
    assert_eq!(rows(&spread(), 4, "cart.merge", "cart_owners"), []);
}

#[test]
fn a_cart_by_session_needs_a_look_up_by_owner() {
    let mut layout = spread();
    layout.entities.insert(Entity::Carts, on_cassandra(&["session_id"]));
    assert_eq!(rows(&layout, 4, "cart.get", "carts"), [ONE, ONE]);
    assert_eq!(rows(&layout, 4, "cart.get", "cart_owners"), [ONE]);
    assert_eq!(rows(&layout, 4, "session.login", "cart_owners"), [(Reach::Some, 1, 2)]);
}

#[test]
fn a_partition_of_several_fields_is_found_by_all_of_them() {
    let mut layout = spread();
    layout.entities.insert(Entity::Carts, on_cassandra(&["owner_key", "geo_zone"]));
    assert_eq!(rows(&layout, 4, "cart.get", "carts"), [ONE, ONE]);
    assert_eq!(rows(&layout, 4, "cart.get", "cart_owners"), [ONE]);
}

#[test]
fn regions_of_their_own_make_local_calls_cheap_and_the_product_page_dear() {
    let carts = on_mongodb(&["owner_key:hashed"]);
    let fields = ["geo_zone", "category", "product_id:hashed"];
    let mut layout = layout(Form::PerZone, &fields, &["geo_zone", "created_at"], carts);
    let zone = |name: &str| ZoneRange {
        name: name.to_owned(),
        shards: 1,
        from: vec![Value::from(name)],
        to: vec![Value::from(format!("{name}~"))],
    };
    let products = layout.entities.get_mut(&Entity::Products).unwrap().mongodb.as_mut().unwrap();
    products.zones = ["ekb", "kln", "msk", "spb"].map(zone).to_vec();
    assert_eq!(rows(&layout, 4, "catalog.search", "products")[0], ONE);
    assert_eq!(rows(&layout, 4, "order.place", "stock"), [ONE]);
    assert_eq!(rows(&layout, 4, "catalog.product", "products"), [ALL_FOUR, ONE, ALL_FOUR]);
    assert_eq!(rows(&layout, 4, "order.list", "orders"), [ONE, ALL_FOUR]);
    assert_eq!(rows(&layout, 4, "order.history", "orders"), [ALL_FOUR]);
    assert_eq!(rows(&layout, 4, "order.place", "order_keys"), [ONE]);
}

#[test]
fn everything_is_one_on_one_shard() {
    for row in explain(&spread(), 1, &Domain::default()).operations {
        assert_eq!((row.route, row.shards_min, row.shards_max), ONE, "{}", row.op);
    }
}

#[test]
fn more_items_span_more_shards_of_a_checkout() {
    let explanation = explain(&spread(), 8, &Domain::default());
    let [one, four] = explanation.checkouts[..] else { panic!("{:?}", explanation.checkouts) };
    // A user's cart and orders are hashed by the same value over the same ranges, so they always lie together.
    assert_eq!((one.items, one.shards_min, one.shards_max), (1, 1, 2));
    assert_eq!((four.items, four.shards_max), (4, 5));
    let text = explanation.to_string();
    assert!(text.contains("\na checkout of 1 item spans 1..2 shards\n"), "{text}");
}

#[test]
fn json_has_the_promised_form() {
    let json = serde_json::to_value(explain(&spread(), 4, &Domain::default())).unwrap();
    assert_eq!(json.as_object().unwrap().len(), 3);
    assert_eq!((&json["layout"], &json["shards"]), (&"by hand".into(), &4.into()));
    let first = serde_json::json!({
        "op": "catalog.search",
        "entity": "products",
        "route": "all",
        "shards_min": 4,
        "shards_max": 4,
        "why": "in a category and zone: the call knows category, with which {category: 1, product_id: \"hashed\"} begins",
    });
    assert_eq!(json["operations"][0], first);
}
