//! `mworld load plan`: traffic that is told and not sent.

use std::collections::BTreeMap;
use std::process::Stdio;

use serde_json::Value;
use tempfile::tempdir;

use crate::run;

const FOUR: [&str; 4] = ["calm-day", "black-friday", "flash-sale", "wholesale"];

#[test]
fn twice_with_one_seed_is_byte_equal_and_a_shorter_plan_is_a_prefix() {
    let dir = tempdir().unwrap();
    let plan = |seed: &str, count: &str| {
        let plan =
            run(dir.path(), &["load", "plan", "--scenario", "flash-sale", "--seed", seed, "--count", count]);
        assert_eq!(plan.code, Some(0), "{plan:?}");
        plan.stdout
    };
    let long = plan("5", "20001");
    assert_eq!(long.lines().count(), 20_001);
    assert!(long == plan("5", "20001"), "the same seed makes the same bytes");
    assert!(long.starts_with(&plan("5", "10007")), "a shorter plan is a prefix");
    assert!(!long.starts_with(&plan("6", "10")), "another seed makes another plan");
    assert_eq!(plan("5", "0"), "");
}

#[test]
fn a_plan_is_the_scenarios_mix_in_the_order_of_time() {
    let dir = tempdir().unwrap();
    for scenario in FOUR {
        let plan = run(dir.path(), &["load", "plan", "--scenario", scenario, "--count", "10000"]);
        let lines: Vec<Value> = plan.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
        for (n, line) in lines.iter().enumerate() {
            assert_eq!(line["n"], n, "{scenario}");
            *shares.entry(line["op"].as_str().unwrap()).or_default() += 0.01;
        }
        assert!(lines.is_sorted_by_key(|line| line["at_ms"].as_f64().unwrap()), "{scenario}");
        let file = format!("{}/../../scenarios/{scenario}.toml", env!("CARGO_MANIFEST_DIR"));
        let wanted: toml::Table = std::fs::read_to_string(file).unwrap().parse().unwrap();
        for (op, share) in wanted["mix"].as_table().unwrap() {
            let wanted = share.as_float().or(share.as_integer().map(|share| share as f64)).unwrap();
            assert!((shares[op.as_str()] - wanted).abs() < 1.0, "{scenario} {op}: {shares:?}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let dir = tempdir().unwrap();
    let mut plan = std::process::Command::new(env!("CARGO_BIN_EXE_mworld"))
        .current_dir(dir.path())
        .args(["load", "plan", "--count", "1000000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(plan.stdout.take());
    let ended = plan.wait_with_output().unwrap();
    assert!(ended.status.success() && ended.stderr.is_empty(), "{ended:?}");
}

#[test]
fn a_scenario_may_be_a_file_and_its_faults_are_drawn() {
    let dir = tempdir().unwrap();
    let shipped =
        std::fs::read_to_string(format!("{}/../../scenarios/calm-day.toml", env!("CARGO_MANIFEST_DIR")))
            .unwrap();
    std::fs::write(dir.path().join("mine.toml"), &shipped).unwrap();
    let mine = run(dir.path(), &["load", "plan", "--scenario", "mine.toml", "--count", "50"]);
    let theirs = run(dir.path(), &["load", "plan", "--scenario", "calm-day", "--count", "50"]);
    assert_eq!((mine.code, mine.stdout), (Some(0), theirs.stdout));

    let bad = shipped.replace("\"cart.get\"", "\"cart.gte\"").replace("msk = 40", "msk = 50");
    std::fs::write(dir.path().join("bad.toml"), bad).unwrap();
    let bad = run(dir.path(), &["load", "plan", "--scenario", "bad.toml"]);
    assert_eq!((bad.code, bad.stdout.as_str()), (Some(2), ""));
    for fragment in ["bad.toml:17:1", "did you mean `cart.get`?", "make 110 %", "take 10 % away", "2 errors"]
    {
        assert!(bad.stderr.contains(fragment), "{fragment:?} is missing in\n{}", bad.stderr);
    }
}
