//! One owner's cart, and what becomes of it: the rules are the shop's, nothing here knows the database.

use mworld_shop::cart::{Buyer, Capped, Cart, CartStatus, Lines, Owner};
use mworld_shop::checkout::{ClaimNo, IdempotencyKey};
use mworld_shop::{CartId, SessionId, Timestamp, Zone};

use super::owners::LookUp;
use crate::core::Core;

/// A checkout's hold on a cart.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub(crate) key: IdempotencyKey,
    pub(crate) until: Timestamp,
}

/// The owner's present cart, or the last one it had.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) id: CartId,
    pub(crate) owner: Owner,
    pub(crate) generation: u64,
    /// Grows with every write, so that a writer can tell whether it is still what was read.
    pub(crate) version: i64,
    pub(crate) session: SessionId,
    pub(crate) zone: Zone,
    pub(crate) status: CartStatus,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    pub(crate) expires_at: Option<Timestamp>,
    pub(crate) merged_into: Option<CartId>,
    pub(crate) capped: Vec<Capped>,
    /// The number of the last claim; only grows.
    pub(crate) claim_no: ClaimNo,
    pub(crate) held: Option<Held>,
    pub(crate) lines: Lines,
}

/// What was found of an owner.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    /// The way to the cart, where there is need of one.
    pub(crate) look_up: Option<LookUp>,
    /// The cart. A look-up without one is left over from a cart whose time is over.
    pub(crate) record: Option<Record>,
}

impl Record {
    /// A new cart. Where the owner had one before, generation and claims follow it; else they begin with the clock, so
    /// that an owner whose record was swept away never gets the same ones a second time.
    pub(crate) fn begin(core: &Core, buyer: &Buyer, seen: &Seen) -> Record {
        let now = core.clock.now();
        let first = now.micros().unsigned_abs();
        let before = seen.record.as_ref().map(|record| record.generation);
        let before = before.max(seen.look_up.as_ref().map(|look_up| look_up.generation));
        let generation = before.map_or(first, |before| first.max(before + 1));
        Record {
            id: buyer.owner.cart_id(generation),
            owner: buyer.owner,
            generation,
            version: 0,
            session: buyer.session,
            zone: buyer.zone.clone(),
            status: CartStatus::Active,
            created_at: now,
            updated_at: now,
            expires_at: core.lifetimes.cart(buyer.owner, now),
            merged_into: None,
            capped: Vec::new(),
            claim_no: seen.record.as_ref().map_or(ClaimNo(first), |record| record.claim_no),
            held: None,
            lines: Lines::default(),
        }
    }

    /// Whether it is the owner's cart now: expiry counts at once, whenever the server deletes it.
    pub(crate) fn is_active(&self, now: Timestamp) -> bool {
        self.status == CartStatus::Active && self.expires_at.is_none_or(|end| end > now)
    }

    /// Moves its write time and its expiry on.
    pub(crate) fn touch(&mut self, core: &Core) -> Timestamp {
        let now = core.clock.now();
        self.updated_at = now.after(self.updated_at);
        self.expires_at = core.lifetimes.cart(self.owner, now);
        self.updated_at
    }

    /// Ends its life: its lines are gone, the record stays so that the next cart gets the next generation.
    pub(crate) fn finish(&mut self, core: &Core, status: CartStatus) {
        self.status = status;
        self.held = None;
        self.lines = Lines::default();
        self.touch(core);
    }

    /// Whether a checkout under another key holds the cart. A claim is respected even when it is old: whoever made it
    /// may still be about to sell, until the sweeper has made sure that it cannot.
    pub(crate) fn busy_for(&self, key: &IdempotencyKey) -> bool {
        self.held.as_ref().is_some_and(|held| held.key != *key)
    }

    /// The cart as the buyer sees it.
    pub(crate) fn view(&self, core: &Core) -> Cart {
        Cart {
            id: self.id,
            owner: self.owner,
            generation: self.generation,
            status: self.status,
            zone: self.zone.clone(),
            lines: self.lines.view(core.settings.merge_policy, core.settings.cart),
            created_at: self.created_at,
            updated_at: self.updated_at,
            expires_at: self.expires_at,
        }
    }
}

impl Seen {
    /// The owner's cart of now, if there is one.
    pub(crate) fn active(&self, now: Timestamp) -> Option<&Record> {
        self.record.as_ref().filter(|record| record.is_active(now))
    }
}
