//! Finding one product: where the hint says, else by its id, and a miss is confirmed.

use mongodb::bson::{Document, doc};
use mworld_placement::Form;
use mworld_shop::product::{Offer, Product, ProductRef, ZoneStock};
use mworld_shop::{Category, Currency, ProductId};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::home::{self, Hint, document_in, stock_records};
use super::record::{ProductRecord, Split, StockRecord, in_every_zone, money, pieces, stock_inside};
use crate::ask::Ask;
use crate::db::{Db, Wanted};
use crate::fault::Answer;
use crate::stock::buckets;
use crate::transaction::in_transaction;

/// Every document of a product that lies where the hint says, the last written first.
pub(crate) async fn documents(db: &mut Db, product: ProductId, hint: Hint<'_>) -> Answer<Vec<ProductRecord>> {
    let ask = home::documents(&db.core, product, hint);
    let mut found: Vec<ProductRecord> = db.all(&ask, Wanted::default()).await?;
    // A read that goes to several shards may meet a write half-way: then the newer documents tell.
    found.sort_by_key(|document| std::cmp::Reverse(document.version));
    Ok(found)
}

/// The product with all its zones, withdrawn or not.
pub(crate) async fn product(db: &mut Db, wanted: &ProductRef) -> Answer<Option<Product>> {
    for hint in hints(wanted.category.as_ref()) {
        let found = documents(db, wanted.id, hint).await?;
        let held = held(db, &found).await?;
        if !held.split.is_empty() {
            // Home and buckets add up only at one moment of all shards.
            break;
        }
        if !held.stock.is_empty() {
            return with_stock(db, found, &held.stock);
        }
    }
    // A product on its way from one shard to another can be missed on both; at one moment of all shards it cannot.
    in_transaction!(db, product_at_once(db, wanted.id))
}

/// What to look by, the best first.
fn hints(category: Option<&Category>) -> impl Iterator<Item = Hint<'_>> {
    category.map(Hint::Category).into_iter().chain([Hint::Id])
}

async fn product_at_once(db: &mut Db, product: ProductId) -> Answer<Option<Product>> {
    let Some(home) = home::of(db, product).await? else { return Ok(None) };
    let found = documents(db, product, Hint::Home(&home)).await?;
    assemble(db, found).await
}

/// Makes a product of its documents.
pub(crate) async fn assemble(db: &mut Db, documents: Vec<ProductRecord>) -> Answer<Option<Product>> {
    let stock = stock_of(db, &documents).await?;
    with_stock(db, documents, &stock)
}

fn with_stock(db: &Db, documents: Vec<ProductRecord>, stock: &[ZoneStock]) -> Answer<Option<Product>> {
    let stock = in_every_zone(&db.core, stock);
    documents.into_iter().next().map(|document| document.into_product(stock)).transpose()
}

/// What the records of a product's stock say.
pub(super) struct Held {
    /// Pieces in every zone that has a record, without those in buckets.
    stock: Vec<ZoneStock>,
    /// How the stock of each zone is split that is.
    pub(super) split: Vec<Split>,
}

/// Reads the records of a product's stock: every product has at least one.
pub(super) async fn held(db: &mut Db, documents: &[ProductRecord]) -> Answer<Held> {
    let Some(document) = documents.first().filter(|_| db.core.shape.form == Form::Apart) else {
        let split = documents.iter().flat_map(|document| document.split.clone()).collect();
        return Ok(Held { stock: stock_inside(&db.core, documents)?, split });
    };
    let ask = stock_records(&db.core, document.product(), Hint::Home(&document.home()));
    let records: Vec<StockRecord> = db.all(&ask, Wanted::default()).await?;
    let split = records.iter().flat_map(|record| record.split.clone()).collect();
    Ok(Held { stock: records.into_iter().map(zone_stock).collect::<Answer<_>>()?, split })
}

/// The stock of a product in every zone that has a record, what lies in buckets included. To be asked within a
/// transaction: only there home and buckets add up.
pub(crate) async fn stock_of(db: &mut Db, documents: &[ProductRecord]) -> Answer<Vec<ZoneStock>> {
    let Some(product) = documents.first().map(ProductRecord::product) else { return Ok(Vec::new()) };
    let Held { mut stock, split } = held(db, documents).await?;
    for inside in buckets::sums(db, product, &split).await? {
        add(&mut stock, inside);
    }
    Ok(stock)
}

/// Adds pieces to those that the zone has.
pub(super) fn add(stock: &mut Vec<ZoneStock>, more: ZoneStock) {
    match stock.iter_mut().find(|known| known.zone == more.zone) {
        Some(known) => known.quantity = known.quantity.saturating_add(more.quantity),
        None => stock.push(more),
    }
}

/// A stock record as the shop shows it.
pub(super) fn zone_stock(record: StockRecord) -> Answer<ZoneStock> {
    Ok(ZoneStock { quantity: pieces(record.quantity)?, zone: record.geo_zone })
}

/// The few fields of a document that make an offer.
#[derive(Debug, Deserialize)]
struct OfferRecord {
    name: String,
    category: Category,
    price: i64,
    currency: Currency,
    withdrawn: bool,
}

/// What is sold under the product's id, from the document of the caller's zone if there is one.
pub(super) async fn offer(db: &mut Db, wanted: &ProductRef) -> Answer<Option<Offer>> {
    let found = match offer_record(db, wanted).await? {
        Some(found) => found,
        // Missed for the same reasons for which a product may be.
        None => match product(db, wanted).await? {
            Some(product) => return Ok(Some(offer_of(product))),
            None => return Ok(None),
        },
    };
    let OfferRecord { name, category, price, currency, withdrawn } = found;
    Ok(Some(Offer { name, category, price: money(price, currency)?, withdrawn }))
}

fn offer_of(product: Product) -> Offer {
    let Product { name, category, price, withdrawn, .. } = product;
    Offer { name, category, price, withdrawn }
}

async fn offer_record(db: &mut Db, wanted: &ProductRef) -> Answer<Option<OfferRecord>> {
    for hint in hints(wanted.category.as_ref()) {
        let ask = match &wanted.zone {
            Some(zone) => document_in(&db.core, wanted.id, hint, zone),
            None => home::documents(&db.core, wanted.id, hint),
        };
        if let Some(found) = one(db, &ask).await? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

async fn one<T: DeserializeOwned + Send + Sync + Unpin>(db: &mut Db, ask: &Ask) -> Answer<Option<T>> {
    let fields: Document = doc! { "name": 1, "category": 1, "price": 1, "currency": 1, "withdrawn": 1 };
    db.one(ask, Wanted { projection: Some(fields), ..Wanted::default() }).await
}
