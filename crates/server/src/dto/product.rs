//! Products and stock.

use std::sync::Arc;

use mworld_shop::product::{Attribute, MAX_STOCK, Product, ProductDraft, Shown, ZoneStock};
use mworld_shop::{ProductId, Refusal, Settings};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::Moment;
use super::money::{MoneyBody, MoneyJson, PriceBody};
use super::names::{CategoryName, ZoneName};
use super::object::Object;
use super::whole::whole;
use crate::problem::Problem;

/// A product.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Product)]
pub(crate) struct ProductJson<'a> {
    id: Uuid,
    name: &'a str,
    description: &'a str,
    category: &'a str,
    #[schema(required = true)]
    subcategory: Option<&'a str>,
    price: MoneyJson,
    attributes: Vec<AttributeJson<'a>>,
    /// Pieces in every zone of the store.
    stock: Vec<StockJson<'a>>,
    updated_at: Moment,
    /// How often it was written.
    version: u64,
}

/// One property of a product.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Attribute)]
struct AttributeJson<'a> {
    key: &'a str,
    value: &'a str,
}

/// Pieces in one zone.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ZoneStock)]
struct StockJson<'a> {
    zone: &'a str,
    quantity: u32,
}

/// The exact stock of a product.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProductStock)]
pub(crate) struct ProductStockJson<'a> {
    product_id: Uuid,
    stock: Vec<StockJson<'a>>,
}

impl<'a> From<&'a Product> for ProductJson<'a> {
    fn from(product: &'a Product) -> ProductJson<'a> {
        let attribute = |known: &'a Attribute| AttributeJson { key: &known.key, value: &known.value };
        ProductJson {
            id: product.id.uuid(),
            name: &product.name,
            description: &product.description,
            category: product.category.as_str(),
            subcategory: product.subcategory.as_deref(),
            price: product.price.into(),
            attributes: product.attributes.iter().map(attribute).collect(),
            stock: stock(&product.stock),
            updated_at: Moment(product.updated_at),
            version: product.version,
        }
    }
}

/// The JSON of a product, made once for all who look at it.
pub(crate) fn shown(product: &Shown) -> &[u8] {
    product.form(|product| {
        serde_json::to_vec(&ProductJson::from(product)).expect("a product has text keys only")
    })
}

/// The JSON of a page of products: a [`super::List`] of what each of them is shown as.
pub(crate) fn shown_page(products: &[Arc<Shown>], next: Option<String>) -> Vec<u8> {
    let items: Vec<&[u8]> = products.iter().map(|product| shown(product)).collect();
    let next = next.map_or("null".to_owned(), |cursor| format!("\"{cursor}\""));
    let size = items.iter().map(|item| item.len() + 1).sum::<usize>() + next.len() + 24;
    let mut page = Vec::with_capacity(size);
    page.extend_from_slice(b"{\"items\":[");
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            page.push(b',');
        }
        page.extend_from_slice(item);
    }
    page.extend_from_slice(b"],\"next\":");
    page.extend_from_slice(next.as_bytes());
    page.push(b'}');
    page
}

impl<'a> ProductStockJson<'a> {
    pub(crate) fn new(product: ProductId, zones: &'a [ZoneStock]) -> ProductStockJson<'a> {
        ProductStockJson { product_id: product.uuid(), stock: stock(zones) }
    }
}

fn stock(zones: &[ZoneStock]) -> Vec<StockJson<'_>> {
    zones.iter().map(|known| StockJson { zone: known.zone.as_str(), quantity: known.quantity }).collect()
}

/// What an operator writes of a product. `stock` sets the quantities of the zones it names.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProductBody {
    #[schema(min_length = 1, max_length = 200, pattern = "^[^\\u0000]*$")]
    name: String,
    #[serde(default)]
    #[schema(max_length = 10_000, pattern = "^[^\\u0000]*$")]
    description: String,
    #[schema(value_type = CategoryName)]
    category: String,
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]*$")]
    subcategory: Option<String>,
    #[schema(value_type = PriceBody)]
    price: Object<MoneyBody>,
    #[serde(default)]
    #[schema(max_items = 64, value_type = Vec<AttributeBody>)]
    attributes: Vec<Object<AttributeBody>>,
    #[schema(value_type = Option<Vec<StockBody>>)]
    stock: Option<Vec<Object<StockBody>>>,
}

/// One property of a product.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AttributeBody {
    #[schema(min_length = 1, max_length = 64, pattern = "^[^\\u0000]*$")]
    key: String,
    #[schema(max_length = 256, pattern = "^[^\\u0000]*$")]
    value: String,
}

/// Pieces in one zone.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct StockBody {
    #[schema(value_type = ZoneName)]
    zone: String,
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 1_000_000_000)]
    quantity: i64,
}

impl ProductBody {
    /// The draft, with every name known to the store.
    pub(crate) fn read(self, settings: &Settings) -> Result<ProductDraft, Problem> {
        let zones = self.stock.map(|zones| zones.iter().map(|zone| zone.0.read(settings)).collect());
        let attribute =
            |Object(given): Object<AttributeBody>| Attribute { key: given.key, value: given.value };
        Ok(ProductDraft {
            name: self.name,
            description: self.description,
            category: settings.category(&self.category)?,
            subcategory: self.subcategory,
            price: self.price.0.read("price")?,
            attributes: self.attributes.into_iter().map(attribute).collect(),
            stock: zones.transpose()?,
        })
    }
}

impl StockBody {
    fn read(&self, settings: &Settings) -> Result<ZoneStock, Problem> {
        let zone = settings.zone(&self.zone)?;
        let quantity = u32::try_from(self.quantity)
            .map_err(|_| Refusal::InvalidStock { given: self.quantity, max: MAX_STOCK })?;
        Ok(ZoneStock { zone, quantity })
    }
}

/// A change of stock: a delivery, a correction.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StockChangeBody {
    #[schema(value_type = ZoneName)]
    pub(crate) zone: String,
    /// Pieces that come (or, negative, go); not zero.
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = -1_000_000_000, maximum = 1_000_000_000)]
    pub(crate) delta: i64,
}
