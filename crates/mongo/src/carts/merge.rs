//! The guest's cart into the user's, in one transaction over both.

use std::sync::Arc;

use mworld_shop::cart::{Buyer, CartStatus, Merged, Owner};
use mworld_shop::{Refusal, SessionId};

use super::edit::open;
use super::record::Record;
use super::store::{load, write};
use crate::db::Db;
use crate::fault::Answer;
use crate::tries::{TRANSACTION, Tries};

pub(super) async fn merge(db: &mut Db, guest: SessionId, into: &Buyer) -> Answer<Merged> {
    let core = Arc::clone(&db.core);
    let settings = &core.settings;
    let mut tries = Tries::within(TRANSACTION);
    loop {
        let from = load(db, Owner::Guest(guest)).await?;
        if from.record.as_ref().is_some_and(|record| record.held.is_some()) {
            return Err(Refusal::CartBusy.into());
        }
        let active = from.active(core.clock.now()).filter(|record| !record.lines.is_empty());
        let Some(mut given) = active.cloned() else {
            return unchanged(db, into, from.record.as_ref(), &mut tries).await;
        };
        let seen = load(db, into.owner).await?;
        let mut target = open(&core, into, &seen)?;
        let written = target.touch(&core);
        let lines = given.lines.view(settings.merge_policy, settings.cart);
        let capped = target.lines.absorb(given.id, &lines, settings.merge_policy, settings.cart, written);
        given.status = CartStatus::Abandoned;
        given.merged_into = Some(target.id);
        given.capped = capped.clone();
        given.touch(&core);
        db.begin().await?;
        let outcome = async {
            write(db, &seen, &target).await?;
            write(db, &from, &given).await
        };
        let outcome = outcome.await;
        if let Some(done) = db.end(outcome, &mut tries).await {
            return done.map(|()| Merged { cart: Some(target.view(&core)), capped });
        }
    }
}

/// Nothing to merge (any more): the user's cart as it is, and what was capped if this is a repeat.
async fn unchanged(db: &mut Db, into: &Buyer, guest: Option<&Record>, tries: &mut Tries) -> Answer<Merged> {
    let core = Arc::clone(&db.core);
    let repeat = guest.filter(|guest| guest.merged_into.is_some());
    let seen = match repeat {
        None => load(db, into.owner).await?,
        // The guest's half of the merge may be seen a moment before the user's; a transaction sees both.
        Some(_) => loop {
            db.begin().await?;
            let outcome = load(db, into.owner).await;
            if let Some(done) = db.end(outcome, tries).await {
                break done?;
            }
        },
    };
    let cart = seen.active(core.clock.now()).map(|record| record.view(&core));
    Ok(Merged { cart, capped: repeat.map(|guest| guest.capped.clone()).unwrap_or_default() })
}
