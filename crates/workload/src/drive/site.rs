//! One store under load: how it is reached, what was made on it, and what has happened there so far.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use mworld_shop::OrderId;
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::api::Words;
use super::cart_view::CartView;
use super::http::Pool;
use super::journey::{Journey, Learned, May};
use super::notes::Notes;
use crate::figures::Tally;
use crate::plan::{Act, Buyer, Planned};
use crate::record::{Caller, Micros};
use crate::scenario::Cast;
use crate::stage::{Stage, UserNo, ZoneNo};

/// One store under load.
pub(super) struct Site {
    pub(super) made: Made,
    pub(super) tally: Mutex<Tally>,
    /// Only for the judge.
    pub(super) notes: Option<Mutex<Notes>>,
    /// The carts of the users.
    pub(super) carts: Vec<Mutex<CartView>>,
    /// Each user's newest order that is known.
    pub(super) newest: Mutex<HashMap<UserNo, OrderId>>,
    journeys: Mutex<HashMap<u64, Arc<Underway>>>,
}

/// A journey under way, shared by the steps that are.
pub(super) struct Underway {
    journey: Mutex<Journey>,
    /// The cart of the guest, until the guest logs in.
    pub(super) guest_cart: Mutex<CartView>,
    changed: Notify,
}

/// Where a site is and what set-up made there.
pub(super) struct Made {
    pub(super) pool: Pool,
    /// `host:port`, as the address says it.
    pub(super) host: String,
    /// When set-up began: moment 0 of the record.
    pub(super) epoch: Instant,
    pub(super) stage: Stage,
    pub(super) cast: Cast,
    /// Part of every name and key of this run, so that two runs never meet.
    pub(super) run: String,
    pub(super) password: String,
    pub(super) operator: String,
    /// The token of each user's session; nothing for users whom the plan never names.
    pub(super) sessions: Vec<Option<Arc<str>>>,
}

impl Site {
    pub(super) fn new(made: Made, notes: Option<Notes>) -> Site {
        let carts = made.sessions.iter().map(|_| Mutex::default()).collect();
        Site {
            made,
            tally: Mutex::default(),
            notes: notes.map(Mutex::new),
            carts,
            newest: Mutex::default(),
            journeys: Mutex::default(),
        }
    }

    /// What a request needs beside what is asked.
    pub(super) fn words<'a>(&'a self, token: Option<&'a str>, zone: ZoneNo) -> Words<'a> {
        Words {
            host: &self.made.host,
            stage: &self.made.stage,
            cast: &self.made.cast,
            password: &self.made.password,
            token,
            zone,
            search: None,
        }
    }

    /// A moment, as the record tells it.
    pub(super) fn micros(&self, moment: Instant) -> Micros {
        let since = moment.saturating_duration_since(self.made.epoch).as_micros();
        u64::try_from(since).expect("half a million years are not over")
    }

    /// The token of a user's session.
    pub(super) fn session(&self, user: UserNo) -> Option<&Arc<str>> {
        self.made.sessions.get(user.0 as usize)?.as_ref()
    }

    /// The journey of a step, which begins with it if it is the first.
    pub(super) fn journey(&self, step: &Planned) -> Arc<Underway> {
        let new = || {
            let token = match step.buyer {
                Buyer::User(user) => self.session(user),
                Buyer::Guest | Buyer::Operator => None,
            };
            let journey = Mutex::new(Journey::new(step.buyer, token));
            Arc::new(Underway { journey, guest_cart: Mutex::default(), changed: Notify::new() })
        };
        Arc::clone(self.journeys.lock().entry(step.journey).or_insert_with(new))
    }

    /// Forgets journeys that have no step any more: those before `first` that are quiet.
    pub(super) fn forget_journeys(&self, first: u64) {
        self.journeys
            .lock()
            .retain(|number, underway| *number >= first || !underway.journey.lock().is_quiet());
    }
}

impl Underway {
    pub(super) fn begin(&self, step: &Planned) {
        self.journey.lock().begin(step.n, &step.act);
    }

    /// Waits until the step may be taken: with which token, or never.
    pub(super) async fn ready(&self, step: &Planned) -> (May, Waited) {
        let mut waited = Waited::No;
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // Before the look, so that no change between the look and the waiting is missed.
            changed.as_mut().enable();
            let may = self.journey.lock().may(step.n, &step.act);
            if may != May::Wait {
                return (may, waited);
            }
            waited = Waited::Yes;
            changed.await;
        }
    }

    pub(super) fn end(&self, step: &Planned, learned: Learned) {
        self.journey.lock().end(step.n, learned);
        self.changed.notify_waiters();
    }

    /// A step was never taken. Without the login that was planned, the later steps are not the user's.
    pub(super) fn skip(&self, step: &Planned) {
        let learned = if matches!(step.act, Act::Login(_)) { Learned::TokenLost } else { Learned::Nothing };
        self.end(step, learned);
    }

    pub(super) fn order(&self) -> Option<OrderId> {
        self.journey.lock().order()
    }
}

/// Whether a step had to wait for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waited {
    No,
    Yes,
}

/// In whose name a step is taken.
pub(super) fn caller(step: &Planned) -> Caller {
    match (&step.act, step.buyer) {
        (Act::Search(_) | Act::Product(_) | Act::Stock(_), _) | (_, Buyer::Operator) => Caller::Shop,
        (_, Buyer::Guest) => Caller::Guest(step.journey),
        (_, Buyer::User(user)) => Caller::User(user),
    }
}
