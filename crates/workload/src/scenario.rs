//! A scenario: traffic described in a TOML file.

mod cast;

use std::sync::Arc;
use std::time::Duration;

use mworld_placement::diagnostic::Diagnostic;
use mworld_placement::layout::Source;

pub use self::cast::{Cast, CastProduct};

/// A scenario that may be used.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// The file, whole, for the report.
    pub source: Arc<Source>,
    /// Mean operations a second, if nothing else is said.
    pub rate: f64,
    /// Length of its schedule, if nothing else is said.
    pub duration: Duration,
}

/// Reads a scenario; a faulty one is refused with all its faults.
pub fn read(source: &Source) -> Result<Scenario, Vec<Diagnostic>> {
    let source = Arc::new(source.clone());
    Ok(Scenario { name: String::new(), source, rate: 1.0, duration: Duration::from_secs(1) })
}

/// The names of the shipped scenarios.
pub fn shipped_names() -> Vec<&'static str> {
    vec!["calm-day", "black-friday", "flash-sale", "wholesale"]
}

/// The text of a shipped scenario.
pub fn shipped_source(_name: &str) -> Option<Source> {
    None
}
