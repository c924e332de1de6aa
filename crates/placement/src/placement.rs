//! Where everything lives: one range map per area, made from a layout.

use std::collections::BTreeMap;
use std::fmt;

use crate::area::Area;
use crate::domain::Domain;
use crate::entity::Entity;
use crate::initial::{Bent, initial};
use crate::key::ShardKey;
use crate::layout::model::{Engine, Form, Layout, ZoneRange};
use crate::placing::{OrderKeysAt, OwnerToCart, lies_with_products, placing_key};
use crate::range_map::RangeMap;
use crate::value::Value;

/// The range maps of a sharded store.
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    form: Form,
    shards: u32,
    order_keys: OrderKeysAt,
    owner_to_cart: OwnerToCart,
    maps: BTreeMap<Area, RangeMap>,
}

/// The areas that have ranges of their own in every layout; stock and order keys have them in some.
const PLACED: [Entity; 5] =
    [Entity::Products, Entity::Orders, Entity::Carts, Entity::Sessions, Entity::Accounts];

impl Placement {
    /// The maps that a new store of this layout begins with, and what could not be had as the layout asks for it.
    pub fn new(layout: &Layout, shards: u32, domain: &Domain) -> (Placement, Vec<Note>) {
        let mut placement = Placement {
            form: layout.form,
            shards: shards.max(1),
            order_keys: OrderKeysAt::of(&placing_key(layout, Entity::Orders)),
            owner_to_cart: OwnerToCart::of(&placing_key(layout, Entity::Carts)),
            maps: BTreeMap::new(),
        };
        let mut notes = Vec::new();
        let mut add = |area: Area, key: &ShardKey, splits: &[Vec<Value>], zones: &[ZoneRange]| {
            let (map, bent) = initial(key, splits, zones, shards, domain);
            placement.maps.insert(area, map);
            notes.extend(bent.into_iter().map(|bent| Note { area, bent }));
        };
        let stock = (layout.form == Form::Apart).then_some(Entity::Stock);
        for entity in PLACED.into_iter().chain(stock) {
            let key = placing_key(layout, entity);
            let on_mongodb = layout
                .entities
                .get(&entity)
                .filter(|placed| placed.engine == Engine::MongoDb)
                .and_then(|placed| placed.mongodb.as_ref());
            let (splits, zones) = on_mongodb.map_or((&[][..], &[][..]), |on| (&on.splits[..], &on.zones[..]));
            add(entity.into(), &key, splits, zones);
        }
        add(Area::CartOwners, &ShardKey::hashed("owner_key"), &[], &[]);
        add(Area::OrderKeys, &ShardKey::hashed("user_id"), &[], &[]);
        (placement, notes)
    }

    /// The ranges by which the area is placed. Areas without ranges of their own have those of the area that answers
    /// for them, see [`Placement::home`].
    pub fn map(&self, area: impl Into<Area>) -> &RangeMap {
        let home = self.home(area.into());
        self.maps.get(&home).expect("every home got a map when the placement was made")
    }

    /// Puts another map in force, as after a move or when a store is opened again.
    pub fn replace_map(&mut self, area: impl Into<Area>, map: RangeMap) -> Result<(), OtherKey> {
        let area = area.into();
        let current = self.map(area);
        if current.key() != map.key() {
            return Err(OtherKey { area, expected: current.key().clone(), found: map.key().clone() });
        }
        let home = self.home(area);
        self.maps.insert(home, map);
        Ok(())
    }

    /// The maps that are in force, each once, under the area that owns it.
    pub fn maps(&self) -> impl Iterator<Item = (Area, &RangeMap)> {
        self.maps.iter().map(|(area, map)| (*area, map)).filter(|(area, _)| self.is_used(*area))
    }

    /// The area whose records answer for this one: read models are answered from orders and products, stock lies
    /// inside the product documents unless it is apart, and idempotency keys lie beside the orders where they can.
    pub fn home(&self, area: Area) -> Area {
        match area {
            Area::Entity(Entity::History | Entity::OrderById) => Entity::Orders.into(),
            Area::Entity(Entity::ProductCards) => Entity::Products.into(),
            Area::Entity(stock) if lies_with_products(self.form, stock) => Entity::Products.into(),
            Area::OrderKeys if self.order_keys == OrderKeysAt::BesideOrders => Entity::Orders.into(),
            own => own,
        }
    }

    /// How products and their stock are cut into documents.
    pub fn form(&self) -> Form {
        self.form
    }

    /// How many shards the store has.
    pub fn shards(&self) -> u32 {
        self.shards
    }

    /// Where idempotency keys lie.
    pub fn order_keys(&self) -> OrderKeysAt {
        self.order_keys
    }

    /// How an owner's active cart is found.
    pub fn owner_to_cart(&self) -> OwnerToCart {
        self.owner_to_cart
    }

    fn is_used(&self, area: Area) -> bool {
        self.home(area) == area && (area != Area::CartOwners || self.owner_to_cart == OwnerToCart::LookedUp)
    }
}

/// What could not be had as the layout asks for it, and for which area.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The area.
    pub area: Area,
    /// What was bent.
    pub bent: Bent,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.area, self.bent)
    }
}

/// A map was made for another key than the layout's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the ranges of {area} are for key {found}, but the layout places it by {expected}; open the store with the layout it was made with"
)]
pub struct OtherKey {
    /// The area.
    pub area: Area,
    /// The layout's key.
    pub expected: ShardKey,
    /// The map's key.
    pub found: ShardKey,
}
