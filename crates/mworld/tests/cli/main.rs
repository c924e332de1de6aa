//! The command line as a person meets it: real processes, real directories, real ports.

// What the stories share is outside of any #[test]; a panic is how it fails, too.
#![allow(clippy::unwrap_used)]

mod catalogue;
mod copies;
mod help;
mod layouts;
mod plans;
mod running;
mod store;
mod wrong_input;

use std::path::Path;

use assert_cmd::Command;

/// The program in an empty directory of its own, with nothing configured from outside.
fn mworld(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mworld"));
    command.current_dir(dir);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MWORLD_")) {
        command.env_remove(name);
    }
    command
}

/// What a command said and how it ended.
#[derive(Debug)]
struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// Runs a command to its end.
fn ended(mut command: Command) -> Ended {
    let output = command.output().unwrap();
    Ended {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the program with these arguments in that directory.
fn run(dir: &Path, arguments: &[&str]) -> Ended {
    let mut command = mworld(dir);
    command.args(arguments);
    ended(command)
}
