//! Where faults are collected while a layout is read and checked.

use std::sync::Arc;

use super::source::{At, Source};
use crate::diagnostic::{Diagnostic, Severity};

/// The faults found so far. Reading goes on after a fault, so that one run shows all of them.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    list: Vec<Diagnostic>,
    /// The file asked for and those it extends, in that order. What the default layout adds is not the writer's text.
    own: Vec<Arc<Source>>,
    /// Whether some file could not be read whole: then nothing may be called missing.
    torn: bool,
}

impl Findings {
    /// Adds a file to those whose faults are the writer's.
    pub(crate) fn own(&mut self, source: &Arc<Source>) {
        self.own.push(Arc::clone(source));
    }

    /// Remembers that a file's text has a hole.
    pub(crate) fn tear(&mut self) {
        self.torn = true;
    }

    /// A fault for which the layout is refused.
    pub(crate) fn error(
        &mut self,
        code: &'static str,
        at: &At,
        title: impl Into<String>,
        why: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Severity::Error, code, at, title.into(), why.into(), help.into());
    }

    /// Something that should be there and is not. In a torn file it may only have been unreadable.
    pub(crate) fn missing(
        &mut self,
        code: &'static str,
        at: &At,
        title: impl Into<String>,
        why: impl Into<String>,
        help: impl Into<String>,
    ) {
        if !self.torn {
            self.error(code, at, title, why, help);
        }
    }

    /// Something that works badly. Dropped where the text is the default layout's: its own comment says it.
    pub(crate) fn warn(
        &mut self,
        code: &'static str,
        at: &At,
        title: impl Into<String>,
        why: impl Into<String>,
        help: impl Into<String>,
    ) {
        if self.is_own(at) {
            self.push(Severity::Warning, code, at, title.into(), why.into(), help.into());
        }
    }

    /// Of two places that are wrong only together, the one that the writer can change.
    pub(crate) fn own_of<'a>(&self, first: &'a At, second: &'a At) -> &'a At {
        if self.is_own(first) || !self.is_own(second) { first } else { second }
    }

    /// Whether a fault was found for which the layout is refused.
    pub(crate) fn any_error(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Everything found, in the order in which it is shown.
    pub(crate) fn into_list(self) -> Vec<Diagnostic> {
        let mut list: Vec<Diagnostic> = crate::diagnostic::sorted(&self.list).into_iter().cloned().collect();
        list.dedup();
        list
    }

    /// Whether `upper` stands in a file that extends the one in which `lower` stands.
    pub(crate) fn stands_above(&self, upper: &At, lower: &At) -> bool {
        self.depth(upper) < self.depth(lower)
    }

    fn is_own(&self, at: &At) -> bool {
        self.depth(at) < self.own.len()
    }

    /// How many files lie above that of `at`; what is nobody's lies below all.
    fn depth(&self, at: &At) -> usize {
        let depth = self.own.iter().position(|source| Arc::ptr_eq(source, &at.source));
        depth.unwrap_or(self.own.len())
    }

    fn push(
        &mut self,
        severity: Severity,
        code: &'static str,
        at: &At,
        title: String,
        label: String,
        help: String,
    ) {
        let source = Arc::clone(&at.source);
        self.list.push(Diagnostic { severity, code, source, span: at.span.clone(), title, label, help });
    }
}
