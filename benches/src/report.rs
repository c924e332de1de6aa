//! The result: a small table of ratios with the conditions under which they were measured.

use std::fmt::Write as _;

use crate::output::notice;

/// How a ratio should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bound {
    AtLeast(f64),
    AtMost(f64),
    /// Shown for its own sake.
    None,
}

/// One line of the table.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// What was measured.
    pub(crate) what: String,
    /// The measurement itself, for orientation only: it depends on the machine and on what else runs there.
    pub(crate) measured: String,
    /// The limit measured in the same turns.
    pub(crate) limit: String,
    pub(crate) ratio: f64,
    pub(crate) bound: Bound,
}

impl Bound {
    fn is_kept_by(self, ratio: f64) -> bool {
        match self {
            Bound::AtLeast(least) => ratio >= least,
            Bound::AtMost(most) => ratio <= most,
            Bound::None => true,
        }
    }

    fn text(self) -> String {
        match self {
            Bound::AtLeast(least) => format!("≥ {least}"),
            Bound::AtMost(most) => format!("≤ {most}"),
            Bound::None => "—".to_owned(),
        }
    }
}

/// Everything that is told at the end.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) conditions: Vec<String>,
    rows: Vec<Row>,
    /// Whether bounds are judged: not on stores that are too small for them.
    pub(crate) judged: bool,
}

impl Report {
    /// Takes a line in, and shows it at once: a run that is cut off has told what it knew.
    pub(crate) fn push(&mut self, row: Row) {
        notice(&self.line(&row));
        self.rows.push(row);
    }

    fn line(&self, row: &Row) -> String {
        let Row { what, measured, limit, ratio, bound } = row;
        let verdict = match bound {
            Bound::None => "—",
            _ if !self.judged => "not judged",
            bound if bound.is_kept_by(*ratio) => "kept",
            _ => "**missed**",
        };
        format!("| {what} | {measured} | {limit} | {} | {} | {verdict} |", ratio_text(*ratio), bound.text())
    }

    /// As Markdown.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from(
            "| what | measured | limit in the same run | ratio | wanted | verdict |\n|---|---|---|---|---|---|\n",
        );
        for row in &self.rows {
            let _ = writeln!(text, "{}", self.line(row));
        }
        text.push('\n');
        for condition in &self.conditions {
            let _ = writeln!(text, "- {condition}");
        }
        text
    }
}

/// Two digits that matter.
fn ratio_text(ratio: f64) -> String {
    if ratio >= 100.0 { format!("{ratio:.0}") } else { format!("{ratio:.2}") }
}

/// A rate with thousands apart.
pub(crate) fn rate(per_second: f64) -> String {
    let digits = format!("{per_second:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text + "/s"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ratio: f64, bound: Bound) -> Row {
        Row { what: "w".to_owned(), measured: "m".to_owned(), limit: "l".to_owned(), ratio, bound }
    }

    #[test]
    fn bounds_are_judged_on_the_right_side() {
        let rows = vec![row(0.5, Bound::AtLeast(0.7)), row(0.5, Bound::AtMost(0.7)), row(9.0, Bound::None)];
        let report = Report { rows, judged: true, ..Report::default() };
        let text = report.text();
        assert!(text.contains("| 0.50 | ≥ 0.7 | **missed** |"), "{text}");
        assert!(text.contains("| 0.50 | ≤ 0.7 | kept |"), "{text}");
        assert!(text.contains("| 9.00 | — | — |"), "{text}");
    }

    #[test]
    fn a_smoke_run_judges_nothing() {
        let report = Report { rows: vec![row(0.1, Bound::AtLeast(0.7))], ..Report::default() };
        assert!(report.text().contains("not judged"));
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(rate(1_234_567.4), "1,234,567/s");
        assert_eq!(rate(999.0), "999/s");
    }
}
