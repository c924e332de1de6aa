//! An entity's `cassandra` table.

use super::super::draft::CassandraDraft;
use super::super::findings::Findings;
use super::super::model::AntiEntropy;
use super::super::source::{At, Part, Said};
use super::super::tree::{Kind, Node, Table};
use super::super::units;
use super::{entity, field, take};
use crate::entity::Entity;

const TABLES: [(&str, bool); 2] = [("one", false), ("by-owner", true)];
const READ_REPAIR: [(&str, bool); 2] = [("blocking", true), ("none", false)];
const MODES: [(&str, bool); 2] = [("full", true), ("incremental", false)];

/// Reads the table `[entity.cassandra]` with its `repair`.
pub(super) fn cassandra(entity: Entity, at: &At, table: &Table, findings: &mut Findings) -> CassandraDraft {
    let known: &[&str] = match entity {
        Entity::Carts => &["table", "tables", "partition_key", "clustering_key", "ttl", "gc_grace", "repair"],
        _ => &["table", "partition_key", "clustering_key", "ttl", "gc_grace", "repair"],
    };
    take::only_known(table, &format!("[{entity}.cassandra]"), known, findings);
    let value = |key: &str| table.get(key).map(|entry| &entry.value);
    if value("partition_key").is_none() {
        let help = format!("write `partition_key = [{}]`", usual_partition(entity));
        let title = format!("{entity} on Cassandra without a partition key");
        findings.missing("missing-partition-key", at, title, "nothing says which nodes hold a row", help);
    }
    let no_repair = Table::default();
    let repair = value("repair").and_then(|node| take::table(node, "repair", findings)).unwrap_or(&no_repair);
    let place = format!("[{entity}.cassandra.repair]");
    take::only_known(repair, &place, &["hints", "read_repair", "anti_entropy"], findings);
    let repair = |key: &str| repair.get(key).map(|entry| &entry.value);
    CassandraDraft {
        at: at.clone(),
        table: value("table").and_then(|node| take::text(node, "table", findings)),
        by_owner: value("tables").and_then(|node| take::choice(node, "tables", &TABLES, findings)),
        partition_key: value("partition_key")
            .and_then(|node| field::plain_fields(entity, "partition_key", node, findings)),
        clustering_key: Part::of(value("clustering_key"), |node| {
            field::clustering_key(entity, node, findings)
        }),
        ttl: Part::of(value("ttl"), |node| entity::ttl(entity, node, findings)),
        gc_grace: value("gc_grace").and_then(|node| take::duration(node, "gc_grace", findings)),
        hints: repair("hints").and_then(|node| take::flag(node, "hints", findings)),
        read_repair: repair("read_repair")
            .and_then(|node| take::choice(node, "read_repair", &READ_REPAIR, findings)),
        anti_entropy: repair("anti_entropy").and_then(|node| anti_entropy(node, findings)),
    }
}

/// The partition key that most designs would take.
fn usual_partition(entity: Entity) -> String {
    match entity {
        Entity::Carts => "\"owner_key\"".to_owned(),
        Entity::History => "\"user_id\", \"period\"".to_owned(),
        other => format!("\"{}\"", other.own_id()),
    }
}

/// `anti_entropy = false` or `{ every, mode, at }`.
fn anti_entropy(node: &Node, findings: &mut Findings) -> Option<Said<Option<AntiEntropy>>> {
    const FORM: &str = "`false`, or { every = \"7d\", mode = \"full\", at = \"03:00\" }";
    let table = match &node.kind {
        Kind::Flag(false) => return Some(Said::new(None, &node.at)),
        Kind::Table(table) => table,
        _ => return take::wrong_type(node, "anti_entropy", FORM, findings),
    };
    take::only_known(table, "`anti_entropy`", &["every", "mode", "at"], findings);
    let every = match table.get("every") {
        Some(entry) => take::duration(&entry.value, "every", findings)?,
        None => {
            let title = "anti-entropy without `every`";
            findings.missing(
                "anti-entropy-never",
                &node.at,
                title,
                "nothing says how often",
                format!("write {FORM}"),
            );
            return None;
        }
    };
    if every.value.is_zero() {
        let (title, why) = ("anti-entropy every 0s", "it would never stop");
        findings.error("anti-entropy-never", &every.at, title, why, "write `anti_entropy = false` for never");
        return None;
    }
    let full = match table.get("mode") {
        Some(entry) => take::choice(&entry.value, "mode", &MODES, findings)?.value,
        None => true,
    };
    let at_minute = match table.get("at") {
        Some(entry) => Some(minute_of_day(&entry.value, findings)?),
        None => None,
    };
    Some(Said::new(Some(AntiEntropy { every: every.value, full, at_minute }), &node.at))
}

fn minute_of_day(node: &Node, findings: &mut Findings) -> Option<u32> {
    let written = take::text(node, "at", findings)?;
    let minute = units::minute_of_day(&written.value);
    if minute.is_none() {
        let title = format!("`at` is no time of day: \"{}\"", take::shortened(&written.value));
        findings.error("bad-time", &node.at, title, "from 00:00 to 23:59", "write it as \"03:00\"");
    }
    minute
}
