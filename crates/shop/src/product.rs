//! Products and what may be written about them.

use std::ops::Deref;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::error::{Refusal, Result};
use crate::ids::ProductId;
use crate::money::Money;
use crate::name::{Category, Zone};
use crate::settings::Settings;
use crate::time::Timestamp;

/// The most pieces of one product that one zone holds.
pub const MAX_STOCK: u32 = 1_000_000_000;

/// One property of a product, in the order in which it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    /// Such as `color`.
    pub key: String,
    /// Such as `black`.
    pub value: String,
}

/// Pieces in one zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneStock {
    /// Where.
    pub zone: Zone,
    /// How many.
    pub quantity: u32,
}

/// A product as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Product {
    /// Its id.
    pub id: ProductId,
    /// Its name.
    pub name: String,
    /// What it is.
    pub description: String,
    /// Its part of the catalogue.
    pub category: Category,
    /// A finer part, such as `phone`.
    pub subcategory: Option<String>,
    /// Its price.
    pub price: Money,
    /// Its properties.
    pub attributes: Vec<Attribute>,
    /// Pieces in every zone of the store, in the store's order.
    pub stock: Vec<ZoneStock>,
    /// When it was last written; grows with every change of the product itself (not of its stock).
    pub updated_at: Timestamp,
    /// How often it was written.
    pub version: u64,
    /// Withdrawn: not searched, not sold.
    pub withdrawn: bool,
}

/// A product that many are looking at, with a place for the one form in which it is shown to all of them. When
/// anything about it changes, its stock included, it is another one.
#[derive(Debug)]
pub struct Shown {
    product: Product,
    form: OnceLock<Box<[u8]>>,
}

impl Shown {
    /// A product that has not been shown yet.
    pub fn new(product: Product) -> Shown {
        Shown { product, form: OnceLock::new() }
    }

    /// The form in which it is shown, made once.
    pub fn form(&self, make: impl FnOnce(&Product) -> Vec<u8>) -> &[u8] {
        self.form.get_or_init(|| make(&self.product).into_boxed_slice())
    }
}

impl Deref for Shown {
    type Target = Product;

    fn deref(&self) -> &Product {
        &self.product
    }
}

/// What a client writes of a product.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductDraft {
    /// See [`Product::name`].
    pub name: String,
    /// See [`Product::description`].
    pub description: String,
    /// See [`Product::category`].
    pub category: Category,
    /// See [`Product::subcategory`].
    pub subcategory: Option<String>,
    /// See [`Product::price`].
    pub price: Money,
    /// See [`Product::attributes`].
    pub attributes: Vec<Attribute>,
    /// Sets the quantities of the zones it names; others keep theirs.
    pub stock: Option<Vec<ZoneStock>>,
}

/// How to find a product. Hints let a layout keyed by them find it on one shard; a wrong hint only costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductRef {
    /// The product.
    pub id: ProductId,
    /// The category it is probably in.
    pub category: Option<Category>,
    /// The zone the caller is in.
    pub zone: Option<Zone>,
}

impl ProductRef {
    /// By id alone.
    pub const fn by_id(id: ProductId) -> ProductRef {
        ProductRef { id, category: None, zone: None }
    }
}

/// What is sold under a product's id now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// See [`Product::name`].
    pub name: String,
    /// See [`Product::category`].
    pub category: Category,
    /// See [`Product::price`].
    pub price: Money,
    /// See [`Product::withdrawn`].
    pub withdrawn: bool,
}

/// What an upsert did.
#[derive(Debug, Clone, PartialEq)]
pub struct Upserted {
    /// The product as it is now.
    pub product: Product,
    /// Whether it is new.
    pub created: bool,
}

impl ProductDraft {
    /// Checks every rule that a product must keep.
    pub fn check(&self, settings: &Settings) -> Result<()> {
        length("name", &self.name, 1, 200)?;
        length("description", &self.description, 0, 10_000)?;
        settings.category(self.category.as_str())?;
        if let Some(subcategory) = &self.subcategory {
            length("subcategory", subcategory, 1, 64)?;
        }
        self.check_price(settings)?;
        self.check_attributes()?;
        self.check_stock(settings)
    }

    fn check_price(&self, settings: &Settings) -> Result<()> {
        if self.price.currency() != settings.currency {
            let problem =
                format!("is in {}; this store sells in {}", self.price.currency(), settings.currency);
            return Err(invalid("price", problem));
        }
        if self.price.amount() > Money::MAX_PRICE {
            let problem =
                format!("{} is too high; at most {} minor units", self.price.amount(), Money::MAX_PRICE);
            return Err(invalid("price", problem));
        }
        Ok(())
    }

    fn check_attributes(&self) -> Result<()> {
        if self.attributes.len() > 64 {
            let problem = format!("has {} entries; at most 64", self.attributes.len());
            return Err(invalid("attributes", problem));
        }
        for (i, attribute) in self.attributes.iter().enumerate() {
            length("attributes.key", &attribute.key, 1, 64)?;
            length("attributes.value", &attribute.value, 0, 256)?;
            if self.attributes[..i].iter().any(|earlier| earlier.key == attribute.key) {
                return Err(invalid(
                    "attributes",
                    format!("names {:?} twice; name each key once", attribute.key),
                ));
            }
        }
        Ok(())
    }

    fn check_stock(&self, settings: &Settings) -> Result<()> {
        for (i, stock) in self.stock.iter().flatten().enumerate() {
            settings.zone(stock.zone.as_str())?;
            if stock.quantity > MAX_STOCK {
                return Err(Refusal::InvalidStock { given: stock.quantity.into(), max: MAX_STOCK }.into());
            }
            if self.stock.iter().flatten().take(i).any(|earlier| earlier.zone == stock.zone) {
                return Err(invalid(
                    "stock",
                    format!("names zone {} twice; name each zone once", stock.zone),
                ));
            }
        }
        Ok(())
    }
}

fn invalid(field: &'static str, problem: String) -> crate::error::Error {
    Refusal::Invalid { field, problem }.into()
}

fn length(field: &'static str, text: &str, min: usize, max: usize) -> Result<()> {
    let given = text.chars().count();
    if (min..=max).contains(&given) && !text.chars().any(|c| c == '\0') {
        return Ok(());
    }
    Err(invalid(field, format!("has {given} characters; write {min} to {max}, none of them NUL")))
}
