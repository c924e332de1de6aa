//! What a program says of itself: whether it runs here at all, and how new it is.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use crate::error::{Result, failed};

/// A version such as `8.2.0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    major: u32,
    text: String,
}

impl Version {
    /// Reads `8.2.0`.
    pub(crate) fn parse(text: &str) -> Option<Version> {
        let major = text.split('.').next()?.parse().ok()?;
        Some(Version { major, text: text.to_owned() })
    }

    /// The first number.
    #[must_use]
    pub fn major(&self) -> u32 {
        self.major
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Runs `PROGRAM --version`.
pub(super) fn ask(program: &Path) -> Result<Version> {
    let name = program.display();
    let output = Command::new(program)
        .arg("--version")
        .output()
        .map_err(|error| failed(format!("{name} cannot be run: {error}")))?;
    // SIGILL: every build since 5.0 is compiled for AVX.
    if output.status.signal() == Some(4) {
        return Err(failed(format!("{name} needs a processor with AVX, which this machine does not have")));
    }
    let said = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(failed(format!("{name} does not run here: {}", why.trim())));
    }
    read(&said).ok_or_else(|| failed(format!("{name} does not say its version but «{}»", said.trim())))
}

/// `db version v8.2.0` of mongod, `mongos version v8.2.0` of mongos.
fn read(said: &str) -> Option<Version> {
    Version::parse(said.lines().next()?.split_once("version v")?.1.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_the_programs_write_them() {
        let version = read("db version v8.2.0\nBuild Info: {").unwrap();
        assert_eq!((version.major(), version.to_string().as_str()), (8, "8.2.0"));
        assert_eq!(read("mongos version v7.0.11-rc0").unwrap().major(), 7);
        assert_eq!(read("db version 3"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn a_program_that_cannot_be_run_is_named() {
        let refused = ask(Path::new("/nowhere/mongod")).unwrap_err().to_string();
        assert!(refused.contains("/nowhere/mongod"), "{refused}");
    }
}
