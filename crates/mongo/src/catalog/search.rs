//! A page of a search: one question for the products, and one for their stock where it is apart.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use mworld_placement::{Constraint, Entity, Form, Value};
use mworld_shop::product::{Product, Shown, ZoneStock};
use mworld_shop::search::{Search, Sort};
use mworld_shop::{Page, Position, ProductId};

use super::filter;
use super::find::{add, zone_stock};
use super::home::{any_zone, is_placed_by};
use super::record::{ProductRecord, StockRecord, in_every_zone, stock_inside};
use crate::ask::Ask;
use crate::bson::uuid;
use crate::db::{Db, Wanted};
use crate::fault::Answer;
use crate::stock::buckets;

pub(super) async fn page(db: &mut Db, search: &Search) -> Answer<Page<Arc<Shown>>> {
    let size = search.page_size().get();
    let documents = size * most_documents(db, search) + 1;
    let wanted = Wanted {
        sort: Some(filter::sort(&db.core, search.sort)),
        limit: Some(i64::try_from(documents).unwrap_or(i64::MAX)),
        projection: None,
    };
    let found = db.all(&filter::ask(&db.core, search), wanted).await?;
    let mut products = grouped(found);
    let more = products.len() > size;
    products.truncate(size);
    let last = products.last().and_then(|documents| documents.first());
    let next = last.filter(|_| more).map(|last| position(search.sort, last));
    let mut apart = stock_apart(db, search, &products).await?;
    for document in products.iter().flatten().filter(|document| !document.split.is_empty()) {
        let inside = buckets::sums(db, document.product(), &document.split).await?;
        apart.extend(inside.into_iter().map(|inside| (document.product(), inside)));
    }
    let mut items = Vec::with_capacity(products.len());
    for documents in products {
        let product = shown(db, search, documents, &apart)?;
        items.extend(product.map(|product| Arc::new(Shown::new(product))));
    }
    Ok(Page { items, next })
}

/// How many documents of one product a search may find: where each zone has its own, all that it does not exclude.
fn most_documents(db: &Db, search: &Search) -> usize {
    let every_zone = db.core.shape.form == Form::PerZone && search.zone.is_none();
    if every_zone { db.core.zones.len().max(1) } else { 1 }
}

/// The documents of each product together. They come in a row, since they share sort value and id; those of one that
/// a write is just changing may come apart, and only the first ones count.
fn grouped(found: Vec<ProductRecord>) -> Vec<Vec<ProductRecord>> {
    let mut products: Vec<Vec<ProductRecord>> = Vec::new();
    let mut seen = HashSet::new();
    for document in found {
        match products.last_mut() {
            Some(last) if last[0].product_id == document.product_id => last.push(document),
            _ if seen.insert(document.product_id) => products.push(vec![document]),
            _ => {}
        }
    }
    products
}

fn position(sort: Sort, document: &ProductRecord) -> Position {
    let value = match sort {
        Sort::PriceUp | Sort::PriceDown => document.price,
        Sort::Newest => document.listed_at.micros(),
    };
    Position { value, id: uuid(document.product_id) }
}

/// Whether a search within one zone has that zone's stock records in reach, and no others.
fn only_own_zone(db: &Db) -> bool {
    match db.core.shape.form {
        Form::Whole => false,
        Form::PerZone => true,
        Form::Apart => is_placed_by(&db.core, Entity::Stock, "geo_zone"),
    }
}

/// The stock of the products found, where it is apart.
async fn stock_apart(
    db: &mut Db,
    search: &Search,
    products: &[Vec<ProductRecord>],
) -> Answer<Vec<(ProductId, ZoneStock)>> {
    if db.core.shape.form != Form::Apart || products.is_empty() {
        return Ok(Vec::new());
    }
    let documents = || products.iter().flatten();
    let ids = documents().map(|document| Value::from(document.product().uuid())).collect();
    let zone = search.zone.as_ref().filter(|_| only_own_zone(db));
    let zone = zone.map(|zone| Constraint::Eq(zone.as_str().into()));
    let mut ask = Ask::of(Entity::Stock)
        .within("product_id", Constraint::In(ids))
        .within("geo_zone", zone.unwrap_or_else(|| any_zone(&db.core)));
    if is_placed_by(&db.core, Entity::Stock, "category") {
        let categories: BTreeSet<&str> = documents().map(|document| document.category.as_str()).collect();
        ask = ask.within("category", Constraint::In(categories.into_iter().map(Value::from).collect()));
    }
    let records: Vec<StockRecord> = db.all(&ask, Wanted::default()).await?;
    let mut stock = Vec::with_capacity(records.len());
    for record in records {
        let product = ProductId::from_uuid(uuid(record.product_id));
        let inside = buckets::sums(db, product, &record.split).await?;
        stock.push((product, zone_stock(record)?));
        stock.extend(inside.into_iter().map(|inside| (product, inside)));
    }
    Ok(stock)
}

/// The product as the search shows it, with the stock that it has in reach.
fn shown(
    db: &Db,
    search: &Search,
    documents: Vec<ProductRecord>,
    apart: &[(ProductId, ZoneStock)],
) -> Answer<Option<Product>> {
    let mut stock = stock_inside(&db.core, &documents)?;
    let Some(document) = documents.into_iter().next() else { return Ok(None) };
    let id = document.product();
    for (_, more) in apart.iter().filter(|(product, _)| *product == id) {
        add(&mut stock, more.clone());
    }
    let mut stock = in_every_zone(&db.core, &stock);
    if let Some(zone) = search.zone.as_ref().filter(|_| only_own_zone(db)) {
        stock.retain(|stock| stock.zone == *zone);
    }
    document.into_product(stock).map(Some)
}
