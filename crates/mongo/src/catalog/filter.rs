//! A search as a question to the cluster: every filter stands in it, none is left to the store.

use mongodb::bson::{Bson, Document, Regex, doc};
use mworld_placement::{Constraint, Entity, Form, Value};
use mworld_shop::Position;
use mworld_shop::search::{Search, Sort, words};

use super::home::any_zone;
use crate::ask::Ask;
use crate::bson::id;
use crate::core::Core;

/// The documents that a search finds, from its position on.
pub(super) fn ask(core: &Core, search: &Search) -> Ask {
    let mut ask = Ask::of(Entity::Products).also("withdrawn", false);
    if let Some(category) = &search.category {
        ask = ask.known("category", category.as_str());
    }
    if let Some(subcategory) = &search.subcategory {
        ask = ask.known("subcategory", subcategory.as_str());
    }
    let (min, max) = prices(search);
    if min.is_some() || max.is_some() {
        ask = ask.within("price", Constraint::Range { min: min.map(Value::Int), max: max.map(Value::Int) });
    }
    ask = in_stock(core, search, ask);
    if let Some(q) = &search.q {
        let named = named(q);
        if !named.is_empty() {
            ask = ask.also("words", doc! { "$all": named });
        }
    }
    if !search.attributes.is_empty() {
        // In the order in which they are stored: so a whole one is looked up in their index.
        let has = |(key, value): &(String, String)| doc! { "key": key, "value": value };
        ask = ask.also("attributes", doc! { "$all": search.attributes.iter().map(has).collect::<Vec<_>>() });
    }
    match search.after {
        Some(after) => beyond(core, search.sort, after, ask),
        None => ask,
    }
}

/// The prices that can still come: those asked for and, in the order of prices, those from the position on.
fn prices(search: &Search) -> (Option<i64>, Option<i64>) {
    let (mut min, mut max) = (search.min_price, search.max_price);
    match (search.sort, search.after) {
        (Sort::PriceUp, Some(after)) => min = Some(min.map_or(after.value, |min| min.max(after.value))),
        (Sort::PriceDown, Some(after)) => max = Some(max.map_or(after.value, |max| max.min(after.value))),
        _ => {}
    }
    (min, max)
}

fn in_stock(core: &Core, search: &Search, ask: Ask) -> Ask {
    let some = doc! { "$gt": 0 };
    match (core.shape.form, &search.zone) {
        (Form::PerZone, Some(zone)) => ask.known("geo_zone", zone.as_str()).also("quantity", some),
        (Form::PerZone, None) => ask.within("geo_zone", any_zone(core)),
        (Form::Whole, Some(zone)) => {
            ask.also("stock", doc! { "$elemMatch": { "zone": zone.as_str(), "quantity": some } })
        }
        (Form::Apart, Some(zone)) => ask.also("in_stock", zone.as_str()),
        (Form::Whole | Form::Apart, None) => ask,
    }
}

/// Every word, and the last as a beginning. Words are letters and digits: none means anything to an expression.
fn named(q: &str) -> Vec<Bson> {
    let words = words(q);
    let Some((last, whole)) = words.split_last() else { return Vec::new() };
    let beginning = Regex { pattern: cstr(&format!("^{last}")), options: cstr("") };
    whole.iter().map(|word| Bson::from(word.as_str())).chain([Bson::RegularExpression(beginning)]).collect()
}

fn cstr(text: &str) -> mongodb::bson::raw::CString {
    text.to_owned().try_into().expect("words hold letters and digits, and no NUL")
}

/// Behind the last product that was seen, in the order of sort value and id.
fn beyond(core: &Core, sort: Sort, after: Position, ask: Ask) -> Ask {
    let (field, operator) = match sort {
        Sort::PriceUp => ("price", "$gt"),
        Sort::PriceDown => ("price", "$lt"),
        Sort::Newest => ("listed_at", "$lt"),
    };
    let further = doc! { field: { operator: after.value } };
    let same = doc! { field: after.value, id_field(core): { operator: id(after.id) } };
    let ask = ask.also("$or", vec![further, same]);
    // The prices' own bounds say as much already; a moment has none, and an index wants one.
    if sort == Sort::Newest { ask.also("listed_at", doc! { "$lte": after.value }) } else { ask }
}

/// The order of the documents.
pub(super) fn sort(core: &Core, sort: Sort) -> Document {
    match sort {
        Sort::PriceUp => doc! { "price": 1, id_field(core): 1 },
        Sort::PriceDown => doc! { "price": -1, id_field(core): -1 },
        Sort::Newest => doc! { "listed_at": -1, id_field(core): -1 },
    }
}

fn id_field(core: &Core) -> &'static str {
    if core.shape.form == Form::PerZone { "product_id" } else { "_id" }
}
