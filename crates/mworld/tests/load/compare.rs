//! `mworld load compare`: two reports, and two stores by turns.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::process::{OPERATOR, Start};
use crate::running::output;
use crate::{SCENARIO, alone, load, report, url, within};

/// What the proxy adds to every answer: many times what a store on the same machine takes, and more than a busy machine
/// adds to it for a whole second.
const DELAY: Duration = Duration::from_millis(80);

fn compare(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mworld"));
    command.args(["load", "compare"]).args(arguments).env("MWORLD_OPERATOR_TOKEN", OPERATOR);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Drives both stores for so many seconds each. What is half as slow again may be luck on a busy machine; the delay is
/// far beyond that.
async fn by_turns(a: &str, b: &str, seconds: &str) -> (Option<i32>, Value) {
    let flags =
        ["--scenario", SCENARIO, "--rate", "120", "--duration", seconds, "--max-regression", "50%", "--json"];
    let output = output(&mut compare(&[&[a, b][..], &flags].concat())).await;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let seen = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}\n{stderr}"));
    (output.status.code(), seen)
}

/// Answers as the store does, a little later. It ends with the runtime of the test.
async fn delaying_proxy(store: SocketAddr) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(forward(client, store));
        }
    });
    address
}

async fn forward(client: TcpStream, store: SocketAddr) -> std::io::Result<()> {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_store, mut to_store) = TcpStream::connect(store).await?.into_split();
    tokio::spawn(async move { tokio::io::copy(&mut from_client, &mut to_store).await });
    let mut part = vec![0; 64 * 1024];
    loop {
        let length = from_store.read(&mut part).await?;
        if length == 0 {
            return Ok(());
        }
        tokio::time::sleep(DELAY).await;
        to_client.write_all(&part[..length]).await?;
    }
}

/// Fails when the turns are not compared with each other, or when the delay is not measured.
#[test]
fn a_delayed_store_is_found_by_turns_in_one_run() {
    let _machine = alone();
    within(Duration::from_secs(120), async {
        let dir = tempfile::tempdir().unwrap();
        let store = Start::in_dir(&dir.path().join("data")).open().await;
        let delayed = format!("http://{}", delaying_proxy(store.address).await);
        let (code, seen) = by_turns(&url(&store), &delayed, "16s").await;
        assert_eq!((code, &seen["regression"]), (Some(1), &Value::from(true)), "{seen:#}");
        let rows = seen["rows"].as_array().unwrap();
        let all = rows.iter().find(|row| row["operation"] == "all" && row["metric"] == "p50").unwrap();
        assert_eq!(all["verdict"], "worse", "{all}");
        let added_ms = all["b"].as_f64().unwrap() - all["a"].as_f64().unwrap();
        assert!(added_ms > 40.0, "the proxy adds {DELAY:?}, and {added_ms} ms were seen: {all}");
    });
}

/// Fails when one of two equal places in the turns is worse than the other.
#[test]
fn a_store_against_itself_is_not_accused() {
    let _machine = alone();
    within(Duration::from_secs(120), async {
        let dir = tempfile::tempdir().unwrap();
        let store = Start::in_dir(&dir.path().join("data")).open().await;
        let (code, seen) = by_turns(&url(&store), &url(&store), "12s").await;
        assert_eq!((code, &seen["regression"]), (Some(0), &Value::from(false)), "{seen:#}");
        assert!(seen["method"].as_str().unwrap().contains("pairs"), "{}", seen["method"]);
    });
}

/// A report of twenty seconds, made from one of two: the command is tested here, its arithmetic elsewhere.
fn stretched(report: &Value, slower: f64) -> Value {
    let mut report = report.clone();
    let busiest = report["timeline"].as_array().unwrap().iter().max_by_key(|second| second["due"].as_u64());
    let mut second = busiest.unwrap().clone();
    for percentile in ["p50_ms", "p90_ms", "p99_ms"] {
        let longer = second["all"][percentile].as_f64().unwrap() * slower;
        second["all"][percentile] = longer.into();
    }
    report["timeline"] = (0..20_u64)
        .map(|at| {
            let mut second = second.clone();
            second["at"] = at.into();
            second
        })
        .collect();
    report
}

fn assert_ends(output: &Output, code: i32, says: &str) {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{err}");
    assert!(out.contains(says) || err.contains(says), "«{says}» is not in\n{out}{err}");
}

#[test]
fn reports_are_compared_in_either_form() {
    let _machine = alone();
    within(Duration::from_secs(60), async {
        let dir = tempfile::tempdir().unwrap();
        let store = Start::in_dir(&dir.path().join("data")).open().await;
        let file = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        let page = file("page.html");
        let run =
            output(&mut load(&url(&store), &["--rate", "60", "--duration", "2s", "--html", &page])).await;
        let first = report(&run);
        let write =
            |name: &str, report: &Value| std::fs::write(Path::new(&file(name)), report.to_string()).unwrap();
        write("first.json", &first);
        write("long.json", &stretched(&first, 1.0));
        write("slow.json", &stretched(&first, 1.5));

        let (first, long, slow) = (file("first.json"), file("long.json"), file("slow.json"));
        assert_ends(&output(&mut compare(&[&page, &first])).await, 0, "No regression");
        assert_ends(&output(&mut compare(&[&long, &long])).await, 0, "Wilcoxon signed-rank");
        assert_ends(&output(&mut compare(&[&long, &slow])).await, 1, "worse: a regression beyond 10");
        assert_ends(&output(&mut compare(&[&slow, &long])).await, 0, "better");
        assert_ends(&output(&mut compare(&[&long, &slow, "--max-regression", "60%"])).await, 0, "worse");
    });
}

#[test]
fn what_cannot_be_compared_says_why() {
    within(Duration::from_secs(60), async {
        let dir = tempfile::tempdir().unwrap();
        let other = dir.path().join("other.json");
        std::fs::write(&other, "{}").unwrap();
        let other = other.to_str().unwrap();
        let store = "http://127.0.0.1:1";
        for (arguments, says) in [
            (&["nowhere.json", other][..], "cannot read nowhere.json"),
            (&[other, other], "missing field"),
            (&[other, store], "two reports, or the URLs"),
            (&[other, other, "--rate", "5"], "leave them out"),
            (&[other, other, "--max-regression", "ten"], "such as 10%"),
            (&[other, other, "--max-regression", "-1%"], "such as 10%"),
        ] {
            assert_ends(&output(&mut compare(arguments)).await, 2, says);
        }
        assert_ends(&output(&mut compare(&[store, store, "--scenario", SCENARIO])).await, 1, "127.0.0.1:1");
    });
}
