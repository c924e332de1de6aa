//! How long carts and sessions live, from the layout.

use std::time::Duration;

use mworld_placement::Entity;
use mworld_placement::layout::model::{Engine, Layout, Ttl};
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
        Lifetimes { carts: ttl(layout, Entity::Carts), sessions: ttl(layout, Entity::Sessions) }
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

/// The lifetime on the engine in force.
fn ttl(layout: &Layout, entity: Entity) -> Ttl {
    let Some(placed) = layout.entities.get(&entity) else {
        return Ttl::default();
    };
    let on_mongodb = placed.mongodb.as_ref().map(|on| on.ttl);
    let on_cassandra = placed.cassandra.as_ref().map(|on| on.ttl);
    match placed.engine {
        Engine::MongoDb => on_mongodb.or(on_cassandra),
        Engine::Cassandra => on_cassandra.or(on_mongodb),
    }
    .unwrap_or_default()
}
