//! Which shards a record lies on and a question goes to: the layout's maps, asked in the shop's words.

use mworld_placement::{
    Area, Constraint, Entity, Form, OwnerToCart, Placement, Route, ShardId, Value, key_values,
};
use mworld_shop::cart::Owner;
use mworld_shop::{Category, OrderId, ProductId, SessionId, UserId, Zone};
use uuid::Uuid;

/// The maps of one store.
#[derive(Debug)]
pub(crate) struct Router {
    placement: Placement,
    zones: Vec<Zone>,
}

/// What of a product decides where its documents lie.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProductKey<'a> {
    pub(crate) id: ProductId,
    pub(crate) category: &'a str,
    pub(crate) subcategory: Option<&'a str>,
    pub(crate) price: i64,
}

/// What of a cart decides where it lies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CartKey<'a> {
    pub(crate) owner: Owner,
    pub(crate) cart_id: Uuid,
    pub(crate) session: Uuid,
    pub(crate) zone: &'a str,
    pub(crate) status: &'a str,
}

fn text(value: &str) -> Value {
    Value::Str(value.to_owned())
}

fn optional_text(value: Option<&str>) -> Value {
    value.map_or(Value::Null, text)
}

fn optional_id(value: Option<UserId>) -> Value {
    value.map_or(Value::Null, |user| Value::Uuid(user.uuid()))
}

/// The user if there is one, else the session: so a user's cart lies beside the user's orders where both are
/// hashed by it.
fn owner_key(owner: Owner) -> Value {
    match owner {
        Owner::Guest(session) => Value::Uuid(session.uuid()),
        Owner::User(user) => Value::Uuid(user.uuid()),
    }
}

fn one_zone(zone: &Zone) -> Constraint {
    Constraint::Eq(text(zone.as_str()))
}

/// The month of a moment, such as `2026-11`: how long histories are cut into partitions.
fn period(order: OrderId) -> Value {
    text(&order.created_at().to_string()[..7])
}

impl Router {
    pub(crate) fn new(placement: Placement, zones: Vec<Zone>) -> Router {
        Router { placement, zones }
    }

    pub(crate) fn placement(&self) -> &Placement {
        &self.placement
    }

    pub(crate) fn form(&self) -> Form {
        self.placement.form()
    }

    /// Under which name an area's records are counted: some lie inside another's.
    pub(crate) fn home(&self, area: impl Into<Area>) -> Area {
        self.placement.home(area.into())
    }

    fn shard(&self, area: impl Into<Area>, value_of: impl FnMut(&str) -> Value) -> ShardId {
        let map = self.placement.map(area);
        map.shard_of(&key_values(map.key(), value_of))
    }

    fn route(&self, area: impl Into<Area>, known: &[(&str, Constraint)]) -> Route {
        self.placement.map(area).route(known).route
    }

    /// Where a product's document lies; `zone` is the document's in the form per-zone.
    pub(crate) fn product(&self, key: ProductKey<'_>, zone: Option<&Zone>) -> ShardId {
        self.shard(Entity::Products, |field| match field {
            "product_id" => Value::Uuid(key.id.uuid()),
            "category" => text(key.category),
            "subcategory" => optional_text(key.subcategory),
            "price" => Value::Int(key.price),
            "geo_zone" => optional_text(zone.map(Zone::as_str)),
            _ => Value::Null,
        })
    }

    /// Where the stock of a product in a zone lies, given where its document for that zone does.
    pub(crate) fn stock(&self, id: ProductId, category: &str, zone: &Zone, document: ShardId) -> ShardId {
        if self.form() != Form::Apart {
            return document;
        }
        self.shard(Entity::Stock, |field| match field {
            "product_id" => Value::Uuid(id.uuid()),
            "category" => text(category),
            "geo_zone" => text(zone.as_str()),
            _ => Value::Null,
        })
    }

    /// Where a product's documents may be, by id and whatever else is known; `zone` narrows to one zone's document.
    pub(crate) fn find_product(
        &self,
        id: ProductId,
        category: Option<&Category>,
        zone: Option<&Zone>,
    ) -> Route {
        let mut known = vec![("product_id", Constraint::Eq(Value::Uuid(id.uuid())))];
        known.extend(category.map(|category| ("category", Constraint::Eq(text(category.as_str())))));
        known.extend(self.zone_constraint(zone));
        self.route(Entity::Products, &known)
    }

    /// Every zone that the store has ever had: a record keeps the zone it was written with.
    fn any_zone(&self) -> Constraint {
        Constraint::In(self.zones.iter().map(|zone| text(zone.as_str())).collect())
    }

    /// In the form per-zone every document has a zone, so that even «all of them» is a list of zones.
    fn zone_constraint(&self, zone: Option<&Zone>) -> Option<(&'static str, Constraint)> {
        if self.form() != Form::PerZone {
            return None;
        }
        let constraint = zone.map_or_else(|| self.any_zone(), one_zone);
        Some(("geo_zone", constraint))
    }

