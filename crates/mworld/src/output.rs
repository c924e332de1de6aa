//! The two streams: results on standard output, notices on standard error.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use mworld_placement::diagnostic::Colour;

/// Whether a result could not be written.
static LOST: AtomicBool = AtomicBool::new(false);

/// Writes a result. A reader that went away (`mworld layout list | head -1`) is no error; a full disk is, and the
/// command ends with it.
pub(crate) fn result(text: &str) {
    if let Err(error) = write_all(&mut io::stdout().lock(), text)
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        LOST.store(true, Ordering::Relaxed);
        notice(&format!("error: the result cannot be written: {error}; see where standard output goes\n"));
    }
}

/// Whether every result so far was written.
pub(crate) fn is_complete() -> bool {
    !LOST.load(Ordering::Relaxed)
}

/// Writes one result as a line of JSON.
pub(crate) fn json(value: &impl serde::Serialize) {
    let text =
        serde_json::to_string_pretty(value).expect("our own results have no map with keys that are no text");
    result(&format!("{text}\n"));
}

/// Writes many results, each as a line of JSON. A reader that went away (`mworld load plan | head -1`) ends it, and is
/// no error.
pub(crate) fn json_lines(values: impl Iterator<Item = impl serde::Serialize>) -> io::Result<()> {
    let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let write = || {
        for value in values {
            serde_json::to_writer(&mut stdout, &value)?;
            stdout.write_all(b"\n")?;
        }
        stdout.flush()
    };
    match write() {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Writes a notice.
pub(crate) fn notice(text: &str) {
    // There is nobody left to tell when this stream is broken.
    let _ = write_all(&mut io::stderr().lock(), text);
}

/// Whether results are read by a person at a terminal.
pub(crate) fn colour_of_results() -> Colour {
    if io::stdout().is_terminal() { Colour::Styled } else { Colour::Plain }
}

/// Whether notices are.
pub(crate) fn colour_of_notices() -> Colour {
    if io::stderr().is_terminal() { Colour::Styled } else { Colour::Plain }
}

fn write_all(stream: &mut impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes()).and_then(|()| stream.flush())
}
