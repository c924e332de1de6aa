//! The text of a layout file, and places within it.

use std::ops::Range;
use std::sync::Arc;

/// A layout file: the name that diagnostics show, and its text. Nothing here reads files; the caller does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// How the file is called in diagnostics, and what its layout is called if it does not say.
    pub file: String,
    /// Its text.
    pub text: String,
}

impl Source {
    /// A source of that name and text.
    pub fn new(file: impl Into<String>, text: impl Into<String>) -> Source {
        Source { file: file.into(), text: text.into() }
    }

    /// The file's name without its directory and extension: a layout's name if the file states none.
    pub(crate) fn stem(&self) -> &str {
        let name = self.file.rsplit(['/', '\\']).next().unwrap_or(&self.file);
        name.strip_suffix(".toml").unwrap_or(name)
    }
}

/// A place in a file. It carries the file along, because a layout is put together from several.
#[derive(Debug, Clone)]
pub(crate) struct At {
    pub(crate) source: Arc<Source>,
    pub(crate) span: Range<usize>,
}

impl At {
    pub(crate) fn new(source: &Arc<Source>, span: Range<usize>) -> At {
        At { source: Arc::clone(source), span }
    }
}

/// A value and the place where it was said.
#[derive(Debug, Clone)]
pub(crate) struct Said<T> {
    pub(crate) value: T,
    pub(crate) at: At,
}

/// A part of a table that may be left out. What stands there and cannot be read is not left out: it has been
/// reported, and nothing may be concluded from its absence.
#[derive(Debug)]
pub(crate) enum Part<T> {
    Absent,
    Unreadable,
    Said(Said<T>),
}

impl<T> Part<T> {
    /// The part that stands at a place, if there is one, read by `read`.
    pub(crate) fn of<N>(place: Option<N>, read: impl FnOnce(N) -> Option<Said<T>>) -> Part<T> {
        match place {
            None => Part::Absent,
            Some(place) => read(place).map_or(Part::Unreadable, Part::Said),
        }
    }

    /// What is said, if it can be read.
    pub(crate) fn said(&self) -> Option<&Said<T>> {
        match self {
            Part::Said(said) => Some(said),
            Part::Absent | Part::Unreadable => None,
        }
    }
}

impl<T> Said<T> {
    pub(crate) fn new(value: T, at: &At) -> Said<T> {
        Said { value, at: at.clone() }
    }
}
