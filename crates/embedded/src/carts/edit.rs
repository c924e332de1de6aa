//! Putting and removing.

use mworld_shop::cart::{Buyer, Cart, Owner, PutLine};
use mworld_shop::{ProductId, Refusal, Result};

use super::record::{Record, load};
use crate::core::Core;
use crate::db::Db;

pub(super) fn put(db: &Db<'_>, core: &Core, buyer: &Buyer, line: PutLine) -> Result<Cart> {
    let mut record = open(db, core, buyer)?;
    let now = record.touch(core);
    record.lines.put(line, core.settings.cart, now)?;
    record.save(db, core)?;
    Ok(record.view(core))
}

/// The owner's active cart, or a new one. A cart that a checkout holds cannot be edited.
pub(super) fn open(db: &Db<'_>, core: &Core, buyer: &Buyer) -> Result<Record> {
    let found = load(db, core, buyer.owner)?;
    if found.as_ref().is_some_and(|record| record.held.is_some()) {
        return Err(Refusal::CartBusy.into());
    }
    match found {
        Some(record) if record.is_active(core.clock.now()) => Ok(record),
        other => Ok(Record::begin(core, buyer, other.as_ref())),
    }
}

pub(super) fn remove(db: &Db<'_>, core: &Core, owner: Owner, product: ProductId) -> Result<Option<Cart>> {
    let Some(mut record) = load(db, core, owner)?.filter(|record| record.is_active(core.clock.now())) else {
        return Ok(None);
    };
    if record.held.is_some() {
        return Err(Refusal::CartBusy.into());
    }
    if record.lines.remove(product) {
        record.touch(core);
        record.save(db, core)?;
    }
    Ok(Some(record.view(core)))
}
