//! How long records live.

use std::time::Duration;

use crate::entity::Entity;
use crate::layout::draft::Draft;
use crate::layout::findings::Findings;
use crate::layout::model::{Engine, Ttl};
use crate::layout::source::{At, Said};
use crate::layout::units::write_duration;

/// The longest TTL that Cassandra takes: twenty years.
const LONGEST_ON_CASSANDRA: Duration = Duration::from_secs(630_720_000);

/// Checks every TTL, and those of carts against those of sessions.
pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for (entity, placed) in &draft.entities {
        let on_mongodb = placed.mongodb.as_ref().and_then(|on| on.ttl.said());
        let on_cassandra = placed.cassandra.as_ref().and_then(|on| on.ttl.said());
        for ttl in on_mongodb.into_iter().chain(on_cassandra) {
            may_expire(*entity, ttl, findings);
        }
        if let Some(ttl) =
            on_cassandra.filter(|ttl| ttl.value.guest.max(ttl.value.user) > LONGEST_ON_CASSANDRA)
        {
            let (title, why) =
                ("a TTL beyond what Cassandra takes", "at most 630720000 seconds, twenty years");
            findings.error(
                "ttl-too-long",
                &ttl.at,
                title,
                why,
                "write \"7300d\" or less, or \"0s\" for never",
            );
        }
    }
    sessions_end(draft, findings);
    carts_within_sessions(draft, findings);
}

/// Whether records of this entity may vanish by themselves.
fn may_expire(entity: Entity, ttl: &Said<Ttl>, findings: &mut Findings) {
    if ttl.value.guest.is_zero() && ttl.value.user.is_zero() {
        return;
    }
    match entity {
        Entity::Carts | Entity::Sessions => {}
        Entity::History | Entity::OrderById | Entity::ProductCards => findings.warn(
            "read-model-expires",
            &ttl.at,
            format!("a TTL for {entity}"),
            "what it was made from stays, and is no longer found here",
            "write `ttl = \"0s\"`, unless that is wanted",
        ),
        Entity::Products | Entity::Stock | Entity::Orders | Entity::Accounts => findings.error(
            "ttl-loses-data",
            &ttl.at,
            format!("a TTL for {entity}"),
            "here is the only copy, and it would be deleted for good",
            "leave `ttl` out; only carts and sessions expire",
        ),
    }
}

fn sessions_end(draft: &Draft, findings: &mut Findings) {
    let Some(sessions) = draft.entities.get(&Entity::Sessions) else { return };
    let Some(ttl) = sessions.ttl_in_force() else { return };
    if ttl.value.guest.is_zero() || ttl.value.user.is_zero() {
        let engine = match sessions.engine_in_force() {
            Some(Engine::Cassandra) => "cassandra",
            _ => "mongodb",
        };
        findings.warn(
            "session-never-ends",
            &ttl.at,
            "sessions that never end by themselves",
            "a stolen token works for ever, and every visit leaves a record",
            format!("write `ttl = \"7d\"` in [sessions.{engine}]"),
        );
    }
}

/// A guest finds the cart by the session only.
fn carts_within_sessions(draft: &Draft, findings: &mut Findings) {
    let ttl_of = |entity| {
        draft
            .entities
            .get(&entity)
            .and_then(|placed: &crate::layout::draft::EntityDraft| placed.ttl_in_force())
    };
    let (Some(cart), Some(session)) = (ttl_of(Entity::Carts), ttl_of(Entity::Sessions)) else { return };
    let (cart_life, session_life) = (cart.value.guest, session.value.guest);
    let outlives = !session_life.is_zero() && (cart_life.is_zero() || cart_life > session_life);
    if !outlives {
        return;
    }
    let life = if cart_life.is_zero() { "for ever".to_owned() } else { write_duration(cart_life) };
    let at: At = findings.own_of(&cart.at, &session.at).clone();
    findings.warn(
        "cart-outlives-session",
        &at,
        format!("guest carts live {life}, guest sessions {}", write_duration(session_life)),
        "a guest finds the cart by the session, so it is unreachable once that has ended",
        format!(
            "let both live equally long, such as `ttl = {{ guest = \"{}\" }}` for carts",
            write_duration(session_life)
        ),
    );
}
