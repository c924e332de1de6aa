//! How the latencies of an operation are spread: a small chart for a cell of a table.

use std::fmt::Write as _;

use super::axis::Axis;
use crate::report::{Figures, number};

/// Bars in the chart.
const BARS: usize = 40;

/// Units of the drawing: four to a bar.
const WIDTH: f64 = 160.0;
const HEIGHT: f64 = 32.0;

/// Draws it on an axis that all operations share, so that they can be compared at a glance.
pub(super) fn draw(operation: &str, figures: &Figures, axis: &Axis) -> String {
    let mut bars = [0_u64; BARS];
    for (latency_us, count) in &figures.histogram {
        let place = axis.place(*latency_us as f64 / 1_000.0);
        bars[((place * BARS as f64) as usize).min(BARS - 1)] += count;
    }
    let highest = bars.iter().max().copied().unwrap_or(0).max(1) as f64;
    let mut path = String::new();
    for (at, count) in bars.iter().enumerate().filter(|(_, count)| **count > 0) {
        let left = at as f64 * WIDTH / BARS as f64;
        // The tail is the point of the chart: what happened at all is to be seen.
        let height = (HEIGHT * *count as f64 / highest).max(1.5);
        write!(path, "M{left:.0} {HEIGHT}v-{height:.1}h3v{height:.1}z").expect("a string takes everything");
    }
    format!(
        "<svg class=\"spread\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\
         <title>Latencies of {operation}</title><desc>Half below {}, the slowest {}.</desc>\
         <path class=\"bars answered\" d=\"{path}\"/><path class=\"grid\" d=\"M0 {HEIGHT}H{WIDTH}\"/></svg>",
        number::latency(figures.p50_ms),
        number::latency(figures.max_ms),
    )
}

/// The axis that all operations of a run share.
pub(super) fn axis<'a>(operations: impl Iterator<Item = &'a Figures>) -> Axis {
    let latencies_us =
        operations.flat_map(|figures| figures.histogram.iter().map(|(latency_us, _)| *latency_us));
    Axis::latencies(latencies_us.map(|latency_us| latency_us as f64 / 1_000.0))
}

/// The axis in words, for the head of the column.
pub(super) fn scale(axis: &Axis) -> String {
    let mut spans = String::new();
    for (value, label) in axis.few_ticks(3) {
        let place = 100.0 * axis.place(*value);
        write!(spans, "<span style=\"left:{place:.1}%\">{label}</span>").expect("a string takes everything");
    }
    format!("<span class=\"scale\">{spans}</span>")
}
