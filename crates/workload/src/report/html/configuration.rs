//! Everything that is needed to do the run again.

use std::fmt::Write as _;

use super::escape::escape;
use crate::report::{Report, number};

/// The conditions and the scenario, whole.
pub(super) fn section(report: &Report) -> String {
    let conditions = &report.conditions;
    let not_sent = &report.not_sent;
    let lines = [
        ("scenario", report.scenario.clone()),
        ("seed", report.seed.to_string()),
        ("rate", format!("{} operations a second", report.rate)),
        ("duration", format!("{} s", report.duration_s)),
        ("store", conditions.url.clone()),
        ("begun", conditions.started_at.clone()),
        ("ended early", if conditions.ended_early { "yes" } else { "no" }.to_owned()),
        ("Mobile World", conditions.version.clone()),
        ("calls in flight, at most", number::count(conditions.in_flight_limit)),
        ("answers waited for", format!("{} s", conditions.timeout_s)),
        ("products made", number::count(conditions.products)),
        ("accounts made", number::count(conditions.users)),
        ("zones", conditions.zones.join(", ")),
        ("set-up took", format!("{} s", number::few_digits(conditions.setup_s))),
        ("driver's own lateness, p99", number::latency(conditions.lateness_p99_ms)),
        ("not sent: too many in flight", number::count(not_sent.no_room)),
        ("not sent: nothing to do", number::count(not_sent.nothing_to_do)),
        ("not sent: ended early", number::count(not_sent.ended_early)),
    ];
    let mut entries = String::new();
    for (name, value) in lines {
        writeln!(entries, "<div><dt>{name}</dt><dd>{}</dd></div>", escape(&value))
            .expect("a string takes everything");
    }
    format!(
        "<section>\n<h2>Configuration</h2>\n<dl class=\"facts\">\n{entries}</dl>\n<h3>The scenario file</h3>\n\
         <pre class=\"scroll\" tabindex=\"0\">{}</pre>\n</section>\n",
        escape(&conditions.scenario_text)
    )
}
