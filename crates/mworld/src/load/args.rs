//! What a person may type after `mworld load`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::units;

/// `mworld load`
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Load {
    #[command(subcommand)]
    pub(crate) command: Option<LoadCommand>,
    #[command(flatten)]
    pub(crate) run: Run,
}

/// `mworld load …`
#[derive(Debug, Subcommand)]
pub(crate) enum LoadCommand {
    /// Print the operations of a scenario, one JSON document a line, and send nothing
    Plan(Plan),
    /// Say which differences between two reports are more than chance
    Compare(Compare),
}

/// `mworld load` without a word after it: a run.
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The store
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) seeded: Seeded,
    /// Mean operations a second; the scenario's curve is scaled to it [default: the scenario's]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = rate)]
    pub(crate) rate: Option<f64>,
    /// How long, such as 60s or 5m [default: the scenario's]
    #[arg(long, value_name = "D", allow_negative_numbers = true, value_parser = duration)]
    pub(crate) duration: Option<Duration>,
    /// The most requests in flight at once; operations that find no room are counted apart
    #[arg(long, value_name = "N", default_value_t = 4_096, value_parser = clap::value_parser!(u64).range(1..=50_000))]
    pub(crate) in_flight: u64,
    /// How long an answer may take
    #[arg(long, value_name = "D", default_value = "10s", allow_negative_numbers = true, value_parser = duration)]
    pub(crate) timeout: Duration,
    /// Prove afterwards that the store kept its promises; exit code 1 if it did not
    #[arg(long)]
    pub(crate) verify: bool,
    /// Write the report with its charts as one HTML file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a plan is made from.
#[derive(Debug, Args)]
pub(crate) struct Seeded {
    /// A shipped scenario (calm-day, black-friday, flash-sale, wholesale) or a file
    #[arg(long, value_name = "S", default_value = "black-friday")]
    pub(crate) scenario: String,
    /// The same seed makes the same operations
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) seed: u64,
}

/// `mworld load plan`
#[derive(Debug, Args)]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) seeded: Seeded,
    /// How many operations
    #[arg(long, value_name = "N", default_value = "1000", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) count: u64,
}

/// `mworld load compare`
#[derive(Debug, Args)]
#[command(after_help = COMPARE_HELP)]
pub(crate) struct Compare {
    /// The report that is the measure (what `mworld load --json` or `--html` wrote), or the URL of a running store
    pub(crate) a: String,
    /// The report that is compared with it, or the URL of another store
    pub(crate) b: String,
    /// How much worse something may surely be, before the exit code is 1
    #[arg(long, value_name = "P", default_value = "10%", allow_hyphen_values = true, value_parser = percentage)]
    pub(crate) max_regression: f64,
    /// One JSON document
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) traffic: ComparedTraffic,
}

/// What two running stores are driven with. Two reports have had their traffic.
#[derive(Debug, Args)]
#[command(next_help_heading = "With URLs")]
pub(crate) struct ComparedTraffic {
    /// A shipped scenario or a file [default: black-friday]
    #[arg(long, value_name = "S")]
    pub(crate) scenario: Option<String>,
    /// The same seed makes the same operations [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
    pub(crate) seed: Option<u64>,
    /// Mean operations a second, for the store whose turn it is [default: the scenario's]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = rate)]
    pub(crate) rate: Option<f64>,
    /// How long each store is driven; both together take twice as long [default: the scenario's]
    #[arg(long, value_name = "D", allow_negative_numbers = true, value_parser = duration)]
    pub(crate) duration: Option<Duration>,
}

const COMPARE_HELP: &str = "Examples:
  mworld load compare before.json after.json
  mworld load compare before.html after.html --max-regression 5%
  mworld load compare http://127.0.0.1:8080 http://127.0.0.1:8081 --rate 200 --duration 60s

Two reports were made at different times, and the machine may have changed in between. Two URLs are driven in one run,
by turns of a second, so that it cannot. Both stores must know the operator token in MWORLD_OPERATOR_TOKEN.";

/// More than a driver on one machine can send, and few enough that sums of a day stay far from overflow.
const MOST_A_SECOND: f64 = 1_000_000.0;

fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("write a whole number from 0 to {}, such as 42", u64::MAX))
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if rate > 0.0 && rate <= MOST_A_SECOND => Ok(rate),
        _ => Err(format!("write operations a second, more than 0 and at most {MOST_A_SECOND}, such as 500")),
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let day = Duration::from_secs(86_400);
    match units::duration(text) {
        Some(duration) if !duration.is_zero() && duration <= day => Ok(duration),
        _ => Err("write a whole number of s, m or h, from 1s to 24h, such as 60s or 5m".to_owned()),
    }
}

fn percentage(text: &str) -> Result<f64, String> {
    match text.strip_suffix('%').map(|number| number.trim_end().parse::<f64>()) {
        Some(Ok(percent)) if (0.0..=1_000.0).contains(&percent) => Ok(percent / 100.0),
        _ => Err("write a percentage from 0% to 1000%, such as 10%".to_owned()),
    }
}
