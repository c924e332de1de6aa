//! Settings from a TOML file, each with its place, so that a fault can be underlined.

use std::ops::Range;
use std::sync::Arc;

use mworld_placement::layout::Source;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{Fault, Place};
use super::given::Given;
use super::keys::{KEYS, Key, LATER, SECTIONS, find};
use crate::nearest::nearest;

/// One setting as the file has it.
pub(super) struct Setting {
    pub(super) key: &'static Key,
    pub(super) given: Given,
    pub(super) place: Place,
}

/// Everything the file sets, and everything that is wrong with its form.
pub(super) fn read(source: &Arc<Source>) -> (Vec<Setting>, Vec<Fault>) {
    let mut reader = Reader { source, settings: Vec::new(), faults: Vec::new() };
    let (table, errors) = DeTable::parse_recoverable(&source.text);
    for error in errors {
        let place = reader.place(error.span().unwrap_or(0..0));
        reader.faults.push(Fault::syntax(place, error.message()));
    }
    for (name, value) in table.get_ref() {
        reader.top(name, value);
    }
    (reader.settings, reader.faults)
}

struct Reader<'a> {
    source: &'a Arc<Source>,
    settings: Vec<Setting>,
    faults: Vec<Fault>,
}

impl Reader<'_> {
    fn top(&mut self, name: &Spanned<std::borrow::Cow<'_, str>>, value: &Spanned<DeValue<'_>>) {
        let section = SECTIONS.into_iter().find(|section| section == name.get_ref());
        match (section, value.get_ref()) {
            (Some(section), DeValue::Table(table)) => {
                for (name, value) in table {
                    self.setting(&format!("{section}.{}", name.get_ref()), name.span(), value);
                }
            }
            (Some(section), other) => {
                let place = self.place(value.span());
                let instead = format!("write a table, [{section}], with its keys below");
                self.faults.push(Fault::wrong(place, section, &Given::from_toml(other).to_string(), instead));
            }
            (None, _) => self.setting(name.get_ref(), name.span(), value),
        }
    }

    fn setting(&mut self, path: &str, name_span: Range<usize>, value: &Spanned<DeValue<'_>>) {
        if let Some(key) = find(path) {
            let given = Given::from_toml(value.get_ref());
            let place = self.place(value.span());
            return self.settings.push(Setting { key, given, place });
        }
        let place = self.place(name_span);
        if LATER.contains(&path) {
            return self.faults.push(Fault::not_built(place, path));
        }
        // Only neighbours are offered: a key of another section would not work here.
        let section = path.split_once('.').map(|(section, _)| section);
        let beside = |candidate: &&str| candidate.split_once('.').map(|(section, _)| section) == section;
        let known: Vec<String> =
            KEYS.iter().map(|key| key.path).chain(SECTIONS).filter(beside).map(bare).collect();
        let near = nearest(&bare(path), known.iter().map(String::as_str)).map(str::to_owned);
        self.faults.push(Fault::unknown(place, path, near.as_deref(), &known));
    }

    fn place(&self, span: Range<usize>) -> Place {
        Place::File(Arc::clone(self.source), span)
    }
}

/// The name within its section.
fn bare(path: &str) -> String {
    path.split_once('.').map_or(path, |(_, name)| name).to_owned()
}
