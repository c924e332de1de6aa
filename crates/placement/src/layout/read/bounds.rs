//! Split points and zones: lists of values that stand for the first fields of the key.

use super::super::draft::{Bound, ZoneDraft};
use super::super::findings::Findings;
use super::super::source::{At, Said};
use super::super::tree::{Kind, Node, Table};
use super::take;

/// `splits`: a list of prefixes of the key.
pub(super) fn splits(node: &Node, findings: &mut Findings) -> Vec<Said<Vec<Said<Bound>>>> {
    let Some(list) = take::list(node, "splits", findings) else { return Vec::new() };
    list.iter().filter_map(|item| prefix(item, "splits", findings)).collect()
}

/// `zones`: a list of tables.
pub(super) fn zones(node: &Node, findings: &mut Findings) -> Vec<ZoneDraft> {
    let Some(list) = take::list(node, "zones", findings) else { return Vec::new() };
    list.iter().filter_map(|item| zone(take::table(item, "zones", findings)?, &item.at, findings)).collect()
}

fn zone(table: &Table, at: &At, findings: &mut Findings) -> Option<ZoneDraft> {
    take::only_known(table, "a zone", &["name", "shards", "from", "to"], findings);
    for key in ["name", "from", "to"] {
        if table.get(key).is_none() {
            let title = format!("a zone without `{key}`");
            let help = "write `{ name = \"msk\", shards = 1, from = [\"msk\"], to = [\"msk~\"] }`";
            findings.missing("zone-incomplete", at, title, "a zone is a named range of the key", help);
        }
    }
    let shards = table.get("shards").and_then(|entry| take::count(&entry.value, "shards", findings));
    let name = table.get("name").and_then(|entry| take::text(&entry.value, "name", findings));
    let from = table.get("from").and_then(|entry| prefix(&entry.value, "from", findings));
    let to = table.get("to").and_then(|entry| prefix(&entry.value, "to", findings));
    Some(ZoneDraft { at: at.clone(), name: name?, shards, from: from?, to: to? })
}

fn prefix(node: &Node, key: &str, findings: &mut Findings) -> Option<Said<Vec<Said<Bound>>>> {
    let Kind::List(list) = &node.kind else {
        return take::wrong_type(
            node,
            key,
            "the first values of the key in brackets, such as [\"msk\"]",
            findings,
        );
    };
    let mut read = Vec::with_capacity(list.len());
    let mut whole = true;
    for item in list {
        match &item.kind {
            Kind::Text(text) => read.push(Said::new(Bound::Text(text.clone()), &item.at)),
            Kind::Whole(number) => read.push(Said::new(Bound::Whole(*number), &item.at)),
            other => {
                whole = false;
                findings.error(
                    "bound-type",
                    &item.at,
                    format!("`{key}` holds {}", other.type_name()),
                    "a bound is made of texts and whole numbers, never of lists: a shard key has no arrays",
                    "write the first values of the key, such as [\"msk\", \"electronics\"]",
                );
            }
        }
    }
    whole.then(|| Said::new(read, &node.at))
}
