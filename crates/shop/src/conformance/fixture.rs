//! A freshly opened shop and the handles that cases need: its ports, its clock, its own corner of the data.

pub(super) mod goods;
mod tasks;

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use super::{Harness, Parts, World};
use crate::cart::{Buyer, Owner};
use crate::checkout::{IdempotencyKey, Request};
use crate::error::{Error, Refusal, Result};
use crate::ids::{SessionId, UserId};
use crate::name::{Category, Zone};
use crate::ports::{Accounts, Carts, Catalog, Checkout, Feed, History, Ledger, Sessions};
use crate::saga::Saga;
use crate::settings::Settings;
use crate::time::{Clock, ManualClock, SystemClock, Timestamp};

/// One shop, opened for one case.
pub(super) struct Shop {
    pub(super) settings: Settings,
    pub(super) clock: ManualClock,
    /// A word that stands in the name of every product of this shop and of no other.
    pub(super) tag: String,
    parts: Parts,
    harness: Arc<dyn Harness>,
}

impl World {
    /// A shop of the default settings.
    pub(super) async fn shop(&self) -> Arc<Shop> {
        self.shop_with(|_| {}).await
    }

    /// A shop of settings that the case has a say in.
    pub(super) async fn shop_with(&self, change: impl FnOnce(&mut Settings)) -> Arc<Shop> {
        let mut settings = Settings::default();
        change(&mut settings);
        // The clock starts at the real time, because an engine may compare it with its server's.
        let clock = ManualClock::at(SystemClock::default().now());
        let parts = self.harness().fresh(settings.clone(), clock.clone()).await;
        let tag = format!("t{}", &Uuid::new_v4().simple().to_string()[..12]);
        Arc::new(Shop { settings, clock, tag, parts, harness: Arc::clone(self.harness()) })
    }
}

macro_rules! port {
    ($name:ident: $port:ident) => {
        pub(super) fn $name(&self) -> &dyn $port {
            self.parts.$name.as_deref().expect(concat!(
                "this case needs the port ",
                stringify!($name),
                ", which the engine does not have: leave the group out"
            ))
        }
    };
}

impl Shop {
    port!(catalog: Catalog);
    port!(ledger: Ledger);
    port!(history: History);
    port!(carts: Carts);
    port!(checkout: Checkout);
    port!(sessions: Sessions);
    port!(accounts: Accounts);
    port!(feed: Feed);

    /// Checkout as a saga over the engine's own carts and ledger.
    pub(super) fn saga(&self) -> Saga {
        self.saga_over(self.parts.carts.clone().expect("this case needs the port carts"))
    }

    /// Checkout as a saga over these carts and the engine's own ledger.
    pub(super) fn saga_over(&self, carts: Arc<dyn Carts>) -> Saga {
        Saga::new(carts, self.parts.ledger.clone().expect("this case needs the port ledger"))
    }

    pub(super) fn zone(&self, index: usize) -> Zone {
        self.settings.zones[index].id.clone()
    }

    pub(super) fn category(&self, index: usize) -> Category {
        self.settings.categories[index].id.clone()
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A millisecond passes.
    pub(super) fn tick(&self) {
        self.clock.advance(Duration::from_millis(1));
    }

    /// Waits until that moment is over.
    pub(super) fn pass(&self, moment: Timestamp) {
        let wait = (moment.micros() - self.now().micros()).max(0).unsigned_abs();
        self.clock.advance(Duration::from_micros(wait) + Duration::from_secs(1));
    }

    /// A request for the first zone that expects no total.
    pub(super) fn request(&self) -> Request {
        Request { zone: self.zone(0), expect_total: None }
    }

    pub(super) fn user_buyer(&self, user: UserId) -> Buyer {
        Buyer { owner: Owner::User(user), session: SessionId::generate(), zone: self.zone(0) }
    }

    pub(super) fn guest_buyer(&self, session: SessionId) -> Buyer {
        Buyer { owner: Owner::Guest(session), session, zone: self.zone(0) }
    }
}

/// A key that nobody has used.
pub(super) fn new_key() -> IdempotencyKey {
    Uuid::new_v4().to_string().parse().expect("a UUID is a legal key")
}

/// The refusal that a call must have ended with.
#[track_caller]
pub(super) fn refused<T: Debug>(answer: Result<T>, why: &str) -> Refusal {
    match answer {
        Err(Error::Refused(refusal)) => refusal,
        Err(Error::Engine(error)) => panic!("{why}: must be refused, but the engine failed: {error}"),
        Ok(value) => panic!("{why}: must be refused, but was done: {value:?}"),
    }
}
