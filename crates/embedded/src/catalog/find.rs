//! Finding one product's documents and stock.

use std::sync::Arc;

use mworld_placement::{Entity, Form, Route, ShardId};
use mworld_shop::product::{Offer, Product, ProductRef, Shown, ZoneStock};
use mworld_shop::{Category, Money, ProductId, Result, Zone};

use super::document::Document;
use super::listing::{Listing, Stored};
use crate::core::Core;
use crate::db::Db;

/// Every document of a product (one, or one for each zone), or that of one zone only. A wrong category hint costs
/// a second look everywhere, never a miss.
pub(crate) fn documents(
    db: &Db<'_>,
    core: &Core,
    id: ProductId,
    category: Option<&Category>,
    zone: Option<&Zone>,
) -> Result<Vec<Document>> {
    find(db, core, id, category, zone)
}

/// The same, heads only.
pub(crate) fn listings(
    db: &Db<'_>,
    core: &Core,
    id: ProductId,
    category: Option<&Category>,
    zone: Option<&Zone>,
) -> Result<Vec<Listing>> {
    find(db, core, id, category, zone)
}

fn find<T: Stored>(
    db: &Db<'_>,
    core: &Core,
    id: ProductId,
    category: Option<&Category>,
    zone: Option<&Zone>,
) -> Result<Vec<T>> {
    let found = on_route(db, &core.router.find_product(id, category, zone), id, zone, core)?;
    let Some(category) = category else {
        return Ok(found);
    };
    // A document under another category was met by chance on a shard of the hinted one: there may be more of them
    // elsewhere, so the hint was wrong.
    if !found.is_empty() && found.iter().all(|found: &T| found.listing().category == *category) {
        return Ok(found);
    }
    on_route(db, &core.router.find_product(id, None, zone), id, zone, core)
}

fn on_route<T: Stored>(
    db: &Db<'_>,
    route: &Route,
    id: ProductId,
    zone: Option<&Zone>,
    core: &Core,
) -> Result<Vec<T>> {
    let mut found = Vec::new();
    for shard in route.shards() {
        db.reads(Entity::Products.into(), shard);
        found.extend(on_shard::<T>(db, shard, id)?);
    }
    if let Some(zone) = zone.filter(|_| core.router.form() == Form::PerZone) {
        found.retain(|found| found.listing().zone.as_ref() == Some(zone));
    }
    Ok(found)
}

/// What of a product lies on one shard.
pub(super) fn on_shard<T: Stored>(db: &Db<'_>, shard: ShardId, id: ProductId) -> Result<Vec<T>> {
    let rows = db.all(T::SELECT, (shard.0, id.uuid().into_bytes()), |row| Ok(T::read(row)))?;
    rows.into_iter().collect()
}

/// The product with all its zones, from memory if it is there: then the shards that a read would have gone to are
/// counted all the same, since that is where the demand is.
pub(crate) fn product(db: &Db<'_>, core: &Core, wanted: &ProductRef) -> Result<Option<Arc<Shown>>> {
    if let Some(kept) = core.products.get(wanted.id.uuid()) {
        if wanted.category.as_ref() == Some(&kept.product.category) {
            kept.on_route.iter().for_each(|shard| db.reads(Entity::Products.into(), *shard));
        } else {
            let route = core.router.find_product(wanted.id, wanted.category.as_ref(), None);
            route.shards().for_each(|shard| db.reads(Entity::Products.into(), shard));
        }
        return Ok(Some(Arc::clone(&kept.product)));
    }
    let found = documents(db, core, wanted.id, wanted.category.as_ref(), None)?;
    shown(db, core, found)
}

/// Makes a product of all its documents and keeps it in memory.
pub(super) fn shown(db: &Db<'_>, core: &Core, documents: Vec<Document>) -> Result<Option<Arc<Shown>>> {
    let Some(product) = assemble(db, core, documents)?.map(|product| Arc::new(Shown::new(product))) else {
        return Ok(None);
    };
    if let Some(snapshot) = db.snapshot() {
        let route = core.router.find_product(product.id, Some(&product.category), None);
        let kept = KeptProduct { product: Arc::clone(&product), on_route: route.shards().collect() };
        core.products.keep(product.id.uuid(), &Arc::new(kept), weight(&product), snapshot);
    }
    Ok(Some(product))
}

