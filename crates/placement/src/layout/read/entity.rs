//! One entity's table.

use super::super::draft::EntityDraft;
use super::super::findings::Findings;
use super::super::model::{Engine, Form, Ttl};
use super::super::source::{At, Part, Said};
use super::super::tree::{Kind, Node, Table};
use super::{cassandra, mongo, take};
use crate::entity::Entity;

const ENGINES: [(&str, Engine); 2] = [("mongodb", Engine::MongoDb), ("cassandra", Engine::Cassandra)];
const FORMS: [(&str, Form); 3] =
    [("whole", Form::Whole), ("per-zone", Form::PerZone), ("apart", Form::Apart)];

/// Reads the table `[entity]` with its sub-tables.
pub(super) fn entity(entity: Entity, at: &At, table: &Table, findings: &mut Findings) -> EntityDraft {
    let known: &[&str] = match entity {
        Entity::Products => &["engine", "form", "mongodb", "cassandra"],
        _ => &["engine", "mongodb", "cassandra"],
    };
    take::only_known(table, &format!("[{entity}]"), known, findings);
    let engine =
        Part::of(table.get("engine"), |entry| take::choice(&entry.value, "engine", &ENGINES, findings));
    let sub_table = |key: &str, findings: &mut Findings| {
        let entry = table.get(key)?;
        Some((&entry.key, take::table(&entry.value, key, findings)?))
    };
    let mongodb =
        sub_table("mongodb", findings).map(|(at, table)| mongo::mongodb(entity, at, table, findings));
    let cassandra =
        sub_table("cassandra", findings).map(|(at, table)| cassandra::cassandra(entity, at, table, findings));
    EntityDraft { at: at.clone(), engine, mongodb, cassandra }
}

/// The products' `form`.
pub(super) fn form(products: &Table, findings: &mut Findings) -> Part<Form> {
    Part::of(products.get("form"), |entry| take::choice(&entry.value, "form", &FORMS, findings))
}

/// `ttl`: one duration, or one for guests and one for users.
pub(super) fn ttl(entity: Entity, node: &Node, findings: &mut Findings) -> Option<Said<Ttl>> {
    let Kind::Table(table) = &node.kind else {
        let both = take::duration(node, "ttl", findings)?;
        return Some(Said { value: Ttl { guest: both.value, user: both.value }, at: both.at });
    };
    take::only_known(table, "`ttl`", &["guest", "user"], findings);
    if !matches!(entity, Entity::Carts | Entity::Sessions) {
        findings.error(
            "wrong-type",
            &node.at,
            format!("a TTL of guests and one of users for {entity}"),
            "only carts and sessions belong to guests or users",
            "write one duration, such as \"24h\"",
        );
        return None;
    }
    let one = |key: &str, findings: &mut Findings| match table.get(key) {
        Some(entry) => take::duration(&entry.value, key, findings).map(|said| said.value),
        None => Some(std::time::Duration::ZERO),
    };
    let (guest, user) = (one("guest", findings), one("user", findings));
    Some(Said::new(Ttl { guest: guest?, user: user? }, &node.at))
}
