//! Stock: one record per product and zone, never below zero.

use mworld_placement::{Entity, ShardId};
use mworld_shop::event::{Happened, StockChange};
use mworld_shop::product::{MAX_STOCK, Product};
use mworld_shop::{ProductId, Refusal, Result, Zone};

use crate::catalog::{Document, Listing, documents};
use crate::core::Core;
use crate::db::Db;
use crate::feed;

fn shard(core: &Core, listing: &Listing, zone: &Zone) -> ShardId {
    core.router.stock(listing.id, listing.category.as_str(), zone, listing.shard)
}

/// Writes the stock of a zone that has no record yet.
pub(crate) fn insert(db: &Db<'_>, core: &Core, listing: &Listing, zone: &Zone, quantity: u32) -> Result<()> {
    let shard = shard(core, listing, zone);
    db.changes(listing.id.uuid());
    db.writes(core.router.home(Entity::Stock), shard);
    db.run(
        "INSERT INTO stock (shard, product_id, zone, quantity) VALUES (?1, ?2, ?3, ?4)",
        (shard.0, listing.id.uuid().into_bytes(), zone.as_str(), quantity),
    )?;
    Ok(())
}

/// Takes every record away that belongs to a document which is about to be written anew.
pub(crate) fn clear(db: &Db<'_>, core: &Core, listing: &Listing) -> Result<()> {
    for zone in &core.zones.all() {
        if listing.zone.as_ref().is_some_and(|own| own != zone) {
            continue;
        }
        let shard = shard(core, listing, zone);
        db.changes(listing.id.uuid());
        db.writes(core.router.home(Entity::Stock), shard);
        db.run(
            "DELETE FROM stock WHERE shard = ?1 AND product_id = ?2 AND zone = ?3",
            (shard.0, listing.id.uuid().into_bytes(), zone.as_str()),
        )?;
    }
    Ok(())
}

/// What is there.
fn quantity(db: &Db<'_>, core: &Core, listing: &Listing, zone: &Zone) -> Result<u32> {
    let shard = shard(core, listing, zone);
    db.reads(core.router.home(Entity::Stock), shard);
    let found = db.one(
        "SELECT quantity FROM stock WHERE shard = ?1 AND product_id = ?2 AND zone = ?3",
        (shard.0, listing.id.uuid().into_bytes(), zone.as_str()),
        |row| row.get(0),
    )?;
    Ok(found.unwrap_or(0))
}

/// Takes pieces away, if there are enough: `Ok` with the change, else `Err` with what is there.
pub(crate) fn take(
    db: &Db<'_>,
    core: &Core,
    listing: &Listing,
    zone: &Zone,
    pieces: u32,
) -> Result<std::result::Result<StockChange, u32>> {
    let shard = shard(core, listing, zone);
    db.changes(listing.id.uuid());
    db.writes(core.router.home(Entity::Stock), shard);
    let left: Option<u32> = db.one(
        "UPDATE stock SET quantity = quantity - ?4 WHERE shard = ?1 AND product_id = ?2 AND zone = ?3 \
         AND quantity >= ?4 RETURNING quantity",
        (shard.0, listing.id.uuid().into_bytes(), zone.as_str(), pieces),
        |row| row.get(0),
    )?;
    let Some(left) = left else {
        return Ok(Err(quantity(db, core, listing, zone)?));
    };
    if left == 0 {
        listing.set_in_stock(db, listing.in_stock & !core.zones.mask(zone))?;
    }
    Ok(Ok(StockChange {
        product_id: listing.id,
        zone: zone.clone(),
        delta: -i64::from(pieces),
        quantity: left,
    }))
}

/// Puts pieces back.
pub(crate) fn give_back(
    db: &Db<'_>,
    core: &Core,
    listing: &Listing,
    zone: &Zone,
    pieces: u32,
) -> Result<StockChange> {
    let shard = shard(core, listing, zone);
    db.changes(listing.id.uuid());
    db.writes(core.router.home(Entity::Stock), shard);
    let now: Option<u32> = db.one(
        "INSERT INTO stock (shard, product_id, zone, quantity) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT DO UPDATE SET quantity = quantity + ?4 RETURNING quantity",
        (shard.0, listing.id.uuid().into_bytes(), zone.as_str(), pieces),
        |row| row.get(0),
    )?;
    let quantity = now.unwrap_or(pieces);
    if quantity > 0 {
        listing.set_in_stock(db, listing.in_stock | core.zones.mask(zone))?;
    }
    Ok(StockChange { product_id: listing.id, zone: zone.clone(), delta: i64::from(pieces), quantity })
}

/// `catalog.adjust`: adds to or takes from one zone, by an operator's word.
pub(crate) fn adjust(db: &Db<'_>, core: &Core, id: ProductId, zone: &Zone, delta: i64) -> Result<Product> {
    let mut all = documents(db, core, id, None, None)?;
    let own = |document: &Document| document.listing.zone.as_ref().is_none_or(|own| own == zone);
    if !all.iter().any(own) {
        // A zone that the store got after the product was written: its document comes to be now.
        let sibling = all.first().ok_or(Refusal::ProductNotFound(id))?;
        all.push(sibling.for_zone(db, core, zone)?);
    }
    let listing = &all.iter().find(|document| own(document)).ok_or(Refusal::ProductNotFound(id))?.listing;
    let change = if delta < 0 {
        let pieces = u32::try_from(delta.unsigned_abs()).unwrap_or(u32::MAX);
        take(db, core, listing, zone, pieces)?.map_err(|available| Refusal::StockBelowZero {
            product_id: id,
            zone: zone.clone(),
            delta,
            available,
        })?
    } else {
        let given = i64::from(quantity(db, core, listing, zone)?).saturating_add(delta);
        if given > i64::from(MAX_STOCK) {
            return Err(Refusal::InvalidStock { given, max: MAX_STOCK }.into());
        }
        let pieces = u32::try_from(delta).unwrap_or(MAX_STOCK);
        give_back(db, core, listing, zone, pieces)?
    };
    feed::append(db, core.clock.now(), &Happened::Stock { change })?;
    let product = crate::catalog::assemble(db, core, all)?;
    product.ok_or_else(|| Refusal::ProductNotFound(id).into())
}
