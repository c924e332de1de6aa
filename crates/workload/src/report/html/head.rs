//! The headline: what was run, what came of it.

use super::escape::escape;
use crate::report::{Report, number};

/// Name, conditions in a sentence, verdict, and the few numbers that matter most.
pub(super) fn head(report: &Report) -> String {
    format!(
        "<header>\n<p class=\"kind\">Mobile World load report</p>\n<h1>{}</h1>\n<p>{}</p>\n{}</header>\n\
         <dl class=\"tiles\">{}</dl>\n",
        escape(&report.scenario),
        sentence(report),
        badge(report),
        tiles(report),
    )
}

fn sentence(report: &Report) -> String {
    let conditions = &report.conditions;
    let early = if conditions.ended_early { ", <strong>ended early</strong>" } else { "" };
    format!(
        "{} operations a second for {} s{early}, seed {}, against {}, begun {}.",
        report.rate,
        report.duration_s,
        report.seed,
        escape(&conditions.url),
        escape(&to_the_second(&conditions.started_at)),
    )
}

/// A moment without its fraction of a second; the whole of it is in the configuration.
fn to_the_second(moment: &str) -> String {
    let fraction = |letter: char| letter == '.' || letter.is_ascii_digit();
    match moment.split_once('.') {
        Some((whole, rest)) => format!("{whole}{}", rest.trim_start_matches(fraction)),
        None => moment.to_owned(),
    }
}

/// The verdict in a word; a sign stands beside the colour.
fn badge(report: &Report) -> String {
    let (class, sign, words) = match &report.verdict {
        None => ("unjudged", "–", "Not judged: run with --verify to prove what the store did.".to_owned()),
        Some(verdict) if verdict.ok => (
            "sound",
            "✓",
            format!("Sound: {} facts checked, no promise broken.", number::count(verdict.checked)),
        ),
        Some(verdict) => {
            let broken = verdict.violations.len() as u64;
            let checked = number::count(verdict.checked);
            ("unsound", "✗", format!("Unsound: {} violations in {checked} facts.", number::count(broken)))
        }
    };
    format!("<p class=\"badge {class}\"><span aria-hidden=\"true\">{sign}</span> {words}</p>\n")
}

fn tiles(report: &Report) -> String {
    let total = report.total();
    let not_sent = report.not_sent.no_room + report.not_sent.nothing_to_do + report.not_sent.ended_early;
    let counts = [
        ("scheduled", report.scheduled),
        ("answered", report.completed),
        ("failed", report.failed),
        ("not sent", not_sent),
    ];
    let latencies =
        [("p50", total.p50_ms), ("p90", total.p90_ms), ("p99", total.p99_ms), ("slowest", total.max_ms)];
    let counts = counts.map(|(name, value)| tile(name, &number::count(value)));
    let measured = !total.histogram.is_empty();
    let latencies =
        latencies.map(|(name, ms)| tile(name, &if measured { number::latency(ms) } else { "–".to_owned() }));
    counts.concat() + &latencies.concat()
}

fn tile(name: &str, value: &str) -> String {
    format!("<div><dt>{name}</dt><dd>{value}</dd></div>")
}
