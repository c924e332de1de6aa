//! Product documents as they are stored, and the product that they make.

use mongodb::bson::{Bson, Uuid};
use mworld_placement::Form;
use mworld_shop::product::{Attribute, Product, ProductDraft, ZoneStock};
use mworld_shop::search::words;
use mworld_shop::{Category, Currency, Money, ProductId, Timestamp, Zone};
use serde::{Deserialize, Serialize};

use super::home::{Home, zone_id};
use crate::bson::{id, typed, uuid};
use crate::core::Core;
use crate::fault::{Answer, corrupt};

/// A product document: one for the product, or one for each of its zones.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ProductRecord {
    #[serde(rename = "_id")]
    pub(crate) id: Bson,
    pub(crate) product_id: Uuid,
    /// The zone that it stands for, in the form per-zone.
    pub(crate) geo_zone: Option<Zone>,
    pub(crate) category: Category,
    pub(crate) subcategory: Option<String>,
    pub(crate) price: i64,
    pub(crate) currency: Currency,
    pub(crate) name: String,
    /// The words of the name, as search sees them.
    pub(crate) words: Vec<String>,
    pub(crate) description: String,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) listed_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    pub(crate) version: i64,
    pub(crate) withdrawn: bool,
    /// Pieces in every zone, in the form whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stock: Option<Vec<ZoneStock>>,
    /// Pieces in its zone, in the form per-zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) quantity: Option<i64>,
    /// The zones in which there is at least one piece, in the form apart: so that a search need not look at stock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) in_stock: Option<Vec<Zone>>,
    /// The zones whose stock is in buckets, where the stock is in this document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) split: Vec<Split>,
}

/// How the stock of a zone is split into buckets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Split {
    pub(crate) zone: Zone,
    pub(crate) buckets: u32,
}

/// A stock record of its own, in the form apart. It carries what a sale needs to know of the product.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StockRecord {
    #[serde(rename = "_id")]
    pub(crate) id: String,
    pub(crate) product_id: Uuid,
    pub(crate) category: Category,
    pub(crate) geo_zone: Zone,
    pub(crate) quantity: i64,
    pub(crate) name: String,
    pub(crate) price: i64,
    pub(crate) withdrawn: bool,
    /// Its zone, if its stock is in buckets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) split: Vec<Split>,
}

impl ProductRecord {
    /// What a draft says of a product whose first word on it came at this moment.
    pub(crate) fn of_draft(product: ProductId, draft: &ProductDraft, listed_at: Timestamp) -> ProductRecord {
        ProductRecord {
            id: id(product.uuid()),
            product_id: typed(product.uuid()),
            geo_zone: None,
            category: draft.category.clone(),
            subcategory: draft.subcategory.clone(),
            price: draft.price.amount(),
            currency: draft.price.currency(),
            name: draft.name.clone(),
            words: words(&draft.name),
            description: draft.description.clone(),
            attributes: draft.attributes.clone(),
            listed_at,
            updated_at: listed_at,
            version: 1,
            withdrawn: false,
            stock: None,
            quantity: None,
            in_stock: None,
            split: Vec::new(),
        }
    }

    pub(crate) fn product(&self) -> ProductId {
        ProductId::from_uuid(uuid(self.product_id))
    }

    pub(crate) fn home(&self) -> Home {
        Home { category: self.category.clone(), subcategory: self.subcategory.clone(), price: self.price }
    }

    /// The same document as that of one zone.
    pub(crate) fn in_zone(&self, zone: &Zone, quantity: u32) -> ProductRecord {
        ProductRecord {
            id: zone_id(self.product(), zone).into(),
            geo_zone: Some(zone.clone()),
            quantity: Some(quantity.into()),
            ..self.clone()
        }
    }

    /// The stock record of one of its zones, where stock is apart.
    pub(crate) fn stock_in(&self, zone: &Zone, quantity: u32) -> StockRecord {
        StockRecord {
            id: zone_id(self.product(), zone),
            product_id: self.product_id,
            category: self.category.clone(),
            geo_zone: zone.clone(),
            quantity: quantity.into(),
            name: self.name.clone(),
            price: self.price,
            withdrawn: self.withdrawn,
            split: Vec::new(),
        }
    }

    /// The product with this stock.
    pub(crate) fn into_product(self, stock: Vec<ZoneStock>) -> Answer<Product> {
        Ok(Product {
            id: self.product(),
            price: money(self.price, self.currency)?,
            name: self.name,
            description: self.description,
            category: self.category,
            subcategory: self.subcategory,
            attributes: self.attributes,
            stock,
            updated_at: self.updated_at,
            version: u64::try_from(self.version).map_err(|error| corrupt("version", error))?,
            withdrawn: self.withdrawn,
        })
    }
}

/// A price as the shop has it.
pub(crate) fn money(amount: i64, currency: Currency) -> Answer<Money> {
    Money::new(amount, currency).map_err(|error| corrupt("price", error))
}

/// A stored quantity as the shop has it.
pub(crate) fn pieces(quantity: i64) -> Answer<u32> {
    u32::try_from(quantity).map_err(|error| corrupt("quantity", error))
}

/// What the documents themselves say of the stock: nothing where it is apart.
pub(crate) fn stock_inside(core: &Core, documents: &[ProductRecord]) -> Answer<Vec<ZoneStock>> {
    match core.shape.form {
        Form::Whole => Ok(documents.iter().flat_map(|found| found.stock.clone()).flatten().collect()),
        Form::PerZone => {
            let zoned = |found: &ProductRecord| Some((found.geo_zone.clone()?, found.quantity?));
            let stock = documents.iter().filter_map(zoned);
            stock.map(|(zone, quantity)| Ok(ZoneStock { zone, quantity: pieces(quantity)? })).collect()
        }
        Form::Apart => Ok(Vec::new()),
    }
}

/// The pieces in every zone of the store, in the store's order; what has no record is 0.
pub(crate) fn in_every_zone(core: &Core, known: &[ZoneStock]) -> Vec<ZoneStock> {
    let zones = core.settings.zones.iter().map(|zone| &zone.id);
    zones.map(|zone| ZoneStock { zone: zone.clone(), quantity: quantity_in(known, zone) }).collect()
}

/// The pieces in one zone.
pub(crate) fn quantity_in(stock: &[ZoneStock], zone: &Zone) -> u32 {
    stock.iter().find(|stock| stock.zone == *zone).map_or(0, |stock| stock.quantity)
}