/// A product in memory, and the shards that one goes to who knows its category.
pub(crate) struct KeptProduct {
    pub(super) product: Arc<Shown>,
    on_route: Vec<ShardId>,
}

/// About how many bytes a product takes in memory, with the form in which it is shown.
fn weight(product: &Product) -> usize {
    let texts = product.name.len() + product.description.len();
    let attributes = product.attributes.iter().map(|known| known.key.len() + known.value.len() + 80);
    400 + 2 * (texts + attributes.sum::<usize>() + product.stock.len() * 40)
}

/// What is sold under the product's id, from the document of the caller's zone if there is one.
pub(super) fn offer(db: &Db<'_>, core: &Core, wanted: &ProductRef) -> Result<Option<Offer>> {
    let (category, zone) = (wanted.category.as_ref(), wanted.zone.as_ref());
    let mut found = listings(db, core, wanted.id, category, zone)?;
    if found.is_empty() && zone.is_some() && core.router.form() == Form::PerZone {
        found = listings(db, core, wanted.id, None, None)?;
    }
    let Some(listing) = found.into_iter().next() else {
        return Ok(None);
    };
    let price = Money::new(listing.price, core.settings.currency)
        .map_err(|error| crate::error::corrupt("price", error))?;
    let Listing { name, category, withdrawn, .. } = listing;
    Ok(Some(Offer { name, category, price, withdrawn }))
}

/// Makes a product of its documents.
pub(crate) fn assemble(db: &Db<'_>, core: &Core, documents: Vec<Document>) -> Result<Option<Product>> {
    let stock = stock_of(db, core, &documents)?;
    let Some(document) = documents.into_iter().next() else {
        return Ok(None);
    };
    let listing = document.listing;
    Ok(Some(Product {
        id: listing.id,
        name: listing.name,
        description: document.description,
        category: listing.category,
        subcategory: listing.subcategory,
        price: Money::new(listing.price, core.settings.currency)
            .map_err(|error| crate::error::corrupt("price", error))?,
        attributes: document.attributes,
        stock,
        updated_at: document.updated_at,
        version: document.version,
        withdrawn: listing.withdrawn,
    }))
}

/// The stock of a product in every zone of the store, in the store's order; what has no record is 0.
pub(crate) fn stock_of<T: Stored>(db: &Db<'_>, core: &Core, documents: &[T]) -> Result<Vec<ZoneStock>> {
    let quantities = quantities(db, core, documents)?;
    let quantity = |zone: &Zone| {
        quantities.iter().find(|(name, _)| name == zone.as_str()).map_or(0, |(_, quantity)| *quantity)
    };
    let zones = core.zones.configured().iter();
    Ok(zones.map(|zone| ZoneStock { zone: zone.clone(), quantity: quantity(zone) }).collect())
}

/// Every stock record of a product, also of zones that the store no longer has.
pub(super) fn quantities<T: Stored>(db: &Db<'_>, core: &Core, documents: &[T]) -> Result<Vec<(String, u32)>> {
    let mut quantities: Vec<(String, u32)> = Vec::with_capacity(4);
    for (shard, id) in stock_shards(core, documents) {
        db.reads(core.router.home(Entity::Stock), shard);
        quantities.extend(db.all(
            "SELECT zone, quantity FROM stock WHERE shard = ?1 AND product_id = ?2",
            (shard.0, id.uuid().into_bytes()),
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?);
    }
    Ok(quantities)
}

/// The shards on which a product's stock lies, each once.
fn stock_shards<T: Stored>(core: &Core, documents: &[T]) -> Vec<(ShardId, ProductId)> {
    let mut shards = Vec::new();
    let mut add = |shard: ShardId, id: ProductId| {
        if !shards.contains(&(shard, id)) {
            shards.push((shard, id));
        }
    };
    for listing in documents.iter().map(Stored::listing) {
        if core.router.form() == Form::Apart {
            for zone in &core.zones.all() {
                add(
                    core.router.stock(listing.id, listing.category.as_str(), zone, listing.shard),
                    listing.id,
                );
            }
        } else {
            add(listing.shard, listing.id);
        }
    }
    shards
}
