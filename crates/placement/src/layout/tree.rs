//! A layout file as a tree in which every key and value knows where it stands.

use std::collections::BTreeMap;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::findings::Findings;
use super::source::{At, Source};

/// A table: its keys, each with the place of the key and its value.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table(pub(crate) BTreeMap<String, Entry>);

/// A key of a table and its value.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: At,
    pub(crate) value: Node,
}

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) at: At,
    pub(crate) kind: Kind,
}

/// The values that layouts are written in.
#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Text(String),
    Whole(i64),
    Flag(bool),
    List(Vec<Node>),
    Table(Table),
    /// A value of a type that no layout needs, by the type's name.
    Foreign(&'static str),
}

impl Kind {
    /// What a reader calls this type.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Kind::Text(_) => "a text",
            Kind::Whole(_) => "a whole number",
            Kind::Flag(_) => "true or false",
            Kind::List(_) => "a list",
            Kind::Table(_) => "a table",
            Kind::Foreign(name) => name,
        }
    }
}

/// Reads one file. What its grammar forbids is reported, and the rest of the file is read all the same.
pub(crate) fn parse(source: &Arc<Source>, findings: &mut Findings) -> Table {
    let (document, errors) = DeTable::parse_recoverable(&source.text);
    for error in errors {
        findings.tear();
        let end = source.text.len();
        let at = At::new(source, error.span().unwrap_or(end..end));
        findings.error(
            "syntax",
            &at,
            error.message().to_lowercase().replace('\n', ", "),
            "this is not TOML",
            "a table begins with `[name]`, a value is written `key = value`, and a text stands in quotes",
        );
    }
    table(source, document.into_inner())
}

fn table(source: &Arc<Source>, table: DeTable<'_>) -> Table {
    let entries = table.into_iter().map(|(key, value)| {
        let at = At::new(source, key.span());
        (key.into_inner().into_owned(), Entry { key: at, value: node(source, value) })
    });
    Table(entries.collect())
}

fn node(source: &Arc<Source>, value: toml::Spanned<DeValue<'_>>) -> Node {
    let at = At::new(source, value.span());
    let kind = match value.into_inner() {
        DeValue::String(text) => Kind::Text(text.into_owned()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Kind::Whole(number),
            Err(_) => Kind::Foreign("a number beyond 64 bits"),
        },
        DeValue::Boolean(flag) => Kind::Flag(flag),
        DeValue::Array(list) => Kind::List(list.into_iter().map(|item| node(source, item)).collect()),
        DeValue::Table(inner) => Kind::Table(self::table(source, inner)),
        DeValue::Float(_) => Kind::Foreign("a fraction"),
        DeValue::Datetime(_) => Kind::Foreign("a date"),
    };
    Node { at, kind }
}

impl Table {
    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Entry> {
        self.0.get(key)
    }

    /// This table with what `over` says instead: tables are laid over each other key by key, any other
    /// value is replaced whole.
    pub(crate) fn overlaid(self, over: Table) -> Table {
        self.overlaid_with(over, Braces::Replace)
    }

    fn overlaid_with(mut self, over: Table, braces: Braces) -> Table {
        for (key, entry) in over.0 {
            let braces = if key == "policy" { Braces::Merge } else { braces };
            let merged = match self.0.remove(&key) {
                Some(below) => below.overlaid(entry, braces),
                None => entry,
            };
            self.0.insert(key, merged);
        }
        self
    }
}

/// What a table in braces does to the one below it.
///
/// It is one value, such as `{ dc1 = 3 }`, and leaves nothing of the one below: a ring of two data centres
/// could not be cut to one otherwise. Only an operation's policy is laid over key by key although it is
/// written in braces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    Replace,
    Merge,
}

impl Entry {
    fn overlaid(self, over: Entry, braces: Braces) -> Entry {
        let replaces = braces == Braces::Replace && over.value.in_braces();
        let kind = match (self.value.kind, over.value.kind) {
            (Kind::Table(below), Kind::Table(above)) if !replaces => {
                Kind::Table(below.overlaid_with(above, braces))
            }
            (_, kind) => kind,
        };
        Entry { key: over.key, value: Node { at: over.value.at, kind } }
    }
}

impl Node {
    fn in_braces(&self) -> bool {
        let text = self.at.source.text.get(self.at.span.clone());
        text.is_some_and(|text| text.starts_with('{'))
    }
}
