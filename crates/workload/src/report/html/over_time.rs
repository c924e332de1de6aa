//! The whole run over time: four charts, and the same as numbers.

use std::fmt::Write as _;

use super::axis::Axis;
use super::chart::{Chart, Series, Shape};
use super::points::Buckets;
use crate::report::{Report, Second, SecondOf, number};

/// A chart on a wide screen has about two pixels for each.
const MOST_POINTS: u64 = 300;

/// Steps between the times that are written below a chart.
const MOST_STEPS: u64 = 5;

/// As many as a person reads.
const MOST_LINES: u64 = 60;

/// Throughput, latency, failures, calls in flight.
pub(super) fn charts(report: &Report) -> String {
    let buckets = Buckets::new(report, MOST_POINTS);
    let each = match buckets.length_s {
        1 => "each second".to_owned(),
        length_s => format!("means of {length_s} s"),
    };
    let [throughput, failures, in_flight] =
        [throughput(&buckets, &each), failures(&buckets, &each), in_flight(&buckets)];
    let about = point_of(&buckets);
    let latency = latency(("latency", "Latency", &about), &buckets, MOST_STEPS, |second| Some(&second.all));
    format!(
        "<section>\n<h2>Over time</h2>\n<div class=\"wide\">\n{throughput}{latency}{failures}{in_flight}</div>\n</section>\n"
    )
}

fn throughput(buckets: &Buckets<'_>, each: &str) -> String {
    let due = buckets.map(|bucket| bucket.mean(|second| second.due));
    let completed = buckets.map(|bucket| bucket.mean(|second| second.completed));
    let highest = highest(due.iter().chain(&completed));
    let described = format!(
        "Operations due and answered a second, over {} seconds. At most {} were due and {} were answered.",
        buckets.span_s,
        number::few_digits(self::highest(due.iter())),
        number::few_digits(self::highest(completed.iter())),
    );
    let series = vec![
        Series { name: "due", class: "due", shape: Shape::Line, points: due },
        Series { name: "answered", class: "answered", shape: Shape::Line, points: completed },
    ];
    let about = format!("operations a second, {each}");
    chart(buckets, ("throughput", "Throughput", &about), MOST_STEPS, described, Axis::counts(highest), series)
}

fn failures(buckets: &Buckets<'_>, each: &str) -> String {
    let failed = buckets.map(|bucket| bucket.mean(|second| second.failed));
    let highest = highest(failed.iter());
    let described = match highest {
        0.0 => format!("No operation failed in {} seconds.", buckets.span_s),
        _ => format!("Operations that failed a second; at most {}.", number::few_digits(highest)),
    };
    let series = vec![Series { name: "failed", class: "failed", shape: Shape::Bars, points: failed }];
    let about = format!("operations a second, {each}");
    chart(buckets, ("failures", "Failures", &about), MOST_STEPS, described, Axis::counts(highest), series)
}

fn in_flight(buckets: &Buckets<'_>) -> String {
    let most = buckets.map(|bucket| bucket.worst(|second| Some(second.in_flight as f64)));
    let highest = highest(most.iter());
    let described = format!("The most calls in flight at once; at most {}.", number::few_digits(highest));
    let series = vec![Series { name: "most at once", class: "answered", shape: Shape::Line, points: most }];
    chart(buckets, ("in-flight", "In flight", "calls"), MOST_STEPS, described, Axis::counts(highest), series)
}

/// What a point of a latency chart is.
pub(super) fn point_of(buckets: &Buckets<'_>) -> String {
    match buckets.length_s {
        1 => "from the intended moment, each second".to_owned(),
        length_s => format!("from the intended moment, worst second of {length_s}"),
    }
}

/// p50, p90 and p99 of what was due in each second; `part` says of which operations.
pub(super) fn latency(
    names: (&str, &str, &str),
    buckets: &Buckets<'_>,
    most_steps: u64,
    part: impl Fn(&Second) -> Option<&SecondOf>,
) -> String {
    let line = |name, class, percentile_ms: fn(&SecondOf) -> f64| {
        let of_second = |second| part(second).filter(|part| part.count > 0).map(percentile_ms);
        Series { name, class, shape: Shape::Line, points: buckets.map(|bucket| bucket.worst(of_second)) }
    };
    let series = vec![
        line("p99", "p99", |part| part.p99_ms),
        line("p90", "p90", |part| part.p90_ms),
        line("p50", "p50", |part| part.p50_ms),
    ];
    let tops: Vec<String> = series
        .iter()
        .map(|series| format!("{} at most {}", series.name, number::latency(highest(series.points.iter()))))
        .collect();
    let described =
        format!("Latency from the intended moment, over {} seconds: {}.", buckets.span_s, tops.join(", "));
    let values = Axis::latencies(series.iter().flat_map(|series| series.points.iter().flatten().copied()));
    chart(buckets, names, most_steps, described, values, series)
}

fn chart(
    buckets: &Buckets<'_>,
    (id, title, about): (&str, &str, &str),
    most_steps: u64,
    described: String,
    values: Axis,
    series: Vec<Series>,
) -> String {
    let time = Axis::time(buckets.span_s, most_steps);
    Chart { id, title, about, described, time, values, length_s: buckets.length_s, series }.draw()
}

fn highest<'a>(points: impl Iterator<Item = &'a Option<f64>>) -> f64 {
    points.flatten().copied().fold(0.0, f64::max)
}

/// The charts as a table, for those who cannot see them or want the numbers.
pub(super) fn numbers(report: &Report) -> String {
    let buckets = Buckets::new(report, MOST_LINES);
    let mut lines = String::new();
    for (at, bucket) in buckets.buckets.iter().enumerate() {
        let mean = |count: fn(&Second) -> u64| bucket.mean(count).map_or("–".to_owned(), number::few_digits);
        let worst = |percentile_ms: fn(&SecondOf) -> f64| {
            let of_second = |second: &Second| (second.all.count > 0).then(|| percentile_ms(&second.all));
            bucket.worst(of_second).map_or("–".to_owned(), number::latency)
        };
        writeln!(
            lines,
            "<tr><th scope=\"row\">{} s</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            at as u64 * buckets.length_s,
            mean(|second| second.due),
            mean(|second| second.completed),
            mean(|second| second.failed),
            worst(|part| part.p50_ms),
            worst(|part| part.p90_ms),
            worst(|part| part.p99_ms),
        )
        .expect("a string takes everything");
    }
    format!(
        "<section>\n<h2>The same as numbers</h2>\n<details><summary>The run in steps of {} s</summary>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"The run as numbers\"><table>\n<thead><tr>\
         <th scope=\"col\">from</th><th scope=\"col\">due/s</th><th scope=\"col\">answered/s</th>\
         <th scope=\"col\">failed/s</th><th scope=\"col\">worst p50</th><th scope=\"col\">worst p90</th>\
         <th scope=\"col\">worst p99</th></tr></thead>\n<tbody>\n{lines}</tbody></table></div></details>\n</section>\n",
        buckets.length_s
    )
}
