//! Writing a product: all its documents and stock, or nothing.

use mworld_placement::{Entity, Form};
use mworld_shop::event::{Happened, StockChange};
use mworld_shop::product::{ProductDraft, Upserted};
use mworld_shop::{ProductId, Result, Timestamp, Zone};

use super::document::Document;
use super::find::{assemble, documents, quantities};
use super::listing::Listing;
use crate::core::Core;
use crate::db::Db;
use crate::{feed, stock};

pub(super) fn upsert(db: &Db<'_>, core: &Core, id: ProductId, draft: &ProductDraft) -> Result<Upserted> {
    let now = core.clock.now();
    // By id alone: the id is unique over all shards, whatever category it had.
    let old = documents(db, core, id, None, None)?;
    let old_stock = quantities(db, core, &old)?;
    let created = old.is_empty();
    let (listed_at, version) =
        old.first().map_or((now, 0), |document| (document.listed_at, document.version));
    let updated_at = old.first().map_or(now, |document| now.after(document.updated_at));
    for document in &old {
        document.delete(db)?;
        stock::clear(db, core, &document.listing)?;
    }
    let quantity = |zone: &Zone| {
        let given = draft.stock.iter().flatten().find(|stock| stock.zone == *zone);
        given.map_or_else(|| kept(&old_stock, zone), |stock| stock.quantity)
    };
    // A zone that the store no longer has keeps what it had: orders may still be returned to it.
    let configured = core.zones.configured();
    let had = |zone: &Zone| old_stock.iter().any(|(name, _)| name == zone.as_str());
    let zones: Vec<Zone> =
        core.zones.all().into_iter().filter(|zone| configured.contains(zone) || had(zone)).collect();
    let document_zones: Vec<Option<Zone>> = match core.router.form() {
        Form::PerZone => zones.iter().cloned().map(Some).collect(),
        Form::Whole | Form::Apart => vec![None],
    };
    let mut written = Vec::with_capacity(document_zones.len());
    for document_zone in document_zones {
        let stocked = zones.iter().filter(|zone| document_zone.as_ref().is_none_or(|own| own == *zone));
        let in_stock =
            stocked.clone().filter(|zone| quantity(zone) > 0).map(|zone| core.zones.mask(zone)).sum();
        let mut document = new_document(id, draft, document_zone.clone(), now);
        (document.listing.in_stock, document.listed_at) = (in_stock, listed_at);
        (document.updated_at, document.version) = (updated_at, version + 1);
        document.insert(db, core)?;
        for zone in stocked {
            stock::insert(db, core, &document.listing, zone, quantity(zone))?;
        }
        written.push(document);
    }
    for zone in &zones {
        note_change(db, id, zone, kept(&old_stock, zone), quantity(zone), now)?;
    }
    let product = assemble(db, core, written)?;
    let product = product.ok_or_else(|| crate::error::corrupt("product", "it has no documents"))?;
    Ok(Upserted { product, created })
}

/// What a zone had.
fn kept(stock: &[(String, u32)], zone: &Zone) -> u32 {
    stock.iter().find(|(name, _)| name == zone.as_str()).map_or(0, |(_, quantity)| *quantity)
}

fn note_change(
    db: &Db<'_>,
    id: ProductId,
    zone: &Zone,
    before: u32,
    after: u32,
    now: Timestamp,
) -> Result<()> {
    if before == after {
        return Ok(());
    }
    let delta = i64::from(after) - i64::from(before);
    let change = StockChange { product_id: id, zone: zone.clone(), delta, quantity: after };
    feed::append(db, now, &Happened::Stock { change })
}

fn new_document(id: ProductId, draft: &ProductDraft, zone: Option<Zone>, now: Timestamp) -> Document {
    let listing = Listing {
        shard: mworld_placement::ShardId(0),
        id,
        zone,
        category: draft.category.clone(),
        subcategory: draft.subcategory.clone(),
        price: draft.price.amount(),
        in_stock: 0,
        withdrawn: false,
        name: draft.name.clone(),
    };
    Document {
        listing,
        doc: 0,
        listed_at: now,
        updated_at: now,
        version: 0,
        description: draft.description.clone(),
        attributes: draft.attributes.clone(),
    }
}

pub(super) fn withdraw(db: &Db<'_>, core: &Core, id: ProductId) -> Result<bool> {
    let found = documents(db, core, id, None, None)?;
    for document in &found {
        db.changes(id.uuid());
        db.writes(Entity::Products.into(), document.listing.shard);
        db.run(
            "UPDATE products SET withdrawn = 1, version = version + 1, updated_at = ?4 \
             WHERE shard = ?1 AND product_id = ?2 AND zone = ?3 AND withdrawn = 0",
            (
                document.listing.shard.0,
                id.uuid().into_bytes(),
                document.listing.zone_text(),
                core.clock.now().after(document.updated_at).micros(),
            ),
        )?;
    }
    Ok(!found.is_empty())
}
