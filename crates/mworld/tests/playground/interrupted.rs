//! `up` killed in the middle.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::{Play, servers_of};

impl Play {
    /// Runs `up` until it says something, and kills it then.
    fn up_killed_at(&self, word: &str) {
        let mut up = self.command("up --mongodb 1x1").stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(up.stderr.take().unwrap()).lines().map(Result::unwrap);
        assert!(lines.any(|line| line.contains(word)), "`up` never said «{word}»");
        up.kill().unwrap();
        up.wait().unwrap();
    }
}

#[test]
fn what_a_killed_start_left_can_be_finished_or_cleared() {
    let play = Play::new();
    // Servers are starting, and nobody has been told anything.
    play.up_killed_at("starting s1-1");
    play.done("down");
    play.assert_gone();

    // The shard is a replica set, and the cluster does not know it.
    play.up_killed_at("s1 is ready");
    assert!(!servers_of(&play.dir()).is_empty(), "its servers must outlive it");
    play.done("up");
    assert_eq!(play.member("s1-1")["role"], "primary");
    assert_eq!(play.member("mongos-1")["role"], "router");
    play.done("down");
    play.assert_gone();
}

#[test]
fn servers_of_a_directory_that_was_removed_are_found() {
    let play = Play::new();
    play.up_killed_at("starting s1-1");
    std::fs::remove_dir_all(play.dir()).unwrap();
    play.done("down");
    play.assert_gone();
}
