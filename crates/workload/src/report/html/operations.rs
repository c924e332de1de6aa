//! By operation: a table, and a chart for each.

use std::fmt::Write as _;

use super::distribution;
use super::escape::escape;
use super::over_time;
use super::points::Buckets;
use crate::report::{Figures, Report, number};

/// The charts are small, and there are a dozen of them.
const MOST_POINTS: u64 = 120;

/// Counts, percentiles and the spread of latencies.
pub(super) fn table(report: &Report) -> String {
    if report.operations.is_empty() {
        return "<section>\n<h2>Operations</h2>\n<p>No operation was sent.</p>\n</section>\n".to_owned();
    }
    let axis = distribution::axis(report.operations.values());
    let total = report.total();
    let rows = report.operations.iter().map(|(name, figures)| (name.as_str(), "", figures));
    let mut lines = String::new();
    for (name, class, figures) in rows.chain([("all", " class=\"total\"", &total)]) {
        let name = escape(name);
        let spread = distribution::draw(&name, figures, &axis);
        writeln!(lines, "<tr{class}><th scope=\"row\">{name}</th>{}<td>{spread}</td></tr>", cells(figures))
            .expect("a string takes everything");
    }
    format!(
        "<section>\n<h2>Operations</h2>\n<p>Latencies count from the intended moment, so they include the wait for a slow \
         store. Refused for a business reason, such as sold out, is no error; busy is an answer that asks to come back later.</p>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Operations\"><table>\n<thead><tr>\
         <th scope=\"col\">operation</th><th scope=\"col\">sent</th><th scope=\"col\">errors</th><th scope=\"col\">refused</th>\
         <th scope=\"col\">busy</th><th scope=\"col\">p50</th><th scope=\"col\">p90</th><th scope=\"col\">p99</th>\
         <th scope=\"col\">slowest</th><th scope=\"col\">spread {}</th></tr></thead>\n<tbody>\n{lines}</tbody></table></div>\n\
         </section>\n",
        distribution::scale(&axis)
    )
}

fn cells(figures: &Figures) -> String {
    let errors = match figures.errors {
        0 => "<td>0</td>".to_owned(),
        errors => {
            let share = number::share(errors as f64 / (figures.count as f64).max(1.0));
            format!("<td class=\"bad\">{} <small>({share})</small></td>", number::count(errors))
        }
    };
    let counted = format!("<td>{}</td>{errors}", number::count(figures.count));
    let counts = [figures.refused, figures.busy].map(|count| format!("<td>{}</td>", number::count(count)));
    let latencies = [figures.p50_ms, figures.p90_ms, figures.p99_ms, figures.max_ms];
    let latencies = latencies.map(|ms| format!("<td>{}</td>", number::latency(ms)));
    format!("{counted}{}{}", counts.concat(), latencies.concat())
}

/// The percentiles of each over time.
pub(super) fn charts(report: &Report) -> String {
    if report.operations.is_empty() {
        return String::new();
    }
    let buckets = Buckets::new(report, MOST_POINTS);
    let each = over_time::point_of(&buckets);
    let draw = |(at, name): (usize, &String)| {
        let id = format!("operation-{at}");
        over_time::latency((&id, name, ""), &buckets, 3, |second| second.operations.get(name))
    };
    let drawn: String = report.operations.keys().enumerate().map(draw).collect();
    format!(
        "<section>\n<h2>Latency of each operation</h2>\n<p>Latency {each}. Each chart has a scale of its own.</p>\n\
         <div class=\"small\">\n{drawn}</div>\n</section>\n"
    )
}
