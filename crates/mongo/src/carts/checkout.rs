//! A cart in the transaction that sells it.

use std::sync::Arc;

use mworld_shop::cart::{CartLine, CartStatus, Owner};
use mworld_shop::checkout::{ClaimNo, IdempotencyKey};
use mworld_shop::{CartId, UserId};

use super::record::Seen;
use super::store::{load, write};
use crate::db::Db;
use crate::fault::{Answer, Fault};

/// A cart as checkout sells it.
#[derive(Debug, Clone)]
pub(crate) struct CartForSale {
    pub(crate) id: CartId,
    /// What is in it, as the buyer sees it; never empty.
    pub(crate) lines: Vec<CartLine>,
    /// The number under which it is sold: that of the next claim.
    pub(crate) claim: ClaimNo,
    seen: Seen,
}

impl CartForSale {
    /// Whether a checkout under another key holds the cart.
    pub(crate) fn busy_for(&self, key: &IdempotencyKey) -> bool {
        self.seen.record.as_ref().is_some_and(|record| record.busy_for(key))
    }
}

/// The user's active cart as checkout sells it, read outside a transaction; `None` if there is none or it is empty.
pub(crate) async fn for_sale(db: &mut Db, user: UserId) -> Answer<Option<CartForSale>> {
    let core = Arc::clone(&db.core);
    let seen = load(db, Owner::User(user)).await?;
    let Some(record) = seen.active(core.clock.now()).filter(|record| !record.lines.is_empty()) else {
        return Ok(None);
    };
    Ok(Some(CartForSale {
        id: record.id,
        lines: record.lines.view(core.settings.merge_policy, core.settings.cart),
        claim: ClaimNo(record.claim_no.0 + 1),
        seen,
    }))
}

/// Marks exactly that cart, as it was read, ordered, inside the transaction under way; `false` if it has changed since:
/// then the caller ends this try and reads the cart anew.
pub(crate) async fn sell(db: &mut Db, cart: &CartForSale) -> Answer<bool> {
    let core = Arc::clone(&db.core);
    let Some(mut sold) = cart.seen.record.clone() else {
        return Ok(false);
    };
    sold.finish(&core, CartStatus::Ordered);
    match write(db, &cart.seen, &sold).await {
        Ok(()) => Ok(true),
        Err(Fault::Overtaken) => Ok(false),
        Err(fault) => Err(fault),
    }
}
