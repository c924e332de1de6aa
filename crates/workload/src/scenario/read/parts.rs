//! Tables whose keys are names and whose values are shares of a whole: `[mix]`, `[zones]`.

use std::collections::BTreeMap;
use std::ops::Range;

use mworld_shop::{Operation, Zone};
use toml::de::DeValue;

use super::super::ZonePart;
use super::super::faults::{Faults, offer};
use super::super::item::Item;
use super::super::mix::{MIXED, Mix};
use super::super::section::Section;
use super::super::share::Share;
use super::Said;

/// `[mix]` with the place of every share, for the checks that compare them.
pub(in super::super) struct SaidMix(BTreeMap<Operation, Said<Share>>);

impl SaidMix {
    /// What is said about an operation; nothing is said about one that does not happen.
    pub(in super::super) fn get(&self, operation: Operation) -> Option<&Said<Share>> {
        self.0.get(&operation).filter(|said| said.value > Share::default())
    }

    /// Its share.
    pub(in super::super) fn share(&self, operation: Operation) -> Share {
        self.get(operation).map_or_else(Share::default, |said| said.value)
    }

    pub(super) fn to_mix(&self) -> Mix {
        Mix::new(self.0.iter().map(|(operation, said)| (*operation, said.value)).collect())
    }
}

pub(super) fn mix(mut section: Section<'_>, faults: &mut Faults) -> Option<SaidMix> {
    let mut shares = BTreeMap::new();
    let mut sound = true;
    for item in section.take_all() {
        let operation = operation(&item, faults);
        // A name without quotes makes a table, and the name is what is wrong with it.
        let share = if unquoted(&item) { None } else { item.share(faults) };
        match (operation, share) {
            (Some(operation), Some(value)) => {
                shares.insert(operation, Said { value, at: item.at });
            }
            _ => sound = false,
        }
    }
    sound &= sound && whole(shares.values().map(|said| said.value), "[mix]", section.at(), faults);
    sound.then_some(SaidMix(shares))
}

fn operation(item: &Item<'_>, faults: &mut Faults) -> Option<Operation> {
    let found = MIXED.into_iter().find(|operation| operation.name() == item.key);
    if found.is_none() {
        let other = Operation::ALL.iter().any(|operation| operation.name() == item.key);
        let (why, help) = if other {
            ("no step of a journey: it happens inside of others", format!("a mix has {}", names().join(", ")))
        } else if unquoted(item) {
            ("a name with a point must stand in quotes", "write \"cart.get\" = 10".to_owned())
        } else {
            ("no operation is called so", offer(&item.key, &names()))
        };
        faults.add("unknown-operation", &item.key_at, format!("unknown operation `{}`", item.key), why, help);
    }
    found
}

fn unquoted(item: &Item<'_>) -> bool {
    matches!(item.value, DeValue::Table(_))
}

fn names() -> Vec<&'static str> {
    MIXED.iter().map(|operation| operation.name()).collect()
}

pub(super) fn zones(mut section: Section<'_>, faults: &mut Faults) -> Option<Vec<ZonePart>> {
    let items = section.take_all();
    let count = items.len();
    let zones: Vec<ZonePart> = items
        .into_iter()
        .filter_map(|item| {
            let named = legal_name(&item, Zone::new(&item.key).err(), faults);
            let share = item.share(faults)?;
            named.then_some(ZonePart { name: item.key, share })
        })
        .collect();
    let sound =
        zones.len() == count && whole(zones.iter().map(|zone| zone.share), "[zones]", section.at(), faults);
    sound.then_some(zones)
}

/// Whether a key can name a zone or a category of some store; whether this one has it, the driver asks.
pub(super) fn legal_name(
    item: &Item<'_>,
    error: Option<impl std::fmt::Display>,
    faults: &mut Faults,
) -> bool {
    let Some(error) = error else { return true };
    let title = format!("`{}` names nothing in a store", item.key);
    faults.add(
        "bad-name",
        &item.key_at,
        title,
        error.to_string(),
        "write it as the store's configuration does",
    );
    false
}

/// The scenario's own name goes into file names and product names.
pub(super) fn scenario_name(item: &Item<'_>, faults: &mut Faults) -> Option<String> {
    let name = item.text(faults)?;
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if (1..=64).contains(&name.len()) && name.chars().all(legal) {
        return Some(name);
    }
    let title = format!("the scenario cannot be called {name:?}");
    faults.add(
        "bad-name",
        &item.at,
        title,
        "not 1 to 64 letters, digits, - _ and .",
        "write \"my-black-friday\"",
    );
    None
}

/// Whether shares make exactly a whole.
pub(super) fn whole(
    shares: impl Iterator<Item = Share>,
    table: &str,
    at: &Range<usize>,
    faults: &mut Faults,
) -> bool {
    let sum: Share = shares.sum();
    if sum == Share::WHOLE {
        return true;
    }
    let (given, wanted) = (sum.of_ten_thousand(), Share::WHOLE.of_ten_thousand());
    let help = format!(
        "{} {} % {}",
        if given < wanted { "add" } else { "take" },
        f64::from(given.abs_diff(wanted)) / 100.0,
        if given < wanted { "to one of them" } else { "away from them" }
    );
    faults.add("not-a-whole", at, format!("the shares of {table} make {sum}"), "they must make 100 %", help);
    false
}
