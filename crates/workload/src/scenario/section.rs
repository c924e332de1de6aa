//! A table of a scenario, emptied key by key: what nobody asked for is unknown.

use std::ops::Range;

use mworld_placement::layout::Source;
use toml::de::DeTable;

use super::faults::{Faults, SYNTAX, nearest, offer};
use super::item::Item;

/// A table and what is left to be taken from it.
pub(super) struct Section<'a> {
    /// What it is called in messages: `[mix]`.
    name: String,
    at: Range<usize>,
    items: Vec<Item<'a>>,
    /// The keys that were asked for, and so are known.
    known: Vec<&'static str>,
}

impl<'a> Section<'a> {
    /// The whole file. What its grammar forbids is a fault, and the rest is read all the same.
    pub(super) fn root(source: &'a Source, faults: &mut Faults) -> Section<'a> {
        let (document, errors) = DeTable::parse_recoverable(&source.text);
        for error in errors {
            faults.tear();
            let end = source.text.len();
            faults.add(
                SYNTAX,
                &error.span().unwrap_or(end..end),
                error.message().to_lowercase().replace('\n', ", "),
                "this is not TOML",
                "a table begins with `[name]`, a value is written `key = value`, and a text stands in quotes",
            );
        }
        Section::new("the file".to_owned(), 0..0, document.into_inner())
    }

    pub(super) fn new(name: String, at: Range<usize>, table: DeTable<'a>) -> Section<'a> {
        let mut items: Vec<Item<'a>> = table
            .into_iter()
            .map(|(key, value)| {
                let (key_at, at) = (key.span(), value.span());
                Item { key: key.into_inner().into_owned(), key_at, at, value: value.into_inner() }
            })
            .collect();
        items.sort_by_key(|item| item.key_at.start);
        Section { name, at, items, known: Vec::new() }
    }

    /// Where the table stands.
    pub(super) fn at(&self) -> &Range<usize> {
        &self.at
    }

    /// Takes a key that may be left out.
    pub(super) fn take(&mut self, key: &'static str) -> Option<Item<'a>> {
        self.known.push(key);
        let place = self.items.iter().position(|item| item.key == key)?;
        Some(self.items.remove(place))
    }

    /// Takes a key that must be there; `form` is an example of it. One that is only misspelt will be told as unknown.
    pub(super) fn need(&mut self, key: &'static str, form: &str, faults: &mut Faults) -> Option<Item<'a>> {
        let item = self.take(key);
        let misspelt = || self.items.iter().any(|item| nearest(&item.key, &[key]).is_some());
        if item.is_none() && !misspelt() {
            faults.missing(&self.at, format!("{} has no `{key}`", self.name), format!("add {form}"));
        }
        item
    }

    /// Takes a table that must be there; `line` is an example of its lines.
    pub(super) fn need_section(
        &mut self,
        key: &'static str,
        line: &str,
        faults: &mut Faults,
    ) -> Option<Section<'a>> {
        self.need(key, &format!("`[{key}]`, and below it lines such as `{line}`"), faults)?.section(faults)
    }

    /// Takes all keys, in the order of the file, whatever they are called.
    pub(super) fn take_all(&mut self) -> Vec<Item<'a>> {
        std::mem::take(&mut self.items)
    }

    /// Reports whatever nobody asked for.
    pub(super) fn finish(self, faults: &mut Faults) {
        for item in self.items {
            let title = format!("unknown key `{}` in {}", item.key, self.name);
            faults.add("unknown-key", &item.key_at, title, "not known here", offer(&item.key, &self.known));
        }
    }
}
