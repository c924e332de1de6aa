//! What a run leaves behind: one document that holds its whole configuration and everything that was measured.

pub mod html;
pub mod number;
mod read;
mod total;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use self::read::{NotAReport, read};

/// A finished run, as `mworld load --json` prints it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The scenario's name.
    pub scenario: String,
    /// What the plan was made from.
    pub seed: u64,
    /// Mean operations a second that were asked for.
    pub rate: f64,
    /// Length of the schedule in seconds.
    pub duration_s: f64,
    /// Operations in the schedule.
    pub scheduled: u64,
    /// Operations that were answered: done, or refused for a business reason.
    pub completed: u64,
    /// Operations that were sent and got no such answer.
    pub failed: u64,
    /// Operations that were never sent, and why.
    pub not_sent: NotSent,
    /// By operation.
    pub operations: BTreeMap<String, Figures>,
    /// Second by second.
    pub timeline: Vec<Second>,
    /// Only with `--verify`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verdict: Option<Verdict>,
    /// Everything else that is needed to do it again.
    pub conditions: Conditions,
}

/// Operations that were never sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NotSent {
    /// As many as may be in flight were.
    pub no_room: u64,
    /// What they build on did not come about: no order to pay, no session to use.
    pub nothing_to_do: u64,
    /// The run was ended before their moment.
    pub ended_early: u64,
}

/// What was measured of one operation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Figures {
    /// How many were sent.
    pub count: u64,
    /// How many of them failed.
    pub errors: u64,
    /// How many were refused for a business reason, such as sold out: no errors.
    pub refused: u64,
    /// How often the store said that it has no time, for anybody (503 with `Retry-After`, 429) or for this cart
    /// (`cart_busy`), also where a repeat went well.
    pub busy: u64,
    /// Median latency in milliseconds, from the intended moment.
    ///
    /// All percentiles, the slowest and the histogram cover what was answered or refused, and what timed out or was cut
    /// off, with the time until it was given up. They leave out what failed for another reason before its time-out: no
    /// connection, an answer 5xx or garbled. Those are in `errors` only; how soon they came is no latency.
    pub p50_ms: f64,
    /// 90 of 100 were faster.
    pub p90_ms: f64,
    /// 99 of 100 were faster.
    pub p99_ms: f64,
    /// The slowest.
    pub max_ms: f64,
    /// The longest stretch between two that were done, in milliseconds.
    #[serde(default)]
    pub longest_gap_ms: f64,
    /// The whole histogram: latency in microseconds and how many had it, ascending.
    pub histogram: Vec<(u64, u64)>,
}

/// One second of the run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Second {
    /// Which, from 0.
    pub at: u64,
    /// Operations due in it.
    pub due: u64,
    /// Answers in it.
    pub completed: u64,
    /// Failures in it.
    pub failed: u64,
    /// Most calls in flight at once.
    pub in_flight: u64,
    /// All operations together: what was *due* in this second. Percentiles cannot be added up from those of the parts.
    #[serde(default)]
    pub all: SecondOf,
    /// By operation: what was *due* in this second.
    pub operations: BTreeMap<String, SecondOf>,
}

/// One second of one operation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SecondOf {
    /// How many of them were answered.
    pub count: u64,
    /// How many failed.
    pub errors: u64,
    /// Median latency in milliseconds. Percentiles cover what those of [`Figures`] cover.
    pub p50_ms: f64,
    /// 90 of 100 were faster.
    pub p90_ms: f64,
    /// 99 of 100 were faster.
    pub p99_ms: f64,
    /// The slowest.
    pub max_ms: f64,
}

/// What the judge found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// No rule was broken.
    pub ok: bool,
    /// How many facts were checked.
    pub checked: u64,
    /// What was broken.
    pub violations: Vec<Violation>,
    /// By rule: how many facts were checked.
    pub rules: BTreeMap<String, u64>,
}

/// One broken promise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// The rule's stable name.
    pub rule: String,
    /// The operations that show it, by number; readings after the end have none.
    pub operations: Vec<u64>,
    /// Both sides: what was promised and what was seen.
    pub detail: String,
}

/// Under which conditions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// The program's version.
    pub version: String,
    /// The store's address.
    pub url: String,
    /// When, RFC 3339.
    pub started_at: String,
    /// The most calls in flight at once.
    pub in_flight_limit: u64,
    /// How long an answer was waited for, in seconds.
    pub timeout_s: f64,
    /// Products, accounts, zones that were made.
    pub products: u64,
    /// Accounts.
    pub users: u64,
    /// Zones sold in.
    pub zones: Vec<String>,
    /// How late the driver itself was at the 99th percentile, in milliseconds: from the intended moment to the first
    /// byte, for calls that had nothing to wait for.
    pub lateness_p99_ms: f64,
    /// Seconds that set-up took.
    pub setup_s: f64,
    /// Whether the run was ended before all of its schedule had come due.
    pub ended_early: bool,
    /// The scenario file, whole.
    pub scenario_text: String,
}
