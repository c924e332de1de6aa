//! What the judge will be told, as it happens.

use std::collections::BTreeMap;

use crate::record::{Asked, Call, Caller, Got};

/// Everything that is remembered of a run for its judge.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Every call, in the order of their ends.
    pub(super) calls: Vec<Call>,
    /// Guests who have a session and never tried to log in: journey and token.
    pub(super) guests: BTreeMap<u64, String>,
    /// Checkouts of which nobody knows whether they made an order.
    pub(super) open_checkouts: Vec<OpenCheckout>,
}

/// A checkout whose key has to be asked again.
#[derive(Debug, Clone)]
pub(super) struct OpenCheckout {
    pub(super) n: u64,
    pub(super) by: Caller,
    pub(super) asked: Asked,
    pub(super) token: String,
    /// How many times it was sent.
    pub(super) attempts: u32,
}

impl Notes {
    /// A guest has this token now.
    pub(super) fn guest_came(&mut self, journey: u64, token: &str) {
        self.guests.insert(journey, token.to_owned());
    }

    /// A guest tries to log in: the cart may be merged and the token dead from now on.
    pub(super) fn guest_left(&mut self, journey: u64) {
        self.guests.remove(&journey);
    }
}

/// Whether it is still open what became of a checkout, given each answer that it got: an order settles it; without
/// one, a call that was never answered may yet make an order, whatever a repeat was told.
pub(super) fn is_open<'a>(answers: impl IntoIterator<Item = &'a Got>) -> bool {
    let mut lost = false;
    for got in answers {
        match got {
            Got::Order { .. } => return false,
            Got::Unknown(_) => lost = true,
            _ => {}
        }
    }
    lost
}
