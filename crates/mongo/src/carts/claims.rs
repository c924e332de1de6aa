//! Claims: a cart set aside for one checkout, when carts and ledger are used as two ports.

use std::sync::Arc;

use mongodb::bson::doc;
use mworld_placement::Entity;
use mworld_shop::cart::{CartStatus, Owner};
use mworld_shop::checkout::{CLAIM_LIFE, Claim, ClaimNo, IdempotencyKey};
use mworld_shop::{CartId, Refusal};

use super::document::CartDocument;
use super::edit::{Change, edit};
use super::record::Held;
use crate::ask::Ask;
use crate::db::{Db, Wanted};
use crate::fault::Answer;

pub(super) async fn claim(db: &mut Db, owner: Owner, key: &IdempotencyKey) -> Answer<Claim> {
    edit(db, owner, |core, seen| {
        let now = core.clock.now();
        let record = seen.record.as_ref().filter(|record| record.is_active(now) || record.held.is_some());
        let Some(record) = record.filter(|record| !record.lines.is_empty()) else {
            return Err(Refusal::CartEmpty.into());
        };
        if record.busy_for(key) {
            return Err(Refusal::CartBusy.into());
        }
        let mut record = record.clone();
        record.claim_no = ClaimNo(record.claim_no.0 + 1);
        record.held = Some(Held { key: key.clone(), until: now.plus(CLAIM_LIFE) });
        let claim = Claim { cart: record.view(core), key: key.clone(), no: record.claim_no };
        Change::to(record, claim)
    })
    .await
}

pub(super) async fn release(db: &mut Db, owner: Owner, cart: CartId, claim: ClaimNo) -> Answer<()> {
    edit(db, owner, |_, seen| {
        let held = |record: &&super::record::Record| {
            record.id == cart && record.claim_no == claim && record.held.is_some()
        };
        let Some(mut record) = seen.record.as_ref().filter(held).cloned() else {
            return Ok(Change::None(()));
        };
        record.held = None;
        Change::to(record, ())
    })
    .await
}

pub(super) async fn mark(db: &mut Db, owner: Owner, cart: CartId, status: CartStatus) -> Answer<()> {
    edit(db, owner, |core, seen| match &seen.record {
        Some(record) if record.id == cart && record.status == CartStatus::Active => {
            let mut record = record.clone();
            record.finish(core, status);
            Change::to(record, ())
        }
        _ => Ok(Change::None(())),
    })
    .await
}

/// The oldest first. Every shard is asked: a claim is stale wherever its cart lies.
pub(super) async fn stale(db: &mut Db, limit: usize) -> Answer<Vec<Claim>> {
    let core = Arc::clone(&db.core);
    if limit == 0 {
        return Ok(Vec::new());
    }
    let ask = Ask::of(Entity::Carts)
        .also("claim", doc! { "$exists": true })
        .also("claim.until", doc! { "$lte": core.clock.now().micros() });
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let wanted = Wanted { sort: Some(doc! { "claim.until": 1 }), limit: Some(limit), projection: None };
    let mut claims = Vec::new();
    for found in db.all::<CartDocument>(&ask, wanted).await? {
        let record = found.read()?;
        if let Some(held) = &record.held {
            claims.push(Claim { key: held.key.clone(), no: record.claim_no, cart: record.view(&core) });
        }
    }
    Ok(claims)
}
