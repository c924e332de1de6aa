//! The nine things a layout places, and the fields their keys may name.

use std::fmt;

/// A thing that a layout places. MongoDB collections are named like it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Entity {
    /// Product documents: name, price, attributes (and stock, unless it lies apart).
    Products,
    /// Stock in a collection of its own (form `apart`).
    Stock,
    /// Orders.
    Orders,
    /// Active carts.
    Carts,
    /// A user's orders, newest first: a read model of orders.
    History,
    /// Orders by id alone: a read model of orders.
    OrderById,
    /// Product pages: a read model of products.
    ProductCards,
    /// Sessions.
    Sessions,
    /// Accounts.
    Accounts,
}

impl Entity {
    /// Every entity, in the order in which layouts list them.
    pub const ALL: [Entity; 9] = [
        Entity::Products,
        Entity::Stock,
        Entity::Orders,
        Entity::Carts,
        Entity::History,
        Entity::OrderById,
        Entity::ProductCards,
        Entity::Sessions,
        Entity::Accounts,
    ];

    /// The name used in layout files, metrics and collection names.
    pub const fn name(self) -> &'static str {
        match self {
            Entity::Products => "products",
            Entity::Stock => "stock",
            Entity::Orders => "orders",
            Entity::Carts => "carts",
            Entity::History => "history",
            Entity::OrderById => "order_by_id",
            Entity::ProductCards => "product_cards",
            Entity::Sessions => "sessions",
            Entity::Accounts => "accounts",
        }
    }

    /// The entity of that name.
    pub fn from_name(name: &str) -> Option<Entity> {
        Entity::ALL.into_iter().find(|entity| entity.name() == name)
    }

    /// The fields that this entity's keys and indexes may name. `_id` stands for [`Entity::own_id`].
    pub const fn fields(self) -> &'static [&'static str] {
        match self {
            Entity::Products | Entity::ProductCards => {
                &["product_id", "category", "subcategory", "price", "geo_zone"]
            }
            Entity::Stock => &["product_id", "category", "geo_zone"],
            Entity::Orders | Entity::History | Entity::OrderById => {
                &["order_id", "user_id", "geo_zone", "created_at", "status", "period"]
            }
            Entity::Carts => {
                &["cart_id", "user_id", "session_id", "owner_key", "geo_zone", "status", "product_id"]
            }
            Entity::Sessions => &["session_id", "user_id", "geo_zone"],
            Entity::Accounts => &["user_id", "email"],
        }
    }

    /// The field that `_id` stands for.
    pub const fn own_id(self) -> &'static str {
        match self {
            Entity::Products | Entity::Stock | Entity::ProductCards => "product_id",
            Entity::Orders | Entity::History | Entity::OrderById => "order_id",
            Entity::Carts => "cart_id",
            Entity::Sessions => "session_id",
            Entity::Accounts => "user_id",
        }
    }
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
