//! What is wrong with a layout file: where, why, and the form that works.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::layout::Source;

/// One fault of a layout file. It carries the file's text, so that it can be shown without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the layout can be used all the same.
    pub severity: Severity,
    /// A short stable name of the kind of fault.
    pub code: &'static str,
    /// The file in which the offending text stands, also when it came in by `extends`.
    pub source: Arc<Source>,
    /// The offending text, in bytes.
    pub span: Range<usize>,
    /// What is wrong.
    pub title: String,
    /// Why it is wrong.
    pub label: String,
    /// The form that works.
    pub help: String,
}

/// How bad a fault is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The layout is refused.
    Error,
    /// It works, but badly.
    Warning,
}

/// Whether diagnostics are shown with terminal colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// With escape sequences.
    Styled,
    /// Plain text.
    Plain,
}

impl Diagnostic {
    /// The file's name.
    pub fn file(&self) -> &str {
        &self.source.file
    }

    /// Line and column of the offending text's first character, both from 1.
    pub fn line_column(&self) -> (usize, usize) {
        let before = &self.source.text[..self.shown_span().start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// The span cut to what the text has and widened to whole characters: a parser may point behind the
    /// end of a file that stops short.
    fn shown_span(&self) -> Range<usize> {
        let text = &self.source.text;
        let start = text.floor_char_boundary(self.span.start);
        let end = text.ceil_char_boundary(self.span.end.min(text.len()));
        start..end.max(start)
    }
}

/// All diagnostics as one text: errors first, then warnings, each kind in the order of the files' text,
/// and a last line that counts them. Empty if there are none.
pub fn render(diagnostics: &[Diagnostic], colour: Colour) -> String {
    let renderer = match colour {
        Colour::Styled => Renderer::styled(),
        Colour::Plain => Renderer::plain(),
    };
    let mut out = String::new();
    for diagnostic in sorted(diagnostics) {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let snippet = Snippet::source(diagnostic.source.text.as_str()).path(diagnostic.file()).annotation(
            AnnotationKind::Primary.span(diagnostic.shown_span()).label(diagnostic.label.as_str()),
        );
        let group = level.primary_title(diagnostic.title.as_str()).id(diagnostic.code).element(snippet);
        let group = match diagnostic.help.as_str() {
            "" => group,
            help => group.element(Level::HELP.message(help)),
        };
        out.push_str(&renderer.render(&[group]));
        out.push_str("\n\n");
    }
    if !diagnostics.is_empty() {
        let _ = writeln!(out, "{}", summary(diagnostics));
    }
    out
}

/// The line that counts: `2 errors, 1 warning`.
pub fn summary(diagnostics: &[Diagnostic]) -> String {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    let warnings = diagnostics.len() - errors;
    let counted = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    match (errors, warnings) {
        (0, 0) => "no errors, no warnings".to_owned(),
        (_, 0) => counted(errors, "error"),
        (0, _) => counted(warnings, "warning"),
        (_, _) => format!("{}, {}", counted(errors, "error"), counted(warnings, "warning")),
    }
}

/// In the order in which they are shown.
pub(crate) fn sorted(diagnostics: &[Diagnostic]) -> Vec<&Diagnostic> {
    let mut order: Vec<&Diagnostic> = diagnostics.iter().collect();
    order.sort_by(|a, b| {
        (a.severity, a.file(), a.span.start, a.code).cmp(&(b.severity, b.file(), b.span.start, b.code))
    });
    order
}
