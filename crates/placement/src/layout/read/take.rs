//! Taking a value of the wanted type, or saying what stands there instead.

use std::time::Duration;

use super::super::findings::Findings;
use super::super::nearest::offer;
use super::super::retired::retired_key;
use super::super::source::Said;
use super::super::tree::{Kind, Node, Table};
use super::super::units;

/// Reports every key of `table` that is not `known`; `place` is the table's name for people.
pub(super) fn only_known(table: &Table, place: &str, known: &[&str], findings: &mut Findings) {
    for (key, entry) in &table.0 {
        if known.contains(&key.as_str()) {
            continue;
        }
        let title = format!("unknown key `{key}` in {place}");
        match retired_key(key) {
            Some(retired) => findings.error(retired.code, &entry.key, title, retired.why, retired.help),
            None => findings.error("unknown-key", &entry.key, title, "not known here", offer(key, known)),
        }
    }
}

pub(super) fn text(node: &Node, key: &str, findings: &mut Findings) -> Option<Said<String>> {
    match &node.kind {
        Kind::Text(text) => Some(Said::new(text.clone(), &node.at)),
        _ => wrong_type(node, key, "a text in quotes", findings),
    }
}

pub(super) fn flag(node: &Node, key: &str, findings: &mut Findings) -> Option<Said<bool>> {
    match node.kind {
        Kind::Flag(flag) => Some(Said::new(flag, &node.at)),
        _ => wrong_type(node, key, "`true` or `false`", findings),
    }
}

pub(super) fn list<'a>(node: &'a Node, key: &str, findings: &mut Findings) -> Option<&'a [Node]> {
    match &node.kind {
        Kind::List(list) => Some(list),
        _ => wrong_type(node, key, "a list in brackets", findings),
    }
}

pub(super) fn table<'a>(node: &'a Node, key: &str, findings: &mut Findings) -> Option<&'a Table> {
    match &node.kind {
        Kind::Table(table) => Some(table),
        _ => wrong_type(node, key, "a table", findings),
    }
}

/// A count that fits 32 bits: of shards, of replicas.
pub(super) fn count(node: &Node, key: &str, findings: &mut Findings) -> Option<Said<u32>> {
    let Kind::Whole(number) = node.kind else {
        return wrong_type(node, key, "a whole number", findings);
    };
    // More than ten thousand shards or replicas are a slip of the keyboard.
    match u32::try_from(number).ok().filter(|count| *count <= 10_000) {
        Some(count) => Some(Said::new(count, &node.at)),
        None => {
            let title = format!("`{key}` is {number}");
            findings.error(
                "out-of-range",
                &node.at,
                title,
                "not from 0 to 10000",
                "write a number in that range",
            );
            None
        }
    }
}

pub(super) fn duration(node: &Node, key: &str, findings: &mut Findings) -> Option<Said<Duration>> {
    let written = match &node.kind {
        Kind::Text(text) => text,
        _ => return wrong_type(node, key, "a duration in quotes, such as \"24h\"", findings),
    };
    match units::duration(written) {
        Some(duration) => Some(Said::new(duration, &node.at)),
        None => {
            findings.error(
                "bad-duration",
                &node.at,
                format!("`{key}` is no duration: \"{}\"", shortened(written)),
                "a whole number and one of s, m, h, d, at most 36500d",
                "write it as \"90s\", \"5m\", \"24h\" or \"7d\"",
            );
            None
        }
    }
}

/// One of a few names.
pub(super) fn choice<T: Copy>(
    node: &Node,
    key: &str,
    choices: &[(&'static str, T)],
    findings: &mut Findings,
) -> Option<Said<T>> {
    let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
    let Kind::Text(written) = &node.kind else {
        return wrong_type(node, key, &format!("one of \"{}\"", names.join("\", \"")), findings);
    };
    if let Some((_, value)) = choices.iter().find(|(name, _)| name == written) {
        return Some(Said::new(*value, &node.at));
    }
    let title = format!("`{key}` cannot be \"{}\"", shortened(written));
    findings.error("unknown-name", &node.at, title, "not one of its names", offer(written, &names));
    None
}

/// Reports that `node` is of another type than `wanted`.
pub(super) fn wrong_type<T>(node: &Node, key: &str, wanted: &str, findings: &mut Findings) -> Option<T> {
    let title = format!("`{key}` is {}", node.kind.type_name());
    findings.error("wrong-type", &node.at, title, "of the wrong type", format!("write {wanted}"));
    None
}

/// Enough of a text to recognise it; the whole of it is underlined anyway.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}
