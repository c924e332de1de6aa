//! A store on a cluster under traffic, something that goes wrong in the middle, and a verdict.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mworld_playground::testing::TestCluster;
use serde_json::Value;

use crate::process::{OPERATOR, Start, Store};
use crate::running::Running;

/// Few accounts and products, so that set-up is short; everything else as in `black-friday`.
const SMALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/load/small.toml");

/// How long and how hard. The long run is the shipped scenario at a rate that two cores hold.
pub(crate) struct Plan {
    pub(crate) scenario: &'static str,
    pub(crate) rate: &'static str,
    /// Traffic before the fault, and after it has been mended.
    pub(crate) around: Duration,
    /// How long the fault lasts.
    pub(crate) fault: Duration,
}

/// Whether the long runs are asked for.
pub(crate) fn is_long() -> bool {
    std::env::var("MWORLD_LONG").as_deref() == Ok("1")
}

impl Plan {
    pub(crate) fn of_this_run() -> Plan {
        if is_long() {
            Plan {
                scenario: "black-friday",
                rate: "60",
                around: Duration::from_secs(15),
                fault: Duration::from_secs(10),
            }
        } else {
            Plan {
                scenario: SMALL,
                rate: "40",
                around: Duration::from_secs(3),
                fault: Duration::from_secs(3),
            }
        }
    }
}

/// A store on that cluster, ready to be started.
pub(crate) fn store_on(cluster: &TestCluster, database: &str, dir: &Path) -> Start {
    Start::in_dir(&dir.join("data")).flag("--mongodb", &cluster.uri_of(database))
}

/// Traffic under way.
pub(crate) struct Rehearsal {
    run: Running,
    what: &'static str,
    begun: Instant,
}

impl Rehearsal {
    /// Begins to drive the store, and comes back when the schedule is running.
    pub(crate) async fn begin(what: &'static str, store: &Store, plan: &Plan) -> Rehearsal {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mworld"));
        let url = format!("http://{}", store.address);
        command.args(["load", "--url", &url, "--scenario", plan.scenario, "--rate", plan.rate]);
        command.args(["--duration", "30m", "--verify", "--json"]);
        command.env("MWORLD_OPERATOR_TOKEN", OPERATOR);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut run = Running::begin(&mut command);
        run.driving().await;
        Rehearsal { run, what, begun: Instant::now() }
    }

    /// Ends the traffic, lets the judge speak, and says what it cost. The run is far longer than any fault, and ended
    /// after it, so that the fault is in it however slow the machine is.
    pub(crate) async fn end_sound(self) -> Value {
        let lasted = self.begun.elapsed();
        self.run.interrupt();
        let output = self.run.ended().await;
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("no report:\n{}", String::from_utf8_lossy(&output.stderr)));
        let orders = &report["operations"]["order.place"];
        println!(
            "{}: {:.0} s, {} done, {} failed; orders {} placed or refused, {} failed, longest gap {:.1} s, slowest {:.1} s; {} facts",
            self.what,
            lasted.as_secs_f64(),
            report["completed"],
            report["failed"],
            orders["count"],
            orders["errors"],
            orders["longest_gap_ms"].as_f64().unwrap_or_default() / 1000.0,
            orders["max_ms"].as_f64().unwrap_or_default() / 1000.0,
            report["verdict"]["checked"],
        );
        assert_eq!(report["verdict"]["ok"], true, "{}: {:#}", self.what, report["verdict"]);
        assert!(orders["count"].as_u64() > Some(0), "{}: nobody ordered anything", self.what);
        report
    }
}
