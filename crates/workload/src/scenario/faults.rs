//! Where faults are collected while a scenario is read.

use std::ops::Range;
use std::sync::Arc;

use mworld_placement::diagnostic::{Diagnostic, Severity};
use mworld_placement::layout::Source;

/// The code of a fault of the grammar.
pub(super) const SYNTAX: &str = "syntax";

/// The faults found so far. Reading goes on after a fault, so that one run shows all of them.
#[derive(Debug)]
pub(super) struct Faults {
    source: Arc<Source>,
    list: Vec<Diagnostic>,
    /// Whether the text has a hole: then nothing may be called missing.
    torn: bool,
}

impl Faults {
    pub(super) fn new(source: &Arc<Source>) -> Faults {
        Faults { source: Arc::clone(source), list: Vec::new(), torn: false }
    }

    /// Adds one: what is wrong, why, and the form that works.
    pub(super) fn add(
        &mut self,
        code: &'static str,
        at: &Range<usize>,
        title: impl Into<String>,
        why: impl Into<String>,
        help: impl Into<String>,
    ) {
        // What the grammar tripped over is not judged a second time.
        if self.list.iter().any(|fault| fault.code == SYNTAX && fault.span == *at) {
            return;
        }
        self.list.push(Diagnostic {
            severity: Severity::Error,
            code,
            source: Arc::clone(&self.source),
            span: at.clone(),
            title: title.into(),
            label: why.into(),
            help: help.into(),
        });
    }

    /// Adds something that should be there and is not, unless it may only have been unreadable.
    pub(super) fn missing(&mut self, at: &Range<usize>, title: impl Into<String>, help: impl Into<String>) {
        if !self.torn {
            self.add("missing-key", at, title, "it is not here", help);
        }
    }

    /// Remembers that the text could not be read whole.
    pub(super) fn tear(&mut self) {
        self.torn = true;
    }

    /// Everything found, in the order of the text.
    pub(super) fn into_list(mut self) -> Vec<Diagnostic> {
        self.list.sort_by(|a, b| (a.span.start, a.code).cmp(&(b.span.start, b.code)));
        self.list.dedup();
        self.list
    }
}

/// The known name nearest to what was written, if it is near enough to be a slip rather than another word.
pub(super) fn nearest<'a>(written: &str, known: &[&'a str]) -> Option<&'a str> {
    // A third of the letters may be wrong: enough for a swapped or a forgotten one.
    let allowed = (written.chars().count() / 3).max(1);
    let distance = |name: &str| strsim::damerau_levenshtein(&written.to_lowercase(), name);
    let near = known.iter().map(|name| (distance(name), *name)).min_by_key(|(distance, _)| *distance)?;
    (near.0 <= allowed).then_some(near.1)
}

/// A sentence that offers it, or all of them.
pub(super) fn offer(written: &str, known: &[&str]) -> String {
    match nearest(written, known) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("known here: {}", known.join(", ")),
    }
}
