//! A comparison as a table for a terminal.

use std::fmt;

use super::{Comparison, Finding, Metric, Row};
use crate::report::number;

impl fmt::Display for Comparison {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = format!("{} %", (self.max_regression * 1_000.0).round() / 10.0);
        let shown: Vec<&Row> = self.rows.iter().filter(|row| is_shown(row)).collect();
        let mut lines = vec![["operation", "metric", "A", "B", "change", "verdict"].map(str::to_owned)];
        lines.extend(shown.iter().map(|row| cells(row, &bound)));
        write_aligned(out, &lines)?;
        writeln!(out)?;
        writeln!(
            out,
            "A and B are the whole runs; errors and throughput are listed where they are not the same."
        )?;
        writeln!(out, "method: {}", self.method)?;
        writeln!(out)?;
        let regressions = self.rows.iter().filter(|row| row.regression).count();
        match regressions {
            0 => writeln!(out, "No regression beyond {bound} is proven."),
            1 => writeln!(out, "1 regression beyond {bound}."),
            more => writeln!(out, "{more} regressions beyond {bound}."),
        }
    }
}

/// Percentiles always; what an open model fixes beforehand, the number of answers, only where it went wrong.
fn is_shown(row: &Row) -> bool {
    row.metric.share().is_some() || row.verdict != Finding::Same
}

fn cells(row: &Row, bound: &str) -> [String; 6] {
    let change = row.change.map_or("-".to_owned(), |change| {
        let [by, low, high] = [change.by, change.low, change.high].map(|part| signed(part, row.metric));
        format!("{by} ({low} … {high})")
    });
    let verdict = match row.verdict {
        Finding::Worse if row.regression && row.metric == Metric::Errors => "worse: a regression".to_owned(),
        Finding::Worse if row.regression => format!("worse: a regression beyond {bound}"),
        verdict => verdict.words().to_owned(),
    };
    let [a, b] = [row.a, row.b].map(|value| shown(value, row.metric));
    [row.operation.clone(), row.metric.name().to_owned(), a, b, change, verdict]
}

fn shown(value: f64, metric: Metric) -> String {
    match metric {
        Metric::P50 | Metric::P90 | Metric::P99 => number::latency(value),
        Metric::Errors => number::share(value),
        Metric::Throughput => format!("{}/s", number::few_digits(value)),
    }
}

/// A change with its sign; shares of errors differ by points, everything else by percent.
fn signed(part: f64, metric: Metric) -> String {
    let unit = if metric == Metric::Errors { "pt" } else { "%" };
    let percent = part * 100.0;
    let decimals = if percent.abs() < 1_000.0 { 1 } else { 0 };
    format!("{percent:+.decimals$} {unit}")
}

/// Columns as wide as their widest cell; the last one ends the line, so it is not padded.
fn write_aligned(out: &mut fmt::Formatter<'_>, lines: &[[String; 6]]) -> fmt::Result {
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    for [operation, metric, a, b, change, verdict] in lines {
        let [first, second, third, fourth, fifth, _] = widths;
        write!(out, "{operation:first$}  {metric:second$}  {a:>third$}  {b:>fourth$}  ")?;
        writeln!(out, "{change:>fifth$}  {verdict}")?;
    }
    Ok(())
}
