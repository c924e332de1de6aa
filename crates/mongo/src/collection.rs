//! The collections of a store: those that the layout places, and the engine's own.

use std::fmt;

use mworld_placement::{Area, Entity, Form, KeyField, Order, OrderKeysAt, OwnerToCart, Placement, ShardKey};

/// A collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Collection {
    /// One that a layout places. Only homes have one, see [`Placement::home`].
    Placed(Area),
    /// One record for each product id, whatever its documents are keyed by: it makes the id unique over all shards
    /// and puts the writers of one product in order.
    ProductIds,
    /// Parts of the stock of an item that many want at once.
    Buckets,
    /// Events in their final order.
    Events,
    /// What a payment provider reported, one for each provider and reference.
    Payments,
    /// When each buyer last wrote, for reading one's own writes from secondaries.
    Buyers,
    /// A handful of records about the store itself.
    Meta,
}

impl Collection {
    /// The engine's own collections that are sharded, each by the hash of its id.
    pub(crate) const OWN: [Collection; 5] = [
        Collection::ProductIds,
        Collection::Buckets,
        Collection::Events,
        Collection::Payments,
        Collection::Buyers,
    ];

    /// Its name in the database: entities are named as in layouts.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Collection::Placed(area) => area.name(),
            Collection::ProductIds => "product_ids",
            Collection::Buckets => "stock_buckets",
            Collection::Events => "events",
            Collection::Payments => "payments",
            Collection::Buyers => "buyers",
            Collection::Meta => "mworld_meta",
        }
    }
}

impl From<Area> for Collection {
    fn from(area: Area) -> Collection {
        Collection::Placed(area)
    }
}

impl From<Entity> for Collection {
    fn from(entity: Entity) -> Collection {
        Collection::Placed(entity.into())
    }
}

impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a layout's form and keys decide about how records are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) form: Form,
    pub(crate) owner_to_cart: OwnerToCart,
    pub(crate) order_keys: OrderKeysAt,
}

impl Shape {
    pub(crate) fn of(placement: &Placement) -> Shape {
        Shape {
            form: placement.form(),
            owner_to_cart: placement.owner_to_cart(),
            order_keys: placement.order_keys(),
        }
    }

    /// The name under which a field of the layout stands in the documents: `_id` where it is the record's identity.
    pub(crate) fn physical(self, collection: Collection, field: &str) -> &str {
        let is_id = match collection {
            Collection::Placed(Area::Entity(Entity::Products)) => {
                field == "product_id" && self.form != Form::PerZone
            }
            Collection::Placed(Area::Entity(Entity::Orders)) => field == "order_id",
            // One document per owner where the owner decides its place, else one per cart.
            Collection::Placed(Area::Entity(Entity::Carts)) => {
                field == "cart_id" && self.owner_to_cart == OwnerToCart::LookedUp
            }
            Collection::Placed(Area::Entity(Entity::Sessions)) => field == "session_id",
            Collection::Placed(Area::Entity(Entity::Accounts)) => field == "user_id",
            Collection::Placed(Area::CartOwners) => field == "owner_key",
            _ => false,
        };
        if is_id { "_id" } else { field }
    }

    /// The key as the cluster knows it.
    pub(crate) fn physical_key(self, collection: Collection, key: &ShardKey) -> ShardKey {
        let field = |field: &KeyField| KeyField {
            name: self.physical(collection, &field.name).to_owned(),
            order: field.order,
        };
        ShardKey::new(key.fields().iter().map(field).collect()).expect("renaming keeps fields apart")
    }
}

/// The collections that a store of this placement has, each with the key that it is sharded by, in the layout's words.
pub(crate) fn sharded(placement: &Placement) -> Vec<(Collection, ShardKey)> {
    let placed = placement.maps().map(|(area, map)| (Collection::Placed(area), map.key().clone()));
    let by_id = |collection| {
        let id = KeyField { name: "_id".to_owned(), order: Order::Hashed };
        (collection, ShardKey::new(vec![id]).expect("one field is a key"))
    };
    placed.chain(Collection::OWN.map(by_id)).collect()
}
