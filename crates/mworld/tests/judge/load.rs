//! `mworld load --verify` as a process of its own.

use std::net::SocketAddr;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::process::OPERATOR;

/// Small, so that its accounts are made in a moment, and full of orders.
const SCENARIO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/judge/busy-till.toml");

/// A run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    pub(crate) rate: u64,
    pub(crate) seconds: u64,
    pub(crate) seed: u64,
}

/// What the judge said.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) ok: bool,
    pub(crate) checked: u64,
    /// Rule and detail.
    pub(crate) violations: Vec<(String, String)>,
    /// Operations that were not answered.
    pub(crate) failed: u64,
}

impl Load {
    /// Drives whatever listens there.
    pub(crate) async fn run(self, address: SocketAddr) -> Verdict {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mworld"));
        command.args(["load", "--verify", "--json", "--scenario", SCENARIO]);
        command.args(["--url", &format!("http://{address}"), "--rate", &self.rate.to_string()]);
        command.args(["--duration", &format!("{}s", self.seconds), "--seed", &self.seed.to_string()]);
        command.env("MWORLD_OPERATOR_TOKEN", OPERATOR).stdin(Stdio::null());
        let output = tokio::task::spawn_blocking(move || command.output()).await.expect("it does not panic");
        let output = output.expect("the program that was built for this test runs");
        let told = String::from_utf8_lossy(&output.stderr);
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("no report ({error}), status {}:\n{told}", output.status));
        let verdict = &report["verdict"];
        let text = |of: &Value| of.as_str().unwrap_or_default().to_owned();
        let violations = verdict["violations"].as_array().expect("a verdict lists violations");
        let ok = verdict["ok"].as_bool().expect("a verdict says whether all is well");
        assert_eq!(output.status.code(), Some(i32::from(!ok)), "the exit code is the verdict's:\n{told}");
        Verdict {
            ok,
            checked: verdict["checked"].as_u64().expect("a verdict counts its facts"),
            violations: violations.iter().map(|one| (text(&one["rule"]), text(&one["detail"]))).collect(),
            failed: report["failed"].as_u64().expect("a report counts failures"),
        }
    }
}
