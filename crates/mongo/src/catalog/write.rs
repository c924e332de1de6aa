//! Writing a product: all its records, or nothing. Writers of one product meet in the record of its id; a writer and a
//! sale meet in the stock record, so neither loses what the other did.

use mworld_placement::Entity;
use mworld_shop::event::Happened;
use mworld_shop::product::{ProductDraft, Upserted};
use mworld_shop::{ProductId, Zone};
use serde::Serialize;

use super::find::{documents, held, stock_of};
use super::home::{self, Hint, Home, document_in, is_placed_by, stock_record};
use super::record::ProductRecord;
use super::whole::{Records, Whole};
use crate::ask::Ask;
use crate::db::Db;
use crate::fault::{Answer, Fault};
use crate::feed;
use crate::stock::buckets;
use crate::transaction::in_transaction;

pub(super) async fn upsert(db: &mut Db, product: ProductId, draft: &ProductDraft) -> Answer<Upserted> {
    in_transaction!(db, upsert_once(db, product, draft))
}

/// The same within a transaction under way.
pub(super) async fn upsert_once(db: &mut Db, product: ProductId, draft: &ProductDraft) -> Answer<Upserted> {
    let old = stored(db, product).await?;
    let now = db.core.clock.now();
    let new = Whole::drafted(&db.core, product, draft, old.as_ref(), now);
    write(db, old.as_ref(), &new).await?;
    let changes = new.changes(old.as_ref()).into_iter().map(|change| Happened::Stock { change });
    feed::append_all(db, now, changes.collect()).await?;
    Ok(Upserted { product: new.into_product(&db.core)?, created: old.is_none() })
}

pub(super) async fn withdraw(db: &mut Db, product: ProductId) -> Answer<bool> {
    in_transaction!(db, withdraw_once(db, product))
}

async fn withdraw_once(db: &mut Db, product: ProductId) -> Answer<bool> {
    let Some(old) = stored(db, product).await? else { return Ok(false) };
    if !old.face.withdrawn {
        let new = old.withdrawn(db.core.clock.now());
        write(db, Some(&old), &new).await?;
    }
    Ok(true)
}

/// All that there is of a product. What lies in buckets is brought home first: its records are about to be replaced.
async fn stored(db: &mut Db, product: ProductId) -> Answer<Option<Whole>> {
    let Some(home) = home::of(db, product).await? else { return Ok(None) };
    let mut found = documents(db, product, Hint::Home(&home)).await?;
    if merge_all(db, product, &home, &found).await? {
        found = documents(db, product, Hint::Home(&home)).await?;
    }
    let stock = stock_of(db, &found).await?;
    Ok(found.into_iter().next().map(|face| Whole { face, stock }))
}

/// Brings home what lies in buckets, of every zone; whether there was any.
async fn merge_all(
    db: &mut Db,
    product: ProductId,
    home: &Home,
    documents: &[ProductRecord],
) -> Answer<bool> {
    let mut any = false;
    for split in held(db, documents).await?.split {
        any |= buckets::merge(db, product, home, &split.zone).await?;
    }
    Ok(any)
}

async fn write(db: &mut Db, old: Option<&Whole>, new: &Whole) -> Answer<()> {
    let form = db.core.shape.form;
    let product = new.face.product();
    let (was_home, home) = (old.map(Whole::home), new.home());
    home::settle(db, product, was_home.as_ref(), &home).await?;
    let had = old.map(|old| old.records(form));
    let had_document = |zone: Option<&Zone>| {
        had.iter().flat_map(|had| &had.documents).any(|had| had.geo_zone.as_ref() == zone)
    };
    let had_stock = |zone: &Zone| had.iter().flat_map(|had| &had.stock).any(|had| had.geo_zone == *zone);
    let Records { documents, stock } = new.records(form);
    for document in &documents {
        let at = |home: &Home| match &document.geo_zone {
            Some(zone) => document_in(&db.core, product, Hint::Home(home), zone),
            None => home::documents(&db.core, product, Hint::Home(home)),
        };
        let was_at = was_home.as_ref().filter(|_| had_document(document.geo_zone.as_ref())).map(at);
        let stays = was_home.as_ref() == Some(&home);
        let to = at(&home);
        put(db, was_at, &to, stays, document).await?;
    }
    for record in &stock {
        let at = |home: &Home| stock_record(&db.core, product, Hint::Home(home), &record.geo_zone);
        let was_at = was_home.as_ref().filter(|_| had_stock(&record.geo_zone)).map(at);
        let same = was_home.as_ref().is_some_and(|was| was.category == home.category);
        let stays = same || !is_placed_by(&db.core, Entity::Stock, "category");
        let to = at(&home);
        put(db, was_at, &to, stays, record).await?;
    }
    Ok(())
}

/// Writes one record: in the place of the one that there was, where that lay, or where the new one belongs.
async fn put<T: Serialize + Send + Sync>(
    db: &mut Db,
    was_at: Option<Ask>,
    to: &Ask,
    stays: bool,
    record: &T,
) -> Answer<()> {
    let Some(was_at) = was_at else { return db.insert(to, record).await };
    let found = if stays { db.replace(to, record).await? } else { db.delete(&was_at).await? };
    if !found {
        return Err(Fault::Overtaken);
    }
    if stays { Ok(()) } else { db.insert(to, record).await }
}
