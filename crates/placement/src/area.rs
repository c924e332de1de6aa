//! What is placed and counted: the entities, and two small look-ups that a layout never names.

use std::fmt;

use crate::entity::Entity;

/// A place of its own in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Area {
    /// An entity of the layout.
    Entity(Entity),
    /// Owner → cart: where the active cart of an owner lies, if its key does not follow from the owner.
    CartOwners,
    /// (User, idempotency key) → order, where it cannot lie beside the orders.
    OrderKeys,
}

impl Area {
    /// Every area: the entities in their order, then the look-ups.
    pub const ALL: [Area; 11] = [
        Area::Entity(Entity::Products),
        Area::Entity(Entity::Stock),
        Area::Entity(Entity::Orders),
        Area::Entity(Entity::Carts),
        Area::Entity(Entity::History),
        Area::Entity(Entity::OrderById),
        Area::Entity(Entity::ProductCards),
        Area::Entity(Entity::Sessions),
        Area::Entity(Entity::Accounts),
        Area::CartOwners,
        Area::OrderKeys,
    ];

    /// The name used in metrics and explanations.
    pub const fn name(self) -> &'static str {
        match self {
            Area::Entity(entity) => entity.name(),
            Area::CartOwners => "cart_owners",
            Area::OrderKeys => "order_keys",
        }
    }
}

impl From<Entity> for Area {
    fn from(entity: Entity) -> Area {
        Area::Entity(entity)
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
