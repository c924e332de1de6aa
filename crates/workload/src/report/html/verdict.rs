//! The verdict: rule by rule, and every violation.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::escape::escape;
use crate::report::{Report, Verdict, Violation, number};

/// A page with more is read by nobody; the rest is in the report's JSON.
const MOST_SHOWN: usize = 200;

/// What the judge found, if it was asked.
pub(super) fn section(report: &Report) -> String {
    let Some(verdict) = &report.verdict else { return String::new() };
    let violations = if verdict.violations.is_empty() { String::new() } else { list(&verdict.violations) };
    format!("<section>\n<h2>Verdict</h2>\n{}{violations}</section>\n", rules(verdict))
}

fn rules(verdict: &Verdict) -> String {
    let mut broken: BTreeMap<&str, u64> = verdict.rules.keys().map(|rule| (rule.as_str(), 0)).collect();
    for violation in &verdict.violations {
        *broken.entry(&violation.rule).or_default() += 1;
    }
    let mut lines = String::new();
    for (rule, violations) in broken {
        let checked = verdict.rules.get(rule).copied().unwrap_or(0);
        let (class, sign) = match (checked, violations) {
            (_, 1..) => (" class=\"bad\"", "✗ broken"),
            (0, 0) => ("", "– nothing to check"),
            (_, 0) => (" class=\"good\"", "✓ kept"),
        };
        let (rule, checked, violations) = (escape(rule), number::count(checked), number::count(violations));
        writeln!(
            lines,
            "<tr><th scope=\"row\">{rule}</th><td{class}>{sign}</td><td>{checked}</td><td>{violations}</td></tr>"
        )
        .expect("a string takes everything");
    }
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Rules\"><table>\n<thead><tr><th scope=\"col\">rule</th>\
         <th scope=\"col\">finding</th><th scope=\"col\">facts checked</th><th scope=\"col\">violations</th></tr></thead>\n\
         <tbody>\n{lines}</tbody></table></div>\n"
    )
}

fn list(violations: &[Violation]) -> String {
    let mut items = String::new();
    for violation in violations.iter().take(MOST_SHOWN) {
        let operations: Vec<String> = violation.operations.iter().map(|n| format!("#{n}")).collect();
        let by = match operations.is_empty() {
            true => "readings after the end".to_owned(),
            false => operations.join(", "),
        };
        let (rule, detail) = (escape(&violation.rule), escape(&violation.detail));
        writeln!(items, "<li><strong>{rule}</strong> <span class=\"by\">{by}</span><br/>{detail}</li>")
            .expect("a string takes everything");
    }
    let left_out = violations.len().saturating_sub(MOST_SHOWN) as u64;
    let more = match left_out {
        0 => String::new(),
        more => format!("<p>{} more are in the report's JSON.</p>\n", number::count(more)),
    };
    format!("<h3>Violations</h3>\n<ol class=\"violations\">\n{items}</ol>\n{more}")
}
