//! The layouts that come with the program.

use super::source::Source;
use super::{Loaded, load};

/// The layout that is used if nothing else is said, and whose tables an entity gets that a file leaves out.
pub const DEFAULT_LAYOUT: &str = "category-spread";

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../layouts/", $name, ".toml")))),*]
    };
}

/// Name and text, the layouts first, each followed by its variants.
const SHIPPED: &[(&str, &str)] = shipped![
    "category-spread",
    "category-spread+stock-apart",
    "category",
    "category+products-by-id-hash",
    "category-range",
    "category-range+orders-by-user-range",
    "category-range+products-by-category-hash",
    "category-range+products-by-id-hash",
    "category-range+carts-by-user",
    "geo-zoned",
    "geo-zoned+orders-by-zone",
    "geo-zoned+msk-electronics",
    "geo-zoned+subcategory",
    "price-bands",
    "price-bands+narrow-bands",
    "price-bands+id-beside-category",
    "price-bands+by-geo-zone",
];

/// The names of the shipped layouts, each layout followed by its variants.
pub fn shipped_names() -> Vec<&'static str> {
    SHIPPED.iter().map(|(name, _)| *name).collect()
}

/// The text of a shipped layout.
pub fn shipped_source(name: &str) -> Option<Source> {
    let (name, text) = SHIPPED.iter().find(|(shipped, _)| *shipped == name)?;
    Some(Source::new(format!("layouts/{name}.toml"), *text))
}

/// A shipped layout, read; `None` if none has that name.
pub fn load_shipped(name: &str) -> Option<Loaded> {
    let source = shipped_source(name)?;
    Some(load(&source, &|_| None).expect("every shipped layout is sound, which a test proves"))
}
