//! An entity's `mongodb` table.

use std::time::Duration;

use super::super::draft::{IndexDraft, MongoDraft};
use super::super::findings::Findings;
use super::super::source::{At, Part, Said};
use super::super::tree::{Node, Table};
use super::{bounds, entity, field, take};
use crate::entity::Entity;

/// Reads the table `[entity.mongodb]`.
pub(super) fn mongodb(entity: Entity, at: &At, table: &Table, findings: &mut Findings) -> MongoDraft {
    let known: &[&str] = match entity {
        Entity::Carts => &["shard_key", "indexes", "splits", "zones", "ttl", "cache"],
        _ => &["shard_key", "indexes", "splits", "zones", "ttl"],
    };
    take::only_known(table, &format!("[{entity}.mongodb]"), known, findings);
    let value = |key: &str| table.get(key).map(|entry| &entry.value);
    if value("shard_key").is_none() {
        findings.missing(
            "missing-shard-key",
            at,
            format!("{entity} on MongoDB without a shard key"),
            "nothing says which shard a record goes to",
            format!("write `shard_key = [\"{}:hashed\"]` or another key of its fields", usual_field(entity)),
        );
    }
    MongoDraft {
        at: at.clone(),
        shard_key: value("shard_key").and_then(|node| field::shard_key(entity, node, findings)),
        indexes: value("indexes").map(|node| indexes(entity, node, findings)).unwrap_or_default(),
        splits: value("splits").map(|node| bounds::splits(node, findings)).unwrap_or_default(),
        zones: value("zones").map(|node| bounds::zones(node, findings)).unwrap_or_default(),
        ttl: Part::of(value("ttl"), |node| entity::ttl(entity, node, findings)),
        owner_cache: value("cache").and_then(|node| owner_cache(node, findings)),
    }
}

/// The field that most designs would hash.
const fn usual_field(entity: Entity) -> &'static str {
    match entity {
        Entity::Orders | Entity::History => "user_id",
        Entity::Carts => "owner_key",
        Entity::Accounts => "email",
        other => other.own_id(),
    }
}

fn indexes(entity: Entity, node: &Node, findings: &mut Findings) -> Vec<IndexDraft> {
    let Some(list) = take::list(node, "indexes", findings) else { return Vec::new() };
    let mut indexes = Vec::with_capacity(list.len());
    for item in list {
        let Some(table) = take::table(item, "indexes", findings) else { continue };
        take::only_known(table, "an index", &["fields", "unique"], findings);
        let Some(entry) = table.get("fields") else {
            let help = "write `{ fields = [\"category\", \"price\"] }`";
            findings.missing(
                "index-without-fields",
                &item.at,
                "an index without `fields`",
                "of nothing",
                help,
            );
            continue;
        };
        let fields = field::plain_fields(entity, "fields", &entry.value, findings);
        let unique = table.get("unique").and_then(|entry| take::flag(&entry.value, "unique", findings));
        indexes.extend(fields.map(|fields| IndexDraft { fields, unique }));
    }
    indexes
}

/// `cache = { owner = "60s" }`.
fn owner_cache(node: &Node, findings: &mut Findings) -> Option<Said<Duration>> {
    let table = take::table(node, "cache", findings)?;
    take::only_known(table, "`cache`", &["owner"], findings);
    take::duration(&table.get("owner")?.value, "owner", findings)
}
