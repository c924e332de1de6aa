//! By which key an entity is placed, and what follows from that key.

use crate::entity::Entity;
use crate::key::{KeyField, ShardKey};
use crate::layout::model::{Engine, Form, Layout, OnCassandra};
use crate::value::Value;

/// Joins the names of the fields that one synthetic key field stands for: `user_id+period`.
pub const COMPOSITE_SEPARATOR: char = '+';

/// The key by which a sharded store without a database of its own places an entity: that of the sub-table of the
/// engine in force. A Cassandra partition key is one hash over all its fields. One field is simply hashed; several
/// become a single hashed field whose name joins theirs and whose value is [`composite_value`].
pub fn placing_key(layout: &Layout, entity: Entity) -> ShardKey {
    let entity = if lies_with_products(layout.form, entity) { Entity::Products } else { entity };
    let own = layout.entities.get(&entity).and_then(|placed| {
        let mongodb = placed.mongodb.as_ref().map(|on| on.shard_key.clone());
        let cassandra = placed.cassandra.as_ref().map(partition_key);
        match placed.engine {
            Engine::MongoDb => mongodb.or(cassandra),
            Engine::Cassandra => cassandra.or(mongodb),
        }
    });
    // A layout that leaves an entity out altogether still has to place it; its id spreads evenly and is always known
    // to whoever writes the record.
    own.unwrap_or_else(|| {
        ShardKey::hashed(if entity == Entity::Accounts { "email" } else { entity.own_id() })
    })
}

/// Whether an entity has no documents of its own but is part of the product documents.
pub(crate) fn lies_with_products(form: Form, entity: Entity) -> bool {
    entity == Entity::Stock && form != Form::Apart
}

fn partition_key(on: &OnCassandra) -> ShardKey {
    let separator = COMPOSITE_SEPARATOR.to_string();
    ShardKey::hashed(&on.partition_key.join(&separator))
}

/// The one value that stands for several: their texts, joined. It is only ever hashed to find a place, never read
/// back, so it does not matter that joined texts cannot be taken apart again.
pub fn composite_value(parts: &[Value]) -> Value {
    let texts: Vec<String> = parts.iter().map(Value::to_string).collect();
    Value::Str(texts.join(&COMPOSITE_SEPARATOR.to_string()))
}

/// A record's values in key order, ready for [`crate::RangeMap::shard_of`], from a function that knows the value of
/// each plain field.
pub fn key_values(key: &ShardKey, mut value_of: impl FnMut(&str) -> Value) -> Vec<Value> {
    let mut value = |field: &KeyField| {
        if !field.name.contains(COMPOSITE_SEPARATOR) {
            return value_of(&field.name);
        }
        let parts: Vec<Value> = parts(field).map(&mut value_of).collect();
        composite_value(&parts)
    };
    key.fields().iter().map(&mut value).collect()
}

/// How the store finds an owner's active cart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnerToCart {
    /// The cart's key follows from the owner.
    Computed,
    /// The key holds something that only the cart knows (its id, its session, its zone), so a look-up keyed by the
    /// owner says where it is.
    LookedUp,
}

impl OwnerToCart {
    /// What this key of carts needs. A user knows `owner_key` and `user_id`; a guest knows the same two, `user_id`
    /// being null. `session_id` does not count: a user's cart keeps the session that began it, and the user may well
    /// come back with another.
    pub fn of(carts: &ShardKey) -> OwnerToCart {
        let from_owner = |part: &str| part == "owner_key" || part == "user_id";
        match carts.fields().iter().flat_map(parts).all(from_owner) {
            true => OwnerToCart::Computed,
            false => OwnerToCart::LookedUp,
        }
    }
}

/// Where the idempotency keys of checkouts lie. They are unique per user, which a sharded store can only promise where
/// the user alone says on which shard to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderKeysAt {
    /// On the shard of the user's orders: one shard less to write at checkout.
    BesideOrders,
    /// In a place of their own, hashed by user.
    Apart,
}

impl OrderKeysAt {
    /// What this key of orders allows.
    pub fn of(orders: &ShardKey) -> OrderKeysAt {
        match orders.fields().iter().flat_map(parts).all(|part| part == "user_id") {
            true => OrderKeysAt::BesideOrders,
            false => OrderKeysAt::Apart,
        }
    }
}

/// The plain fields that a key field stands for: itself, or the parts that its name joins.
pub(crate) fn parts(field: &KeyField) -> impl Iterator<Item = &str> {
    field.name.split(COMPOSITE_SEPARATOR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Order;

    fn key(fields: &[&str]) -> ShardKey {
        let ranged = |name: &&str| KeyField { name: (*name).to_owned(), order: Order::Ranged };
        ShardKey::new(fields.iter().map(ranged).collect()).unwrap()
    }

    #[test]
    fn a_cart_is_looked_up_unless_its_key_follows_from_the_owner() {
        assert_eq!(OwnerToCart::of(&ShardKey::hashed("owner_key")), OwnerToCart::Computed);
        assert_eq!(OwnerToCart::of(&ShardKey::hashed("user_id")), OwnerToCart::Computed);
        assert_eq!(OwnerToCart::of(&ShardKey::hashed("cart_id")), OwnerToCart::LookedUp);
        assert_eq!(OwnerToCart::of(&ShardKey::hashed("session_id")), OwnerToCart::LookedUp);
        assert_eq!(OwnerToCart::of(&ShardKey::hashed("user_id+session_id")), OwnerToCart::LookedUp);
        assert_eq!(OwnerToCart::of(&key(&["owner_key", "geo_zone"])), OwnerToCart::LookedUp);
    }

    #[test]
    fn idempotency_keys_lie_beside_orders_that_the_user_alone_finds() {
        assert_eq!(OrderKeysAt::of(&ShardKey::hashed("user_id")), OrderKeysAt::BesideOrders);
        assert_eq!(OrderKeysAt::of(&key(&["user_id"])), OrderKeysAt::BesideOrders);
        assert_eq!(OrderKeysAt::of(&key(&["user_id", "created_at"])), OrderKeysAt::Apart);
        assert_eq!(OrderKeysAt::of(&key(&["geo_zone", "created_at"])), OrderKeysAt::Apart);
    }

    #[test]
    fn a_composite_field_takes_its_value_from_all_its_parts() {
        let key = ShardKey::hashed("user_id+period");
        let values = key_values(&key, |field| Value::from(format!("a {field}")));
        assert_eq!(values, [Value::from("\"a user_id\"+\"a period\"")]);
    }
}
