//! Calls about products and their stock.
//!
//! Zones are configuration, so a call that does not know the zone can still name all of them; categories are not used
//! that way, because an id must be found even under a category that was since taken out of the configuration.

use super::{Call, Knows, Touch, Whose, call, touch};
use crate::entity::Entity;
use crate::layout::model::Form;
use crate::operation::Operation;

const ID: (&str, Knows) = ("product_id", Knows::Value);
const CATEGORY: (&str, Knows) = ("category", Knows::Value);
const SUBCATEGORY: (&str, Knows) = ("subcategory", Knows::Value);
const PRICE: (&str, Knows) = ("price", Knows::Value);
const PRICE_RANGE: (&str, Knows) = ("price", Knows::Span);
const ZONE: (&str, Knows) = ("geo_zone", Knows::Value);
const ANY_ZONE: (&str, Knows) = ("geo_zone", Knows::AnyZone);

pub(super) fn calls(form: Form) -> Vec<Call> {
    let products = |knows: &[(&'static str, Knows)]| touch(Entity::Products, Whose::Line(0), knows);
    let stock = |knows: &[(&'static str, Knows)]| touch(Entity::Stock, Whose::Line(0), knows);
    let mut calls = vec![
        call(Operation::CatalogSearch, "in a category and zone", products(&[CATEGORY, ZONE])),
        call(
            Operation::CatalogSearch,
            "in a category, zone and price range",
            products(&[CATEGORY, ZONE, PRICE_RANGE]),
        ),
        call(Operation::CatalogSearch, "in a category", products(&[CATEGORY, ANY_ZONE])),
        call(Operation::CatalogSearch, "by words alone", products(&[ANY_ZONE])),
        call(Operation::CatalogProduct, "by id and category", products(&[ID, CATEGORY, ANY_ZONE])),
        call(Operation::CatalogProduct, "by id and category, one zone only", products(&[ID, CATEGORY, ZONE])),
        call(Operation::CatalogProduct, "by id alone", products(&[ID, ANY_ZONE])),
        call(Operation::CatalogStock, "by id and category", stock(&[ID, CATEGORY, ANY_ZONE])),
        call(Operation::CatalogStock, "by id alone", stock(&[ID, ANY_ZONE])),
        call(Operation::CatalogAdjust, "finding the product by id alone", products(&[ID, ANY_ZONE])),
        call(
            Operation::CatalogAdjust,
            "writing, once the product is found",
            stock(&[ID, CATEGORY, SUBCATEGORY, PRICE, ZONE]),
        ),
        call(Operation::CatalogUpsert, "proving that the id is unique", products(&[ID, ANY_ZONE])),
        call(
            Operation::CatalogUpsert,
            "writing the product",
            products(&[ID, CATEGORY, SUBCATEGORY, PRICE, ANY_ZONE]),
        ),
    ];
    if form == Form::Apart {
        calls.extend([
            call(Operation::CatalogSearch, "stock of a product found", stock(&[ID, CATEGORY, ZONE])),
            call(Operation::CatalogProduct, "its stock", stock(&[ID, CATEGORY, ANY_ZONE])),
            call(Operation::CatalogUpsert, "writing its stock", stock(&[ID, CATEGORY, ANY_ZONE])),
        ]);
        calls.sort_by_key(|call| call.operation);
    }
    calls
}

/// The name and price of a product in the buyer's zone.
pub(super) fn product_in_zone(line: usize) -> Touch {
    touch(Entity::Products, Whose::Line(line), &[ID, CATEGORY, ZONE])
}

/// The same where the client does not say the category.
pub(super) fn product_by_id(line: usize) -> Touch {
    touch(Entity::Products, Whose::Line(line), &[ID, ZONE])
}

/// The stock of a cart's line in the buyer's zone. The line carries the category but not the current price.
pub(super) fn stock_in_zone(line: usize) -> Touch {
    touch(Entity::Stock, Whose::Line(line), &[ID, CATEGORY, ZONE])
}
