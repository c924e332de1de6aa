//! Finding a scenario by name or file.

use std::path::Path;

use mworld_placement::diagnostic::render;
use mworld_placement::layout::Source;
use mworld_workload::scenario::{Scenario, read, shipped_names, shipped_source};

use crate::failure::{Failure, Outcome, wrong_input};
use crate::nearest::nearest;
use crate::note::text_of;
use crate::output;

/// Far more than any scenario needs.
const LONGEST: u64 = 1 << 20;

/// The shipped scenario of that name, else the file; a faulty one ends the command with its faults drawn.
pub(super) fn find(name: &str) -> Outcome<Scenario> {
    let source = match shipped_source(name) {
        Some(source) => source,
        None => from_file(name)?,
    };
    read(&source).map_err(|faults| Failure::Drawn(render(&faults, output::colour_of_notices())))
}

fn from_file(name: &str) -> Outcome<Source> {
    let text = text_of(Path::new(name), LONGEST).map_err(|error| {
        let next = match nearest(name, shipped_names()) {
            Some(near) => format!("did you mean the shipped scenario {near}?"),
            None => format!("shipped are {}", shipped_names().join(", ")),
        };
        wrong_input(format!(
            "there is no shipped scenario {name:?}, and no file of that name can be read: {error}; {next}"
        ))
    })?;
    Ok(Source::new(name, text))
}
