//! Servers that go with the process that wanted them, however that ends.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mworld_playground::testing::private_cluster;

use crate::PATIENCE;

/// Set for the process that is going to be killed.
const VICTIM: &str = "PLAYGROUND_TEST_VICTIM";

#[test]
fn the_servers_of_a_killed_process_die_and_their_directory_goes() {
    let mut victim = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "dying::a_process_to_kill", "--nocapture"])
        .env(VICTIM, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(victim.stdout.take().unwrap()).lines().map(Result::unwrap);
    let servers = lines.filter_map(|line| line.split_once("server ")?.1.parse::<u32>().ok()).take(3);
    let servers: Vec<u32> = servers.collect();
    assert_eq!(servers.len(), 3);
    let directory = directory_of(servers[0]).unwrap();
    assert!(
        directory.is_dir() && servers.iter().all(|server| directory_of(*server).as_ref() == Some(&directory))
    );

    victim.kill().unwrap();
    victim.wait().unwrap();
    let killed = Instant::now();
    while servers.iter().any(|server| directory_of(*server).is_some()) || directory.exists() {
        assert!(killed.elapsed() < PATIENCE, "{servers:?} or {} outlived it", directory.display());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[tokio::test]
async fn a_cluster_that_is_dropped_leaves_nothing() {
    let cluster = private_cluster(1, 1).await;
    let servers: Vec<u32> = cluster.members().await.iter().map(|member| member.pid.unwrap()).collect();
    let directory = directory_of(servers[0]).unwrap();
    drop(cluster);
    assert!(!directory.exists());
    assert!(servers.iter().all(|server| directory_of(*server).is_none()));
}

/// Not a test but the process of the one above: it starts a cluster, says who its servers are, and waits to be killed.
#[tokio::test]
async fn a_process_to_kill() {
    if std::env::var_os(VICTIM).is_none() {
        return;
    }
    let cluster = private_cluster(1, 1).await;
    for member in cluster.members().await {
        println!("server {}", member.pid.unwrap());
    }
    // Ends when the test that started it does.
    std::io::stdin().read_line(&mut String::new()).unwrap();
}

/// Where a server keeps its log, if it lives.
fn directory_of(pid: u32) -> Option<PathBuf> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let mut words = line.split(|byte| *byte == 0);
    words.find(|word| *word == b"--logpath")?;
    Some(Path::new(std::str::from_utf8(words.next()?).unwrap()).parent().unwrap().to_owned())
}