    /// Where a search has to look.
    pub(crate) fn search(&self, search: &mworld_shop::search::Search) -> Route {
        let mut known = Vec::with_capacity(4);
        if let Some(category) = &search.category {
            known.push(("category", Constraint::Eq(text(category.as_str()))));
        }
        if let Some(subcategory) = &search.subcategory {
            known.push(("subcategory", Constraint::Eq(text(subcategory))));
        }
        if search.min_price.is_some() || search.max_price.is_some() {
            let (min, max) = (search.min_price.map(Value::Int), search.max_price.map(Value::Int));
            known.push(("price", Constraint::Range { min, max }));
        }
        known.extend(self.zone_constraint(search.zone.as_ref()));
        self.route(Entity::Products, &known)
    }

    /// Where an order lies.
    pub(crate) fn order(&self, id: OrderId, user: UserId, zone: &str, status: &str) -> ShardId {
        self.shard(Entity::Orders, |field| match field {
            "order_id" => Value::Uuid(id.uuid()),
            "user_id" => Value::Uuid(user.uuid()),
            "geo_zone" => text(zone),
            "created_at" => Value::Int(id.created_at().micros()),
            "status" => text(status),
            "period" => period(id),
            _ => Value::Null,
        })
    }

    /// Where an order may be.
    pub(crate) fn find_order(&self, id: OrderId, user: Option<UserId>) -> Route {
        let mut known = vec![
            ("order_id", Constraint::Eq(Value::Uuid(id.uuid()))),
            ("created_at", Constraint::Eq(Value::Int(id.created_at().micros()))),
            ("period", Constraint::Eq(period(id))),
            ("geo_zone", self.any_zone()),
        ];
        known.extend(user.map(|user| ("user_id", Constraint::Eq(Value::Uuid(user.uuid())))));
        self.route(Entity::Orders, &known)
    }

    /// Where a list of orders has to look.
    pub(crate) fn list_orders(&self, user: Option<UserId>, query: &mworld_shop::order::OrderQuery) -> Route {
        let mut known = Vec::with_capacity(4);
        known.extend(user.map(|user| ("user_id", Constraint::Eq(Value::Uuid(user.uuid())))));
        known.push(("geo_zone", query.zone.as_ref().map_or_else(|| self.any_zone(), one_zone)));
        known.extend(query.status.map(|status| ("status", Constraint::Eq(text(status.name())))));
        if query.from.is_some() || query.to.is_some() {
            let (min, max) = (
                query.from.map(|from| Value::Int(from.micros())),
                query.to.map(|to| Value::Int(to.micros())),
            );
            known.push(("created_at", Constraint::Range { min, max }));
        }
        self.route(Entity::Orders, &known)
    }

    /// Where a user's idempotency keys lie.
    pub(crate) fn order_keys(&self, user: UserId) -> ShardId {
        self.shard(Area::OrderKeys, |_| Value::Uuid(user.uuid()))
    }

    /// How an owner's cart is found.
    pub(crate) fn owner_to_cart(&self) -> OwnerToCart {
        self.placement.owner_to_cart()
    }

    /// Where the look-up of an owner's cart lies.
    pub(crate) fn cart_owner(&self, owner: Owner) -> ShardId {
        self.shard(Area::CartOwners, |_| owner_key(owner))
    }

    /// Where an owner's cart lies, if that follows from the owner.
    pub(crate) fn cart_of_owner(&self, owner: Owner) -> ShardId {
        self.shard(Entity::Carts, |field| match field {
            "owner_key" => owner_key(owner),
            "user_id" => optional_id(owner.user()),
            _ => Value::Null,
        })
    }

    /// Where a cart lies.
    pub(crate) fn cart(&self, key: CartKey<'_>) -> ShardId {
        self.shard(Entity::Carts, |field| match field {
            "cart_id" => Value::Uuid(key.cart_id),
            "owner_key" => owner_key(key.owner),
            "user_id" => optional_id(key.owner.user()),
            "session_id" => Value::Uuid(key.session),
            "geo_zone" => text(key.zone),
            "status" => text(key.status),
            _ => Value::Null,
        })
    }

    /// Where a session lies.
    pub(crate) fn session(&self, id: SessionId, user: Option<UserId>, zone: &Zone) -> ShardId {
        self.shard(Entity::Sessions, |field| match field {
            "session_id" => Value::Uuid(id.uuid()),
            "user_id" => optional_id(user),
            "geo_zone" => text(zone.as_str()),
            _ => Value::Null,
        })
    }

    /// Where a session may be.
    pub(crate) fn find_session(&self, id: SessionId) -> Route {
        self.route(Entity::Sessions, &[("session_id", Constraint::Eq(Value::Uuid(id.uuid())))])
    }

    /// Where an account lies: the layout's key is its e-mail.
    pub(crate) fn account(&self, email: &str) -> ShardId {
        self.shard(Entity::Accounts, |_| text(email))
    }

    /// Every shard that holds some of an area.
    pub(crate) fn every(&self, area: impl Into<Area>) -> Vec<ShardId> {
        self.placement.map(area).owners().to_vec()
    }
}
