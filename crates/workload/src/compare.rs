//! Two runs side by side: which differences are more than chance.
//!
//! Each run is cut into blocks of time, each block gives one value of each metric, and a rank test says whether the
//! blocks of B differ from those of A. Where both runs followed one schedule their blocks are compared in pairs, so that
//! a spike in the schedule does not blur the comparison. Everything is computed, nothing drawn by lot: the same two
//! reports always get the same answer.
//!
//! What no arithmetic can mend: two runs at different times met a different machine. Only runs in alternating blocks
//! meet the same.

mod blocks;
mod estimate;
mod finding;
mod holm;
mod method;
mod notices;
mod rank_sum;
mod signed_rank;
mod subject;
mod table;
mod whole;

use std::collections::BTreeSet;

use serde::Serialize;

pub use self::finding::Finding;
pub use self::subject::Metric;

use self::finding::Seen;
use self::method::Method;
use self::subject::Subject;
use crate::report::{Figures, Report};

/// What is said of two runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// How it was tested, in words.
    pub method: String,
    /// What makes the two runs less comparable than they should be.
    pub notices: Vec<String>,
    /// The change for the worse that is still allowed; 0.1 is 10 %.
    pub max_regression: f64,
    /// Whether something is surely worse by more than that.
    pub regression: bool,
    /// By operation and metric.
    pub rows: Vec<Row>,
}

/// One metric of one operation in both runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The operation; `all` for all together.
    pub operation: String,
    /// What was measured.
    pub metric: Metric,
    /// Its value in the whole of run A.
    pub a: f64,
    /// Its value in the whole of run B.
    pub b: f64,
    /// From A to B, block by block; none where there were too few blocks.
    pub change: Option<Change>,
    /// How often chance makes a change as large somewhere in this comparison.
    pub p: f64,
    /// What follows.
    pub verdict: Finding,
    /// Surely worse, and by more than is allowed.
    pub regression: bool,
}

/// A change, with its 95 % interval. Relative (0.1 is 10 % more), but of errors the difference of their shares.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Change {
    /// The typical one.
    pub by: f64,
    /// At least.
    pub low: f64,
    /// At most.
    pub high: f64,
}

impl Comparison {
    /// Whether anything is surely better or worse.
    pub fn differs(&self) -> bool {
        self.rows.iter().any(|row| matches!(row.verdict, Finding::Better | Finding::Worse))
    }
}

/// The name under which all operations together are listed.
pub const ALL: &str = "all";

/// Compares two runs; `max_regression` is the change for the worse that is still allowed, 0.1 for 10 %.
pub fn compare(a: &Report, b: &Report, max_regression: f64) -> Comparison {
    let method = Method::of(a, b);
    let totals = (a.total(), b.total());
    let in_both: BTreeSet<&str> = a.operations.keys().map(String::as_str).collect();
    let in_both = in_both.into_iter().filter(|name| b.operations.contains_key(*name));
    let operations: Vec<Option<&str>> = std::iter::once(None).chain(in_both.map(Some)).collect();

    let mut subjects = Vec::new();
    let mut seen = Vec::new();
    for operation in operations {
        let of_a = figures(a, operation, &totals.0);
        let of_b = figures(b, operation, &totals.1);
        for metric in Metric::ALL {
            let subject = Subject { operation, metric };
            let estimate = method.test(&subject, (a, of_a), (b, of_b));
            let p = estimate.map_or(1.0, |estimate| estimate.p);
            subjects.push(subject);
            seen.push(Seen { metric, whole: (subject.whole(of_a, a), subject.whole(of_b, b)), p, estimate });
        }
    }
    let tests = correct_for_many(&mut seen);
    let rows = subjects.iter().zip(&seen);
    let rows: Vec<Row> = rows.map(|(subject, seen)| row(subject, seen, max_regression)).collect();
    Comparison {
        method: method.words(tests),
        notices: notices::about(a, b),
        max_regression,
        regression: rows.iter().any(|row| row.regression),
        rows,
    }
}

fn figures<'a>(report: &'a Report, operation: Option<&str>, total: &'a Figures) -> &'a Figures {
    operation.map_or(total, |name| &report.operations[name])
}

/// Corrects the p-values for their number. What cannot differ at all, such as errors where there were none, is no test
/// and makes the others no harder to pass. Says how many were tests.
fn correct_for_many(seen: &mut [Seen]) -> usize {
    let tests: Vec<&mut Seen> =
        seen.iter_mut().filter(|seen| seen.estimate.is_some_and(|estimate| !estimate.is_nothing())).collect();
    let p_values: Vec<f64> = tests.iter().map(|seen| seen.p).collect();
    let adjusted = holm::adjusted(&p_values);
    tests.into_iter().zip(&adjusted).for_each(|(seen, p)| seen.p = *p);
    adjusted.len()
}

fn row(subject: &Subject<'_>, seen: &Seen, max_regression: f64) -> Row {
    let as_change = |shift: f64| if subject.metric == Metric::Errors { shift } else { shift.exp_m1() };
    Row {
        operation: subject.operation.unwrap_or(ALL).to_owned(),
        metric: subject.metric,
        a: seen.whole.0,
        b: seen.whole.1,
        change: seen.estimate.map(|estimate| Change {
            by: as_change(estimate.shift),
            low: as_change(estimate.low),
            high: as_change(estimate.high),
        }),
        p: seen.p,
        verdict: seen.finding(max_regression),
        regression: seen.is_regression(max_regression),
    }
}
