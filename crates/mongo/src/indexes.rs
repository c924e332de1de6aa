//! The indexes that a store has: those of the layout, and those without which the engine would search.

use mongodb::bson::{Document, doc};
use mworld_placement::{Area, Entity, Form, KeyField, Layout, Order, OrderKeysAt, OwnerToCart, ShardKey};

use crate::collection::{Collection, Shape, sharded};

/// One index.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Index {
    pub(crate) collection: Collection,
    pub(crate) keys: Document,
    pub(crate) unique: bool,
    /// Only records of which this holds are in it.
    pub(crate) partial: Option<Document>,
    /// The server deletes a record when the date in it is over.
    pub(crate) expires: bool,
}

impl Index {
    fn on(collection: impl Into<Collection>, keys: Document) -> Index {
        Index { collection: collection.into(), keys, unique: false, partial: None, expires: false }
    }

    fn unique(self) -> Index {
        Index { unique: true, ..self }
    }

    fn only(self, condition: Document) -> Index {
        Index { partial: Some(condition), ..self }
    }
}

/// Every index of a store of this layout, each once: the shard keys' first, because sharding needs them.
pub(crate) fn wanted(layout: &Layout, placement: &mworld_placement::Placement) -> Vec<Index> {
    let shape = Shape::of(placement);
    let mut all = Vec::new();
    for (collection, key) in sharded(placement) {
        all.push(Index::on(collection, pattern(&shape.physical_key(collection, &key))));
    }
    all.extend(of_layout(layout, shape));
    all.extend(of_products(shape));
    all.extend(of_orders(shape));
    all.extend(of_carts(shape));
    all.extend(of_the_rest());
    let mut once: Vec<Index> = Vec::new();
    for index in all {
        let twin = once.iter_mut().find(|known| {
            known.collection == index.collection && known.keys == index.keys && known.partial == index.partial
        });
        match twin {
            Some(known) => known.unique |= index.unique,
            // Every collection has this one by itself.
            None if index.keys == doc! { "_id": 1 } => {}
            None => once.push(index),
        }
    }
    once
}

/// A key as the cluster writes it.
pub(crate) fn pattern(key: &ShardKey) -> Document {
    let field = |field: &KeyField| match field.order {
        Order::Ranged => (field.name.clone(), mongodb::bson::Bson::Int32(1)),
        Order::Hashed => (field.name.clone(), "hashed".into()),
    };
    key.fields().iter().map(field).collect()
}

fn of_layout(layout: &Layout, shape: Shape) -> Vec<Index> {
    let mut indexes = Vec::new();
    for (entity, placed) in &layout.entities {
        let on = placed.mongodb.as_ref().filter(|_| *entity != Entity::Stock || shape.form == Form::Apart);
        for index in on.iter().flat_map(|on| &on.indexes) {
            let collection = Collection::from(*entity);
            let keys = index
                .fields
                .iter()
                .map(|field| (shape.physical(collection, field).to_owned(), mongodb::bson::Bson::Int32(1)));
            let found = Index::on(collection, keys.collect());
            indexes.push(if index.unique { found.unique() } else { found });
        }
    }
    indexes
}

/// Searching by word, attribute, price and newness, alone and within a category; finding by id alone.
fn of_products(shape: Shape) -> Vec<Index> {
    let id = shape.physical(Entity::Products.into(), "product_id");
    let on = |keys| Index::on(Entity::Products, keys);
    let mut indexes = vec![
        on(doc! { "words": 1 }),
        on(doc! { "attributes": 1 }),
        on(doc! { "listed_at": 1, id: 1 }),
        on(doc! { "price": 1, id: 1 }),
        on(doc! { "category": 1, "listed_at": 1, id: 1 }),
        on(doc! { "category": 1, "price": 1, id: 1 }),
    ];
    if shape.form == Form::PerZone {
        indexes.push(on(doc! { "product_id": 1 }));
    }
    if shape.form == Form::Apart {
        indexes.push(Index::on(Entity::Stock, doc! { "product_id": 1 }));
    }
    indexes
}

/// An order's id sorts as its creation time does, so an index by id is also one by time.
fn of_orders(shape: Shape) -> Vec<Index> {
    let keys = match shape.order_keys {
        OrderKeysAt::BesideOrders => Collection::from(Entity::Orders),
        OrderKeysAt::Apart => Collection::Placed(Area::OrderKeys),
    };
    let orders = |keys| Index::on(Entity::Orders, keys);
    vec![
        orders(doc! { "user_id": 1, "_id": 1 }),
        orders(doc! { "geo_zone": 1, "_id": 1 }),
        orders(doc! { "status": 1, "_id": 1 }),
        orders(doc! { "unpaid_until": 1 }).only(doc! { "unpaid_until": { "$exists": true } }),
        orders(doc! { "unfed_at": 1 }).only(doc! { "unfed_at": { "$exists": true } }),
        Index::on(keys, doc! { "user_id": 1, "key": 1 }).unique().only(doc! { "key": { "$exists": true } }),
        Index::on(keys, doc! { "user_id": 1, "cart_id": 1 })
            .unique()
            .only(doc! { "cart_id": { "$exists": true } }),
    ]
}

fn of_carts(shape: Shape) -> Vec<Index> {
    let mut indexes = vec![
        Index { expires: true, ..Index::on(Entity::Carts, doc! { "expires": 1 }) },
        Index::on(Entity::Carts, doc! { "claim.until": 1 }).only(doc! { "claim": { "$exists": true } }),
    ];
    if shape.owner_to_cart == OwnerToCart::LookedUp {
        let due = Index::on(Area::CartOwners, doc! { "due": 1 });
        indexes.push(due.only(doc! { "due": { "$exists": true } }));
    }
    indexes
}

fn of_the_rest() -> Vec<Index> {
    vec![
        Index { expires: true, ..Index::on(Entity::Sessions, doc! { "expires": 1 }) },
        Index::on(Entity::Accounts, doc! { "email": 1 }).unique(),
        Index::on(Collection::Events, doc! { "seq": 1 }),
        Index::on(Collection::Events, doc! { "unfed_at": 1 }).only(doc! { "unfed_at": { "$exists": true } }),
    ]
}
