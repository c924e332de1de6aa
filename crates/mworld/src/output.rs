//! The two streams: results on standard output, notices on standard error.

use std::io::{self, IsTerminal, Write};

use mworld_placement::diagnostic::Colour;

/// Writes a result. A reader that went away (`mworld layout list | head -1`) is no error.
pub(crate) fn result(text: &str) {
    write_all(&mut io::stdout().lock(), text);
}

/// Writes one result as a line of JSON.
pub(crate) fn json(value: &impl serde::Serialize) {
    let text =
        serde_json::to_string_pretty(value).expect("our own results have no map with keys that are no text");
    result(&format!("{text}\n"));
}

/// Writes a notice.
pub(crate) fn notice(text: &str) {
    write_all(&mut io::stderr().lock(), text);
}

/// Whether results are read by a person at a terminal.
pub(crate) fn colour_of_results() -> Colour {
    if io::stdout().is_terminal() { Colour::Styled } else { Colour::Plain }
}

/// Whether notices are.
pub(crate) fn colour_of_notices() -> Colour {
    if io::stderr().is_terminal() { Colour::Styled } else { Colour::Plain }
}

/// There is nobody left to tell when a stream is broken, so its errors end here.
fn write_all(stream: &mut impl Write, text: &str) {
    let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
}
