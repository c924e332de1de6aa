//! How long carts and sessions live on this engine, from the layout.

use std::time::Duration;

use mworld_placement::layout::model::Ttl;
use mworld_placement::{Entity, Layout};
use mworld_shop::Timestamp;
use mworld_shop::cart::Owner;

/// Lifetimes; zero = for ever.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lifetimes {
    carts: Ttl,
    sessions: Ttl,
}

impl Lifetimes {
    pub(crate) fn of(layout: &Layout) -> Lifetimes {
        let ttl = |entity| {
            let on = layout.entities.get(&entity).and_then(|placed| placed.mongodb.as_ref());
            on.map(|on| on.ttl).unwrap_or_default()
        };
        Lifetimes { carts: ttl(Entity::Carts), sessions: ttl(Entity::Sessions) }
    }

    /// When a cart written now ends.
    pub(crate) fn cart(&self, owner: Owner, now: Timestamp) -> Option<Timestamp> {
        match owner {
            Owner::Guest(_) => end(self.carts.guest, now),
            Owner::User(_) => end(self.carts.user, now),
        }
    }

    /// When a session used now ends.
    pub(crate) fn session(&self, now: Timestamp) -> Option<Timestamp> {
        end(self.sessions.guest, now)
    }
}

fn end(life: Duration, now: Timestamp) -> Option<Timestamp> {
    (!life.is_zero()).then(|| now.plus(life))
}
