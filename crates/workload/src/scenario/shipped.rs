//! The scenarios that come with the program.

use mworld_placement::layout::Source;

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/", $name, ".toml")))),*]
    };
}

/// Name and text.
const SHIPPED: &[(&str, &str)] = shipped!["calm-day", "black-friday", "flash-sale", "wholesale"];

/// The names of the shipped scenarios.
pub fn shipped_names() -> Vec<&'static str> {
    SHIPPED.iter().map(|(name, _)| *name).collect()
}

/// The text of a shipped scenario.
pub fn shipped_source(name: &str) -> Option<Source> {
    let (name, text) = SHIPPED.iter().find(|(shipped, _)| *shipped == name)?;
    Some(Source::new(format!("scenarios/{name}.toml"), *text))
}
