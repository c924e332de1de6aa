//! The table `[policy]`: how each operation reads and writes.

use std::collections::BTreeMap;

use super::super::draft::PolicyDraft;
use super::super::findings::Findings;
use super::super::nearest::offer;
use super::super::source::Said;
use super::super::tree::{Kind, Node, Table};
use super::take;
use crate::operation::Operation;

const READ_PREFERENCES: [&str; 5] =
    ["primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest"];
const READ_CONCERNS: [&str; 3] = ["local", "majority", "snapshot"];
const LEVELS: [&str; 7] = ["ONE", "LOCAL_ONE", "TWO", "QUORUM", "LOCAL_QUORUM", "EACH_QUORUM", "ALL"];

/// Reads the policies of all known operations.
pub(super) fn policy(tree: &Table, findings: &mut Findings) -> BTreeMap<&'static str, PolicyDraft> {
    let mut policies = BTreeMap::new();
    let Some(entry) = tree.get("policy") else { return policies };
    let Some(table) = take::table(&entry.value, "policy", findings) else { return policies };
    let operations = Operation::ALL.map(Operation::name);
    for (name, entry) in &table.0 {
        let Some(operation) = operations.into_iter().find(|operation| operation == name) else {
            let title = format!("unknown operation `{}`", take::shortened(name));
            // `order.place = …` without quotes is a table `order` in TOML.
            let help = match operations.iter().any(|operation| operation.starts_with(&format!("{name}."))) {
                true => format!("put the operation's name in quotes: `\"{name}.…\" = {{ … }}`"),
                false => offer(name, &operations),
            };
            findings.error("unknown-operation", &entry.key, title, "not an operation of the shop", help);
            continue;
        };
        let Some(fields) = take::table(&entry.value, operation, findings) else { continue };
        policies.insert(operation, one_policy(operation, fields, findings));
    }
    policies
}

fn one_policy(operation: &str, table: &Table, findings: &mut Findings) -> PolicyDraft {
    let known = ["read", "read_concern", "write", "max_age", "consistency"];
    take::only_known(table, &format!("the policy of `{operation}`"), &known, findings);
    let value = |key: &str| table.get(key).map(|entry| &entry.value);
    let name = |key: &str, names: &[&'static str], findings: &mut Findings| {
        let choices: Vec<(&'static str, &'static str)> = names.iter().map(|name| (*name, *name)).collect();
        take::choice(value(key)?, key, &choices, findings)
    };
    PolicyDraft {
        read: name("read", &READ_PREFERENCES, findings),
        read_concern: name("read_concern", &READ_CONCERNS, findings),
        write: value("write").and_then(|node| write_concern(node, findings)),
        max_age: value("max_age").and_then(|node| take::duration(node, "max_age", findings)),
        consistency: name("consistency", &LEVELS, findings),
    }
}

/// `write`: `"majority"` or a number of members.
fn write_concern(node: &Node, findings: &mut Findings) -> Option<Said<String>> {
    match &node.kind {
        Kind::Text(text) if text == "majority" => Some(Said::new(text.clone(), &node.at)),
        // A replica set has at most fifty members, seven of which vote.
        Kind::Whole(members @ 1..=50) => Some(Said::new(members.to_string(), &node.at)),
        _ => {
            findings.error(
                "unknown-name",
                &node.at,
                "`write` is neither `majority` nor a number of members",
                "a write that no member confirms may be lost unseen",
                "write \"majority\", or a number from 1 to 50",
            );
            None
        }
    }
}
