//! Claims: a cart set aside for one checkout, when carts and ledger are used as two ports.

use mworld_placement::Entity;
use mworld_shop::cart::{CartStatus, Lines, Owner};
use mworld_shop::checkout::{CLAIM_LIFE, Claim, ClaimNo, IdempotencyKey};
use mworld_shop::{CartId, Refusal, Result};

use super::record::{Held, Record, load, read};
use crate::core::Core;
use crate::db::Db;

/// Whether a checkout under another key holds the cart. A claim is respected even when it is old: whoever made it
/// may still be about to sell, until the sweeper has made sure that it cannot.
pub(crate) fn busy_for(record: &Record, key: &IdempotencyKey) -> bool {
    record.held.as_ref().is_some_and(|held| held.key != *key)
}

pub(super) fn claim(db: &Db<'_>, core: &Core, owner: Owner, key: IdempotencyKey) -> Result<Claim> {
    let now = core.clock.now();
    let record = load(db, core, owner)?.filter(|record| record.is_active(now) || record.held.is_some());
    let Some(mut record) = record.filter(|record| !record.lines.is_empty()) else {
        return Err(Refusal::CartEmpty.into());
    };
    if busy_for(&record, &key) {
        return Err(Refusal::CartBusy.into());
    }
    record.claim_no = ClaimNo(record.claim_no.0 + 1);
    record.held = Some(Held { key: key.clone(), until: now.plus(CLAIM_LIFE) });
    record.save(db, core)?;
    Ok(Claim { cart: record.view(core), key, no: record.claim_no })
}

pub(super) fn release(db: &Db<'_>, core: &Core, owner: Owner, cart: CartId, claim: ClaimNo) -> Result<()> {
    let Some(mut record) = load(db, core, owner)? else {
        return Ok(());
    };
    if record.id == cart && record.claim_no == claim && record.held.is_some() {
        record.held = None;
        record.save(db, core)?;
    }
    Ok(())
}

pub(super) fn mark(db: &Db<'_>, core: &Core, owner: Owner, cart: CartId, status: CartStatus) -> Result<()> {
    match load(db, core, owner)? {
        Some(record) if record.id == cart && record.status == CartStatus::Active => {
            finish(db, core, record, status)
        }
        _ => Ok(()),
    }
}

/// Ends a cart's life: its lines are gone, its record stays so that the next cart gets the next generation.
pub(crate) fn finish(db: &Db<'_>, core: &Core, mut record: Record, status: CartStatus) -> Result<()> {
    record.status = status;
    record.held = None;
    record.lines = Lines::default();
    record.touch(core);
    record.save(db, core)
}

pub(super) fn stale(db: &Db<'_>, core: &Core, limit: usize) -> Result<Vec<Claim>> {
    let now = core.clock.now().micros();
    let mut claims = Vec::new();
    for shard in core.router.every(Entity::Carts) {
        let wanted = i64::try_from(limit - claims.len()).unwrap_or(i64::MAX);
        let rows = db.all(
            "SELECT shard, owner, cart_id, generation, user_id, session_id, zone, status, created_at, updated_at, \
             expires_at, merged_into, capped, claim_no, claim_key, claim_until, lines \
             FROM carts INDEXED BY carts_claimed WHERE shard = ?1 AND claim_until IS NOT NULL AND claim_until <= ?2 \
             ORDER BY claim_until LIMIT ?3",
            (shard.0, now, wanted),
            |row| Ok(read(row)),
        )?;
        for record in rows {
            let record = record?;
            if let Some(held) = &record.held {
                claims.push(Claim { key: held.key.clone(), no: record.claim_no, cart: record.view(core) });
            }
        }
    }
    Ok(claims)
}
