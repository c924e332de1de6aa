//! A file laid over those that it extends.

use std::sync::Arc;

use super::findings::Findings;
use super::nearest::offer;
use super::shipped::{shipped_names, shipped_source};
use super::source::{At, Source};
use super::tree::{Kind, Table, parse};

/// More files in a row than anyone can follow are a mistake.
const DEEPEST: usize = 16;

/// Reads a file and all that it extends, and lays them over each other, the file asked for on top.
///
/// `resolve` gives the text of a file that `extends` names; shipped layouts are known by themselves.
pub(crate) fn read_chain(
    source: &Arc<Source>,
    resolve: &dyn Fn(&str) -> Option<Source>,
    findings: &mut Findings,
) -> Table {
    let mut chain = vec![Arc::clone(source)];
    let mut tables = Vec::new();
    loop {
        let current = Arc::clone(chain.last().expect("the chain begins with one file and only grows"));
        findings.own(&current);
        let mut table = parse(&current, findings);
        let base = table.0.remove("extends").and_then(|entry| match entry.value.kind {
            Kind::Text(name) => base_of(&name, &entry.value.at, &chain, resolve, findings),
            other => {
                findings.error(
                    "wrong-type",
                    &entry.value.at,
                    format!("`extends` is {}", other.type_name()),
                    "a layout extends one other",
                    "write the name of a layout: `extends = \"category-spread\"`",
                );
                None
            }
        });
        if !tables.is_empty() {
            // A layout that extends another is another layout: the name is not handed down.
            table.0.remove("name");
        }
        tables.push(table);
        match base {
            Some(base) => chain.push(base),
            None => break,
        }
    }
    tables.into_iter().rev().fold(Table::default(), Table::overlaid)
}

/// The file that `name` stands for, or nothing if there is none or it would close a circle.
fn base_of(
    name: &str,
    at: &At,
    chain: &[Arc<Source>],
    resolve: &dyn Fn(&str) -> Option<Source>,
    findings: &mut Findings,
) -> Option<Arc<Source>> {
    let Some(base) = shipped_source(name).or_else(|| resolve(name)) else {
        findings.tear();
        findings.error(
            "unknown-layout",
            at,
            format!("no layout `{name}` to extend"),
            "neither a shipped layout nor a file beside this one",
            offer(name, &shipped_names()),
        );
        return None;
    };
    let circle = chain.iter().position(|seen| **seen == base);
    if circle.is_none() && chain.len() < DEEPEST {
        return Some(Arc::new(base));
    }
    findings.tear();
    let mut path: Vec<&str> = chain[circle.unwrap_or(0)..].iter().map(|seen| seen.file.as_str()).collect();
    path.push(&base.file);
    let (code, title) = match circle {
        Some(_) => ("extends-cycle", "a layout extends itself".to_owned()),
        None => {
            ("extends-too-deep", format!("{} layouts extend each other, at most {DEEPEST} may", path.len()))
        }
    };
    findings.error(code, at, title, path.join(" → "), "let one of them stand by itself, without `extends`");
    None
}
