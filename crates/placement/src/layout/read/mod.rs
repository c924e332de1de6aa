//! From the tree of keys and values to a draft: names, types and units. What the parts mean together is
//! judged later.

mod bounds;
mod cassandra;
mod entity;
mod field;
mod mongo;
mod policy;
mod ring;
mod take;

use std::collections::BTreeMap;

use super::draft::Draft;
use super::findings::Findings;
use super::nearest::offer;
use super::source::{Part, Source};
use super::tree::{Kind, Table};
use crate::entity::Entity;

/// The keys of a file beside the entities' tables. `extends` has been taken out before.
const TOP_KEYS: [&str; 4] = ["name", "about", "cassandra", "policy"];

/// Reads the whole tree. What cannot be read is reported and left out.
pub(crate) fn draft(source: &Source, tree: &Table, findings: &mut Findings) -> Draft {
    report_unknown_tables(tree, findings);
    let text = |key: &str, findings: &mut Findings| {
        let entry = tree.get(key)?;
        take::text(&entry.value, key, findings).map(|said| said.value)
    };
    let name = text("name", findings).unwrap_or_else(|| source.stem().to_owned());
    let about = text("about", findings).unwrap_or_default();

    let mut entities = BTreeMap::new();
    let mut form = Part::Absent;
    for entity in Entity::ALL {
        let Some(entry) = tree.get(entity.name()) else { continue };
        let Some(table) = take::table(&entry.value, entity.name(), findings) else { continue };
        if entity == Entity::Products {
            form = entity::form(table, findings);
        }
        entities.insert(entity, entity::entity(entity, &entry.key, table, findings));
    }
    let policy = policy::policy(tree, findings);
    let ring = ring::ring(tree, findings);
    Draft { name, about, form, entities, policy, ring }
}

fn report_unknown_tables(tree: &Table, findings: &mut Findings) {
    let mut known: Vec<&str> = Entity::ALL.iter().map(|entity| entity.name()).collect();
    known.extend(TOP_KEYS);
    known.push("extends");
    for (key, entry) in &tree.0 {
        if known.contains(&key.as_str()) {
            continue;
        }
        let (code, what) = match entry.value.kind {
            Kind::Table(_) => ("unknown-entity", "table"),
            _ => ("unknown-key", "key"),
        };
        findings.error(
            code,
            &entry.key,
            format!("unknown {what} `{key}`"),
            "nothing of this name is placed",
            offer(key, &known),
        );
    }
}
