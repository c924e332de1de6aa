//! What is wrong with a configuration, and how it is shown.

use std::ops::Range;
use std::sync::Arc;

use mworld_placement::diagnostic::{Colour, Diagnostic, Severity, render};
use mworld_placement::layout::Source;

/// Where something was written.
#[derive(Debug, Clone)]
pub(super) enum Place {
    /// In a file, at these bytes.
    File(Arc<Source>, Range<usize>),
    /// In a variable or a flag of that name.
    Outside(String),
}

/// One thing that is wrong.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    place: Place,
    code: &'static str,
    title: String,
    help: String,
}

impl Fault {
    /// A value that the setting does not take.
    pub(super) fn wrong(place: Place, name: &str, given: &str, instead: String) -> Fault {
        Fault { place, code: "wrong-value", title: format!("`{name}` cannot be {given}"), help: instead }
    }

    /// A name that means nothing.
    pub(super) fn unknown(place: Place, name: &str, near: Option<&str>, known: &[String]) -> Fault {
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known here: {}", known.join(", ")),
        };
        Fault { place, code: "unknown-key", title: format!("there is no setting `{name}`"), help }
    }

    /// A name that a later version will know.
    pub(super) fn not_built(place: Place, name: &str) -> Fault {
        let title = format!("`{name}` is not built yet in this version");
        let help = "remove it: this version keeps everything in the embedded engine in `data`".to_owned();
        Fault { place, code: "not-built-yet", title, help }
    }

    /// No TOML.
    pub(super) fn syntax(place: Place, message: &str) -> Fault {
        let title = format!("this is no TOML: {}", message.lines().collect::<Vec<_>>().join(", "));
        Fault { place, code: "syntax", title, help: "write key = value; text stands in quotes".to_owned() }
    }
}

/// All faults as one text.
pub(super) fn draw(faults: &[Fault], colour: Colour) -> String {
    let mut text = String::new();
    let mut in_files = Vec::new();
    for fault in faults {
        match &fault.place {
            Place::Outside(name) => {
                text.push_str(&format!("error: {name}: {}; {}\n", fault.title, fault.help));
            }
            Place::File(source, span) => in_files.push(Diagnostic {
                severity: Severity::Error,
                code: fault.code,
                source: Arc::clone(source),
                span: span.clone(),
                title: fault.title.clone(),
                label: fault.help.clone(),
                help: String::new(),
            }),
        }
    }
    text.push_str(&render(&in_files, colour));
    text
}
