//! Carts whose time is over. The server deletes them by itself, a minute or so late; this is for those who cannot wait,
//! and for the look-ups that such carts leave behind.

use std::sync::Arc;

use mongodb::bson::doc;
use mworld_placement::{Area, Entity, OwnerToCart};
use mworld_shop::Timestamp;
use mworld_shop::checkout::CLAIM_LIFE;

use super::document::CartDocument;
use super::owners::{self, LookUp, OwnerDocument};
use super::store::{named, unchanged};
use crate::ask::Ask;
use crate::bson::deletion;
use crate::db::{Db, Wanted};
use crate::fault::Answer;
use crate::tries::{TRANSACTION, Tries};

/// Deletes up to `limit` carts; how many. A cart that a checkout holds has no date of deletion and stays.
pub(super) async fn expire(db: &mut Db, limit: usize) -> Answer<usize> {
    let core = Arc::clone(&db.core);
    let now = core.clock.now();
    if limit == 0 {
        return Ok(0);
    }
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let ask = Ask::of(Entity::Carts)
        .also("expires", doc! { "$lte": deletion(Some(now)) })
        .also("expires_at", doc! { "$lte": now.micros() });
    let mut deleted = 0;
    for found in db.all::<CartDocument>(&ask, oldest("expires", limit)).await? {
        let gone = db.delete(&unchanged(&core, &found.read()?)).await?;
        deleted += usize::from(gone);
    }
    if core.shape.owner_to_cart == OwnerToCart::LookedUp {
        tidy(db, now, limit).await?;
    }
    Ok(deleted)
}

fn oldest(field: &str, limit: i64) -> Wanted {
    Wanted { sort: Some(doc! { field: 1 }), limit: Some(limit), projection: None }
}

/// Deletes look-ups whose cart is gone, up to `limit`: deleted here just now, or by the server.
async fn tidy(db: &mut Db, now: Timestamp, limit: i64) -> Answer<()> {
    let ask = Ask::of(Area::CartOwners).also("due", doc! { "$exists": true, "$lte": now.micros() });
    for found in db.all::<OwnerDocument>(&ask, oldest("due", limit)).await? {
        let look_up = found.read();
        let mut tries = Tries::within(TRANSACTION);
        loop {
            db.begin().await?;
            let outcome = tidy_one(db, &look_up, now).await;
            if let Some(done) = db.end(outcome, &mut tries).await {
                done?;
                break;
            }
        }
    }
    Ok(())
}

/// A look-up without its cart is deleted; one whose cart lives on is looked at again at that cart's end.
async fn tidy_one(db: &mut Db, look_up: &LookUp, now: Timestamp) -> Answer<()> {
    let same = owners::naming(look_up.owner, look_up.cart);
    match named(db, look_up).await? {
        None => db.delete(&same).await?,
        Some(record) => match record.expires_at {
            // A cart that is held past its end is left to the sweep of claims, which needs about so long.
            Some(end) => {
                let due = end.max(now.plus(CLAIM_LIFE));
                db.update(&same, doc! { "$set": { "due": due.micros() } }).await?
            }
            None => db.update(&same, doc! { "$unset": { "due": "" } }).await?,
        },
    };
    Ok(())
}
