//! The table `[cassandra]`: the whole ring.

use std::collections::BTreeMap;
use std::time::Duration;

use super::super::draft::RingDraft;
use super::super::findings::Findings;
use super::super::source::Said;
use super::super::tree::{Entry, Node, Table};
use super::super::units;
use super::take;

/// Reads the ring's settings. The built-in defaults have been laid under the tree, so that each is there
/// unless what was written instead cannot be read.
pub(super) fn ring(tree: &Table, findings: &mut Findings) -> RingDraft {
    let entry = tree.get("cassandra").expect("the built-in defaults have the table");
    let nothing = Table::default();
    let table = take::table(&entry.value, "cassandra", findings).unwrap_or(&nothing);
    take::only_known(
        table,
        "[cassandra]",
        &["replication", "max_hint_window", "hinted_handoff_throttle"],
        findings,
    );
    let value = |key: &str| table.get(key).map(|entry| &entry.value);
    let replication = value("replication").and_then(|node| replication(node, findings));
    RingDraft {
        replication: replication.unwrap_or_else(|| Said::new(BTreeMap::new(), &entry.key)),
        max_hint_window: value("max_hint_window")
            .and_then(|node| take::duration(node, "max_hint_window", findings))
            .map_or(Duration::ZERO, |said| said.value),
        hinted_handoff_throttle: value("hinted_handoff_throttle")
            .and_then(|node| throttle(node, findings))
            .unwrap_or(0),
    }
}

/// `replication = { dc1 = 3, dc2 = 3 }`.
fn replication(node: &Node, findings: &mut Findings) -> Option<Said<BTreeMap<String, Said<u32>>>> {
    let table = take::table(node, "replication", findings)?;
    let mut replicas = BTreeMap::new();
    for (data_centre, Entry { value, key }) in &table.0 {
        if data_centre == "class" || data_centre == "replication_factor" {
            let title = format!("`{data_centre}` in the replication");
            let help = "name the data centres: `replication = { dc1 = 3 }`";
            findings.error("old-name", key, title, "replicas are counted per data centre here", help);
            continue;
        }
        let Some(count) = take::count(value, data_centre, findings) else { continue };
        replicas.insert(data_centre.clone(), count);
    }
    if table.0.is_empty() {
        let (title, why) = ("replication without a data centre", "no copy would be kept anywhere");
        findings.error(
            "no-replica",
            &node.at,
            title,
            why,
            "name the data centres: `replication = { dc1 = 3 }`",
        );
    }
    Some(Said::new(replicas, &node.at))
}

fn throttle(node: &Node, findings: &mut Findings) -> Option<u64> {
    let written = take::text(node, "hinted_handoff_throttle", findings)?;
    let bytes = units::size(&written.value);
    if bytes.is_none() {
        let title = format!("`hinted_handoff_throttle` is no size: \"{}\"", take::shortened(&written.value));
        let why = "a whole number and one of B, KiB, MiB, GiB";
        findings.error("bad-size", &node.at, title, why, "write it as \"1024KiB\"");
    }
    bytes
}
