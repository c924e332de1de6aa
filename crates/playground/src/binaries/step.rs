//! One step of an installation: a program that is run, and what it said if it failed.

use std::io::{Read, Seek};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::Say;
use crate::error::{Result, failed};

/// How often a person hears that it is still going on.
const EVERY: Duration = Duration::from_secs(5);

/// How often the program is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Runs a program to its end; `doing` says what for.
pub(super) fn run(doing: &str, command: &mut Command, say: Say<'_>) -> Result<()> {
    say(doing);
    let program = command.get_program().to_string_lossy().into_owned();
    let not_run = |error: std::io::Error| failed(format!("`{program}` cannot be run: {error}"));
    // A file, because a pipe that nobody empties would stop the program.
    let mut said = tempfile::tempfile().map_err(not_run)?;
    command.stdin(Stdio::null());
    command.stdout(said.try_clone().map_err(not_run)?).stderr(said.try_clone().map_err(not_run)?);
    let mut child = command.spawn().map_err(not_run)?;
    let (started, mut told) = (Instant::now(), Instant::now());
    let status = loop {
        if let Some(status) = child.try_wait().map_err(not_run)? {
            break status;
        }
        if told.elapsed() >= EVERY {
            told = Instant::now();
            say(&format!("{doing} (for {} s)", started.elapsed().as_secs()));
        }
        thread::sleep(LOOK);
    };
    if status.success() {
        return Ok(());
    }
    let mut words = Vec::new();
    said.rewind().and_then(|()| said.read_to_end(&mut words)).map_err(not_run)?;
    Err(failed(format!("`{program}` ended with {status}: {}", last_words(&String::from_utf8_lossy(&words)))))
}

/// The end of what it said, on one line: the reason usually comes last.
fn last_words(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(6)..].join(" / ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_carries_the_programs_own_words() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo the network is down >&2; exit 3"]);
        let failed = run("trying", &mut command, &|_| ()).unwrap_err().to_string();
        assert!(failed.contains("`sh`") && failed.contains("3: the network is down"), "{failed}");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let failed = run("trying", &mut Command::new("no-such-program"), &|_| ()).unwrap_err().to_string();
        assert!(failed.contains("`no-such-program` cannot be run"), "{failed}");
    }
}
