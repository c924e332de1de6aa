//! Editing a cart: read, let a rule of the shop decide, write back; again if somebody else was faster.

use std::sync::Arc;

use mworld_shop::cart::{Buyer, Cart, Owner, PutLine};
use mworld_shop::{ProductId, Refusal, Result};

use super::owners::LookUp;
use super::record::{Record, Seen};
use super::store::{is_one_write, load, write};
use crate::core::Core;
use crate::db::Db;
use crate::fault::Answer;
use crate::tries::{TRANSACTION, Tries};

/// What a rule makes of what was seen.
pub(super) enum Change<T> {
    /// Nothing is written.
    None(T),
    /// This is written.
    To(Box<Record>, T),
}

impl<T> Change<T> {
    pub(super) fn to(record: Record, answer: T) -> Result<Change<T>> {
        Ok(Change::To(Box::new(record), answer))
    }
}

/// Edits the owner's cart by a rule, which is asked again whenever somebody else was faster.
pub(super) async fn edit<T>(
    db: &mut Db,
    owner: Owner,
    rule: impl Fn(&Core, &Seen) -> Result<Change<T>>,
) -> Answer<T> {
    let core = Arc::clone(&db.core);
    let mut tries = Tries::within(TRANSACTION);
    loop {
        let seen = load(db, owner).await?;
        let (next, answer) = match rule(&core, &seen)? {
            Change::None(answer) => return Ok(answer),
            Change::To(next, answer) => (next, answer),
        };
        let done = if is_one_write(&core, &seen, &next) {
            match write(db, &seen, &next).await {
                Err(fault) if fault.is_transient() && tries.again().await => None,
                other => Some(other),
            }
        } else {
            db.begin().await?;
            let outcome = write(db, &seen, &next).await;
            let done = db.end(outcome, &mut tries).await;
            if matches!(done, Some(Ok(()))) {
                core.kept.keep(&LookUp::to(&core, &next), core.clock.now());
            }
            done
        };
        if let Some(done) = done {
            return done.map(|()| answer);
        }
    }
}

/// The owner's active cart, or a new one. A cart that a checkout holds cannot be edited.
pub(super) fn open(core: &Core, buyer: &Buyer, seen: &Seen) -> Result<Record> {
    if seen.record.as_ref().is_some_and(|record| record.held.is_some()) {
        return Err(Refusal::CartBusy.into());
    }
    Ok(match seen.active(core.clock.now()) {
        Some(record) => record.clone(),
        None => Record::begin(core, buyer, seen),
    })
}

pub(super) async fn put(db: &mut Db, buyer: &Buyer, line: &PutLine) -> Answer<Cart> {
    edit(db, buyer.owner, |core, seen| {
        let mut record = open(core, buyer, seen)?;
        let now = record.touch(core);
        record.lines.put(line.clone(), core.settings.cart, now)?;
        let cart = record.view(core);
        Change::to(record, cart)
    })
    .await
}

pub(super) async fn remove(db: &mut Db, owner: Owner, product: ProductId) -> Answer<Option<Cart>> {
    edit(db, owner, |core, seen| {
        let Some(mut record) = seen.active(core.clock.now()).cloned() else {
            return Ok(Change::None(None));
        };
        if record.held.is_some() {
            return Err(Refusal::CartBusy.into());
        }
        if !record.lines.remove(product) {
            return Ok(Change::None(Some(record.view(core))));
        }
        record.touch(core);
        let cart = record.view(core);
        Change::to(record, Some(cart))
    })
    .await
}
