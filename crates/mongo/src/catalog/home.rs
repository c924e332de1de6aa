//! Where a product's documents lie. One record for each product id says it, whatever the layout places the documents
//! by: so an id is unique over all shards, and whoever writes finds the old documents without a search.

use mongodb::bson::{Document, doc};
use mworld_placement::{Constraint, Entity, Form, Value};
use mworld_shop::{Category, ProductId, Zone};
use serde::{Deserialize, Serialize};

use crate::ask::Ask;
use crate::bson::typed;
use crate::collection::Collection;
use crate::core::{Core, document};
use crate::db::{Db, Wanted};
use crate::fault::Answer;

/// Every value besides id and zone that a layout may place a product's documents by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Home {
    pub(crate) category: Category,
    pub(crate) subcategory: Option<String>,
    pub(crate) price: i64,
}

/// The record of an id. Whoever writes documents of the product anew, or makes one, counts here: two of them meet in
/// this record even where they meet in no document.
#[derive(Debug, Serialize)]
pub(super) struct IdRecord {
    #[serde(rename = "_id")]
    id: mongodb::bson::Uuid,
    writes: i64,
    #[serde(flatten)]
    home: Home,
}

impl IdRecord {
    pub(super) fn new(product: ProductId, home: Home) -> IdRecord {
        IdRecord { id: typed(product.uuid()), writes: 1, home }
    }
}

/// The question for the record of an id.
pub(super) fn ask(product: ProductId) -> Ask {
    Ask::own(Collection::ProductIds, product.uuid())
}

/// Where the product's documents lie; `None` if there is no such product. Exact within a transaction.
pub(crate) async fn of(db: &mut Db, product: ProductId) -> Answer<Option<Home>> {
    db.one(&ask(product), Wanted::default()).await
}

/// Counts a write of the product, within the transaction under way: from `old`, as just read, to `new`.
pub(super) async fn settle(db: &mut Db, product: ProductId, old: Option<&Home>, new: &Home) -> Answer<()> {
    if old.is_none() {
        return db.insert(&ask(product), &IdRecord::new(product, new.clone())).await;
    }
    let change = doc! { "$inc": { "writes": 1_i64 }, "$set": document(new) };
    db.update(&ask(product), change).await.map(drop)
}

/// Counts a write that leaves the documents where they are, within the transaction under way.
pub(crate) async fn count(db: &mut Db, product: ProductId) -> Answer<()> {
    let change: Document = doc! { "$inc": { "writes": 1_i64 } };
    db.update(&ask(product), change).await.map(drop)
}

/// What is known of where a product lies.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Hint<'h> {
    /// Nothing but its id.
    Id,
    /// The category it is probably in.
    Category(&'h Category),
    /// Everything.
    Home(&'h Home),
}

impl<'h> From<Option<&'h Category>> for Hint<'h> {
    fn from(category: Option<&'h Category>) -> Hint<'h> {
        category.map_or(Hint::Id, Hint::Category)
    }
}

impl Hint<'_> {
    fn on_products(self, ask: Ask) -> Ask {
        match self {
            Hint::Id => ask,
            Hint::Category(category) => ask.known("category", category.as_str()),
            Hint::Home(home) => ask
                .known("category", home.category.as_str())
                .known("subcategory", home.subcategory.as_deref().map_or(Value::Null, Value::from))
                .known("price", home.price),
        }
    }

    /// Stock records are placed by no more than the category. Where they are not placed by it either, it is not
    /// asked for: then a hint that is wrong costs nothing.
    fn on_stock(self, core: &Core, ask: Ask) -> Ask {
        let category = match self {
            Hint::Id => None,
            Hint::Category(category) => Some(category),
            Hint::Home(home) => Some(&home.category),
        };
        match category.filter(|_| is_placed_by(core, Entity::Stock, "category")) {
            Some(category) => ask.known("category", category.as_str()),
            None => ask,
        }
    }
}

/// Whether the layout places the entity by this field.
pub(super) fn is_placed_by(core: &Core, entity: Entity, field: &str) -> bool {
    key_fields(core, entity).any(|known| known == field)
}

fn key_fields(core: &Core, entity: Entity) -> impl Iterator<Item = &str> {
    let on = core.layout.entities.get(&entity).and_then(|placed| placed.mongodb.as_ref());
    on.into_iter().flat_map(|on| on.shard_key.fields()).map(|field| field.name.as_str())
}

/// Whether the stock record of a zone is reached on one shard by whoever knows its product's category.
pub(crate) fn stock_is_found_by_category(core: &Core) -> bool {
    let known = |field: &str| ["product_id", "category", "geo_zone"].contains(&field);
    core.shape.form == Form::Apart || key_fields(core, Entity::Products).all(known)
}

/// Any of the zones that the store has ever had.
pub(crate) fn any_zone(core: &Core) -> Constraint {
    Constraint::In(core.zones.iter().map(|zone| Value::from(zone.as_str())).collect())
}

/// All documents of a product.
pub(crate) fn documents(core: &Core, product: ProductId, hint: Hint<'_>) -> Ask {
    let ask = hint.on_products(Ask::of(Entity::Products).known("product_id", product.uuid()));
    if core.shape.form == Form::PerZone { ask.within("geo_zone", any_zone(core)) } else { ask }
}

/// The one document of a product that stands for this zone.
pub(crate) fn document_in(core: &Core, product: ProductId, hint: Hint<'_>, zone: &Zone) -> Ask {
    let ask = hint.on_products(Ask::of(Entity::Products).known("product_id", product.uuid()));
    if core.shape.form != Form::PerZone {
        return ask;
    }
    ask.known("geo_zone", zone.as_str()).also("_id", zone_id(product, zone))
}

/// All stock records of a product, where they are apart.
pub(crate) fn stock_records(core: &Core, product: ProductId, hint: Hint<'_>) -> Ask {
    let ask = Ask::of(Entity::Stock).known("product_id", product.uuid());
    hint.on_stock(core, ask).within("geo_zone", any_zone(core))
}

/// The stock record of a zone, where they are apart.
pub(crate) fn stock_record(core: &Core, product: ProductId, hint: Hint<'_>, zone: &Zone) -> Ask {
    let ask = Ask::of(Entity::Stock).known("product_id", product.uuid());
    hint.on_stock(core, ask).known("geo_zone", zone.as_str()).also("_id", zone_id(product, zone))
}

/// The id of a record that is one for each product and zone.
pub(crate) fn zone_id(product: ProductId, zone: &Zone) -> String {
    format!("{product}/{zone}")
}
