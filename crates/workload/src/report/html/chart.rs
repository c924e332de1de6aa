//! A chart: lines, areas or bars over time.
//!
//! The drawing is stretched to whatever width the page has; the words around it are HTML, so that they keep their size on
//! a phone. Colour is never the only difference: lines have their own dashes, and everything is named in the legend.

use std::fmt::Write as _;

use super::axis::Axis;
use super::escape::escape;

/// The drawing's own units, in both directions.
const SIZE: f64 = 1_000.0;

/// A chart over the time of a run.
pub(super) struct Chart<'a> {
    /// Unique in the page.
    pub(super) id: &'a str,
    pub(super) title: &'a str,
    /// What a point is, where the page does not say it elsewhere.
    pub(super) about: &'a str,
    /// What a person who does not see the chart is told.
    pub(super) described: String,
    pub(super) time: Axis,
    pub(super) values: Axis,
    /// Seconds between two points.
    pub(super) length_s: u64,
    pub(super) series: Vec<Series>,
}

/// One series of a chart.
pub(super) struct Series {
    pub(super) name: &'static str,
    /// The class that gives it colour and dashes.
    pub(super) class: &'static str,
    pub(super) shape: Shape,
    /// One for each stretch of time; a gap where there is none.
    pub(super) points: Vec<Option<f64>>,
}

/// How a series is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Line,
    Bars,
}

impl Chart<'_> {
    /// The chart as a figure.
    pub(super) fn draw(&self) -> String {
        let (id, title, about) = (self.id, escape(self.title), escape(self.about));
        let legend: String = self.series.iter().map(legend_entry).collect();
        let drawn: String = self.series.iter().map(|series| self.draw_series(series)).collect();
        let about = if about.is_empty() { String::new() } else { format!("<p>{about}</p>") };
        let nothing =
            self.nothing().map(|words| format!("<p class=\"nothing\">{words}</p>")).unwrap_or_default();
        format!(
            "<figure class=\"chart\">\n<figcaption><h3>{title}</h3>{about}<ul class=\"legend\">{legend}</ul></figcaption>\n\
             <div class=\"plot\">{}<div class=\"area\"><svg viewBox=\"0 0 {SIZE} {SIZE}\" preserveAspectRatio=\"none\" \
             role=\"img\" aria-labelledby=\"{id}-t {id}-d\"><title id=\"{id}-t\">{title}</title><desc id=\"{id}-d\">{}</desc>{}\
             {drawn}</svg>{nothing}</div>{}</div>\n</figure>\n",
            labels(&self.values, "y", "bottom"),
            escape(&self.described),
            grid(&self.values, &self.time),
            labels(&self.time, "x", "left"),
        )
    }

    /// What stands in place of a drawing that would be empty.
    fn nothing(&self) -> Option<&'static str> {
        let mut points = self.series.iter().flat_map(|series| series.points.iter().flatten());
        let only_bars = self.series.iter().all(|series| series.shape == Shape::Bars);
        match points.clone().next() {
            None => Some("nothing was measured"),
            Some(_) if only_bars && points.all(|value| *value == 0.0) => Some("none"),
            Some(_) => None,
        }
    }

    fn draw_series(&self, series: &Series) -> String {
        let path = match series.shape {
            Shape::Line => self.line(&series.points),
            Shape::Bars => self.bars(&series.points),
        };
        let kind = if series.shape == Shape::Bars { "bars" } else { "line" };
        format!("<path class=\"{kind} {}\" d=\"{path}\"/>", series.class)
    }

    /// A line with a point in the middle of each stretch, broken where there is none.
    fn line(&self, points: &[Option<f64>]) -> String {
        let mut path = String::new();
        let mut pen_is_down = false;
        for (at, point) in points.iter().enumerate() {
            let Some(value) = point else {
                pen_is_down = false;
                continue;
            };
            let (x, y) = (self.x(at as f64 + 0.5), self.y(*value));
            let is_alone = !pen_is_down && points.get(at + 1).copied().flatten().is_none();
            let part = match pen_is_down {
                true => format!("L{x:.0} {y:.0}"),
                // Without neighbours to be joined with, it is drawn as long as it lasted.
                false if is_alone => {
                    format!("M{:.0} {y:.0}H{:.0}", self.x(at as f64), self.x(at as f64 + 1.0))
                }
                false => format!("M{x:.0} {y:.0}"),
            };
            path.push_str(&part);
            pen_is_down = true;
        }
        path
    }

    /// A bar as wide as its stretch of time; none for zero.
    fn bars(&self, points: &[Option<f64>]) -> String {
        let mut path = String::new();
        for (at, value) in points.iter().enumerate().filter_map(|(at, point)| Some((at, (*point)?))) {
            if value > 0.0 {
                let (left, right) = (self.x(at as f64), self.x(at as f64 + 1.0));
                // One failure among thousands is to be seen, too.
                let top = self.y(value).min(SIZE - 20.0);
                write!(path, "M{left:.1} {SIZE}V{top:.0}H{right:.1}V{SIZE}z")
                    .expect("a string takes everything");
            }
        }
        path
    }

    fn x(&self, points: f64) -> f64 {
        SIZE * self.time.place(points * self.length_s as f64)
    }

    fn y(&self, value: f64) -> f64 {
        SIZE * (1.0 - self.values.place(value))
    }
}

fn legend_entry(series: &Series) -> String {
    let kind = if series.shape == Shape::Bars { "bars" } else { "line" };
    let mark = if series.shape == Shape::Bars { "M0 3H26V11H0z" } else { "M0 7H26" };
    format!(
        "<li><svg width=\"26\" height=\"14\" aria-hidden=\"true\"><path class=\"{kind} {}\" d=\"{mark}\"/></svg> {}</li>",
        series.class, series.name
    )
}

/// Thin lines at the ticks.
fn grid(values: &Axis, time: &Axis) -> String {
    let mut path = String::new();
    for (value, _) in &values.ticks {
        let y = SIZE * (1.0 - values.place(*value));
        write!(path, "M0 {y:.0}H{SIZE}").expect("a string takes everything");
    }
    for (second, _) in &time.ticks {
        let x = SIZE * time.place(*second);
        write!(path, "M{x:.0} 0V{SIZE}").expect("a string takes everything");
    }
    format!("<path class=\"grid\" d=\"{path}\"/>")
}

/// The ticks' words, beside the drawing.
fn labels(axis: &Axis, class: &str, from: &str) -> String {
    let mut spans = String::new();
    for (value, label) in &axis.ticks {
        let place = 100.0 * axis.place(*value);
        write!(spans, "<span style=\"{from}:{place:.1}%\">{label}</span>")
            .expect("a string takes everything");
    }
    format!("<div class=\"{class}\" aria-hidden=\"true\">{spans}</div>")
}
