//! Finding a layout by name or file, and the files that it extends.

use std::path::{Path, PathBuf};

use mworld_placement::Domain;
use mworld_placement::diagnostic::{Diagnostic, render};
use mworld_placement::layout::{Loaded, Source, load_for, shipped_names, shipped_source};
use mworld_shop::{Category, Named, Settings, Zone};

use crate::failure::{Failure, Outcome, wrong_input};
use crate::nearest::nearest;
use crate::output;

/// A layout's text and what became of it.
pub(crate) struct Found {
    pub(crate) source: Source,
    /// The layout, or everything that is wrong with it.
    pub(crate) checked: Result<Loaded, Vec<Diagnostic>>,
}

impl Found {
    /// The layout; one that is refused ends the command with its faults drawn.
    pub(crate) fn loaded(self) -> Outcome<Loaded> {
        let colour = output::colour_of_notices();
        self.checked.map_err(|diagnostics| Failure::Drawn(render(&diagnostics, colour)))
    }
}

/// The shipped layout of that name, else the file.
pub(crate) fn find(name: &str, domain: &Domain) -> Outcome<Found> {
    let (source, directory) = match shipped_source(name) {
        Some(source) => (source, PathBuf::new()),
        None => {
            let path = Path::new(name);
            (read(path, name)?, path.parent().map(Path::to_path_buf).unwrap_or_default())
        }
    };
    let checked = load_for(&source, &|extended| sibling(&directory, extended), domain);
    Ok(Found { source, checked })
}

/// The zones and categories that a layout is checked and explained for.
pub(crate) fn domain(settings: &Settings) -> Domain {
    let zones = settings.zones.iter().map(|Named { id, .. }| Zone::as_str(id).to_owned());
    let categories = settings.categories.iter().map(|Named { id, .. }| Category::as_str(id).to_owned());
    Domain { zones: zones.collect(), categories: categories.collect() }
}

fn read(path: &Path, name: &str) -> Outcome<Source> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let next = match nearest(name, shipped_names()) {
            Some(near) => format!("did you mean the shipped layout {near}?"),
            None => "`mworld layout list` shows the shipped layouts".to_owned(),
        };
        wrong_input(format!(
            "there is no shipped layout {name:?}, and no file of that name can be read: {error}; {next}"
        ))
    })?;
    Ok(Source::new(name, text))
}

/// A file beside the one that extends it, with or without its ending.
fn sibling(directory: &Path, name: &str) -> Option<Source> {
    [name.to_owned(), format!("{name}.toml")].into_iter().find_map(|file| {
        let path = directory.join(file);
        let text = std::fs::read_to_string(&path).ok()?;
        Some(Source::new(path.display().to_string(), text))
    })
}
