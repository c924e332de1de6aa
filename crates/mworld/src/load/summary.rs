//! A report as a person reads it at a terminal.

use std::fmt::Write as _;

use mworld_workload::report::number::{count, latency};
use mworld_workload::report::{Figures, Report, Verdict};

/// Violations that are shown; the JSON has all.
const MOST_SHOWN: usize = 20;

/// The report as text.
pub(super) fn text(report: &Report) -> String {
    let mut text = headline(report);
    text.push_str(&table(report));
    text.push_str(&footer(report));
    if let Some(verdict) = &report.verdict {
        text.push_str(&verdict_text(verdict));
    }
    text
}

fn headline(report: &Report) -> String {
    format!(
        "{}, seed {}, {} operations a second for {} s on {}\n\n",
        report.scenario, report.seed, report.rate, report.duration_s, report.conditions.url
    )
}

fn table(report: &Report) -> String {
    let mut rows = vec![
        ["operation", "count", "errors", "refused", "busy", "p50", "p90", "p99", "max"].map(str::to_owned),
    ];
    let row = |name: &str, figures: &Figures| {
        [
            name.to_owned(),
            count(figures.count),
            count(figures.errors),
            count(figures.refused),
            count(figures.busy),
            latency(figures.p50_ms),
            latency(figures.p90_ms),
            latency(figures.p99_ms),
            latency(figures.max_ms),
        ]
    };
    rows.extend(report.operations.iter().map(|(name, figures)| row(name, figures)));
    rows.push(row("all", &report.total()));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let width = *width;
            let _ =
                if column == 0 { write!(text, "{cell:<width$}") } else { write!(text, "  {cell:>width$}") };
        }
        text.push('\n');
    }
    text
}

fn footer(report: &Report) -> String {
    let not_sent = report.not_sent;
    let mut text = format!(
        "\n{} scheduled: {} answered, {} failed",
        count(report.scheduled),
        count(report.completed),
        count(report.failed)
    );
    for (number, why) in [
        (not_sent.no_room, "not sent for want of room"),
        (not_sent.nothing_to_do, "with nothing to do"),
        (not_sent.ended_early, "not sent because the run was ended"),
    ] {
        if number > 0 {
            let _ = write!(text, ", {} {why}", count(number));
        }
    }
    let _ = write!(
        text,
        "\nLatency counts from the intended moment; the driver itself was {} late at the 99th percentile.\n",
        latency(report.conditions.lateness_p99_ms)
    );
    text
}

fn verdict_text(verdict: &Verdict) -> String {
    let mut text = match verdict.violations.len() {
        0 => format!("\nSound: {} facts were checked, no rule was broken.\n", count(verdict.checked)),
        1 => format!("\nNot sound: {} facts were checked, 1 is a broken promise.\n", count(verdict.checked)),
        many => format!(
            "\nNot sound: {} facts were checked, {} are broken promises.\n",
            count(verdict.checked),
            count(many as u64)
        ),
    };
    let unused: Vec<&str> =
        verdict.rules.iter().filter(|(_, checked)| **checked == 0).map(|(rule, _)| rule.as_str()).collect();
    if !unused.is_empty() {
        let _ = writeln!(text, "Nothing was there to check for: {}.", unused.join(", "));
    }
    for violation in verdict.violations.iter().take(MOST_SHOWN) {
        let numbers: Vec<_> = violation.operations.iter().map(u64::to_string).collect();
        let _ = write!(text, "  {}: {}", violation.rule, violation.detail);
        if !numbers.is_empty() {
            let _ = write!(text, " (operations {})", numbers.join(", "));
        }
        text.push('\n');
    }
    if verdict.violations.len() > MOST_SHOWN {
        let _ = writeln!(text, "  … and {} more; --json has all", verdict.violations.len() - MOST_SHOWN);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(price: u64) -> String {
        let rules = [("price".to_owned(), price), ("stock".to_owned(), 4)].into();
        verdict_text(&Verdict { ok: true, checked: price + 4, violations: Vec::new(), rules })
    }

    #[test]
    fn a_rule_without_a_fact_is_named() {
        assert!(told(0).ends_with("Nothing was there to check for: price.\n"), "{}", told(0));
        assert!(!told(1).contains("Nothing"), "{}", told(1));
    }
}
