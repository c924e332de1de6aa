//! What makes two runs less comparable than they should be.

use crate::report::Report;

/// Whether second *n* of both runs had the same operations due.
pub(super) fn same_schedule(a: &Report, b: &Report) -> bool {
    a.conditions.scenario_text == b.conditions.scenario_text
        && (a.scenario.as_str(), a.seed) == (b.scenario.as_str(), b.seed)
        && (a.rate, a.duration_s) == (b.rate, b.duration_s)
}

/// Each in one sentence.
pub(super) fn about(a: &Report, b: &Report) -> Vec<String> {
    let mut notices = Vec::new();
    let mut differ = |what: &str, of_a: String, of_b: String| {
        if of_a != of_b {
            notices.push(format!(
                "the runs differ in their {what}: {of_a} and {of_b}; what follows may come from that"
            ));
        }
    };
    differ("scenario", a.scenario.clone(), b.scenario.clone());
    differ("seed", a.seed.to_string(), b.seed.to_string());
    differ("rate", format!("{}/s", a.rate), format!("{}/s", b.rate));
    differ("duration", format!("{} s", a.duration_s), format!("{} s", b.duration_s));
    differ("time-out", format!("{} s", a.conditions.timeout_s), format!("{} s", b.conditions.timeout_s));
    differ(
        "limit of calls in flight",
        a.conditions.in_flight_limit.to_string(),
        b.conditions.in_flight_limit.to_string(),
    );
    if a.scenario == b.scenario && a.conditions.scenario_text != b.conditions.scenario_text {
        notices.push(format!(
            "both runs name the scenario {}, but its text has changed between them",
            a.scenario
        ));
    }
    for (name, run, other) in [("A", a, b), ("B", b, a)] {
        about_one(&mut notices, name, run);
        let missing: Vec<&str> = run
            .operations
            .keys()
            .filter(|of| !other.operations.contains_key(*of))
            .map(String::as_str)
            .collect();
        if !missing.is_empty() {
            notices.push(format!("only run {name} has {}: not compared", missing.join(", ")));
        }
    }
    notices
}

fn about_one(notices: &mut Vec<String>, name: &str, run: &Report) {
    if run.conditions.ended_early {
        notices.push(format!("run {name} was ended early"));
    }
    if run.not_sent.no_room > 0 {
        let (left_out, limit) = (run.not_sent.no_room, run.conditions.in_flight_limit);
        notices.push(format!(
            "run {name} left {left_out} operations out because {limit} calls were in flight; they count in no latency"
        ));
    }
    if let Some(verdict) = run.verdict.as_ref().filter(|verdict| !verdict.ok) {
        let broken = verdict.violations.len();
        notices
            .push(format!("run {name} was found unsound ({broken} violations): its speed is worth nothing"));
    }
}
