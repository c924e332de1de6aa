//! Settings from the environment: `MWORLD_LISTEN`, `MWORLD_SHOP_CURRENCY` and so on.

use super::fault::{Fault, Place};
use super::given::Given;
use super::keys::{KEYS, Key, LATER, SECTIONS};
use crate::nearest::nearest;

/// The secret that opens the operator's endpoints; never a setting that a file could hold.
pub(crate) const OPERATOR_TOKEN: &str = "MWORLD_OPERATOR_TOKEN";

/// The password of the cluster's user, for those who keep it out of addresses; never a setting that a file could hold.
pub(crate) const MONGODB_PASSWORD: &str = "MWORLD_MONGODB_PASSWORD";

/// Read where they are needed, and no settings of a store.
const READ_ELSEWHERE: [&str; 3] = [OPERATOR_TOKEN, MONGODB_PASSWORD, "MWORLD_ENGINES"];

const PREFIX: &str = "MWORLD_";

/// What a variable is to us.
pub(super) enum Meaning {
    /// A setting.
    Setting(&'static Key, Given),
    /// Not ours, or read elsewhere.
    Nothing,
    /// Begins like ours and means nothing; perhaps of another program. It is said and passed over.
    Unknown,
}

/// Reads one variable.
pub(super) fn read(name: &str, value: &str) -> Result<Meaning, Fault> {
    let Some(rest) = name.strip_prefix(PREFIX) else { return Ok(Meaning::Nothing) };
    if READ_ELSEWHERE.contains(&name) {
        return Ok(Meaning::Nothing);
    }
    if let Some(key) = KEYS.iter().find(|key| variable(key.path) == name) {
        return Ok(Meaning::Setting(key, Given::from_text(value)));
    }
    let place = || Place::Outside(name.to_owned());
    if LATER.iter().any(|later| variable(later) == name) {
        return Err(Fault::not_built(place(), name));
    }
    let known: Vec<String> =
        KEYS.iter().map(|key| variable(key.path)).chain(READ_ELSEWHERE.map(str::to_owned)).collect();
    let near = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
    let in_section = SECTIONS.iter().any(|section| rest.starts_with(&format!("{}_", section.to_uppercase())));
    if near.is_some() || in_section {
        return Err(Fault::unknown(place(), name, near.as_deref(), &known));
    }
    Ok(Meaning::Unknown)
}

/// The variable of a setting.
pub(super) fn variable(path: &str) -> String {
    format!("{PREFIX}{}", path.replace('.', "_").to_uppercase())
}
