//! The guest's cart into the user's, in one transaction.

use mworld_shop::cart::{Buyer, CartStatus, Merged, Owner};
use mworld_shop::{Refusal, Result, SessionId};

use super::edit::open;
use super::record::{Record, load};
use crate::core::Core;
use crate::db::Db;

pub(super) fn merge(db: &Db<'_>, core: &Core, guest: SessionId, into: &Buyer) -> Result<Merged> {
    let now = core.clock.now();
    let Some(mut from) = load(db, core, Owner::Guest(guest))? else {
        return unchanged(db, core, into, None);
    };
    if from.held.is_some() {
        return Err(Refusal::CartBusy.into());
    }
    if !from.is_active(now) || from.lines.is_empty() {
        return unchanged(db, core, into, Some(&from));
    }
    let mut target = open(db, core, into)?;
    let written = target.touch(core);
    let settings = &core.settings;
    let lines = from.lines.view(settings.merge_policy, settings.cart);
    let capped = target.lines.absorb(from.id, &lines, settings.merge_policy, settings.cart, written);
    target.save(db, core)?;
    from.status = CartStatus::Abandoned;
    from.merged_into = Some(target.id);
    from.capped = capped.clone();
    from.touch(core);
    from.save(db, core)?;
    Ok(Merged { cart: Some(target.view(core)), capped })
}

/// Nothing to merge (any more): the user's cart as it is, and what was capped if this is a repeat.
fn unchanged(db: &Db<'_>, core: &Core, into: &Buyer, guest: Option<&Record>) -> Result<Merged> {
    let cart = load(db, core, into.owner)?.filter(|record| record.is_active(core.clock.now()));
    let repeat = guest.filter(|guest| guest.merged_into.is_some());
    let capped = repeat.map(|guest| guest.capped.clone()).unwrap_or_default();
    Ok(Merged { cart: cart.map(|record| record.view(core)), capped })
}
