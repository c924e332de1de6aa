//! Where this program writes: results to standard output, everything else to standard error.

use std::io::Write;

/// A line about what is being done.
pub(crate) fn notice(line: &str) {
    // Nobody is hurt by a notice that cannot be written.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The result.
pub(crate) fn result(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
