//! The playground as a person meets it: real servers, which must do as they are told and be gone afterwards.

// What the stories share is outside of any #[test]; a panic is how it fails, too.
#![allow(clippy::unwrap_used)]

mod guarded;
mod interrupted;
mod life;
mod refused;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A directory for a playground, which is taken down whatever becomes of the test.
struct Play {
    folder: TempDir,
}

/// What a command said and how it ended.
#[derive(Debug)]
struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Play {
    fn new() -> Play {
        Play { folder: tempfile::tempdir().unwrap() }
    }

    /// The playground's directory, by the path that its servers have in their command lines.
    fn dir(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("play")
    }

    /// `mworld playground --dir … ARGUMENTS`
    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mworld"));
        command.current_dir(self.folder.path()).args(["playground", "--dir", "play"]);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MWORLD_"))
        {
            if name != "MWORLD_ENGINES" {
                command.env_remove(name);
            }
        }
        command.args(arguments.split_whitespace());
        command
    }

    /// Runs a command until its streams are closed: a server that kept one of them would hang the test.
    fn run(&self, arguments: &str) -> Ended {
        let Output { status, stdout, stderr } = self.command(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ended { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    /// Runs a command that must succeed, and gives what it printed.
    fn done(&self, arguments: &str) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.code, Some(0), "{arguments}: {ended:?}");
        ended.stdout
    }

    fn status(&self) -> Value {
        serde_json::from_str(&self.done("status --json")).unwrap()
    }

    /// What `status` says of one member.
    fn member(&self, name: &str) -> Value {
        let status = self.status();
        let members = status["mongodb"]["members"].as_array().unwrap().clone();
        members.into_iter().find(|member| member["name"] == name).unwrap()
    }

    /// Sees that neither a server nor a file is left.
    fn assert_gone(&self) {
        assert_eq!(servers_of(&self.dir()), Vec::<String>::new());
        assert!(!self.dir().exists());
    }
}

impl Drop for Play {
    fn drop(&mut self) {
        // A test that failed half-way must not leave servers; one that did well left none.
        let _ = self.command("down").output();
    }
}

/// The command lines that speak of this directory.
fn servers_of(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(dir.to_str().unwrap())).collect()
}
