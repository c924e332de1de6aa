//! Axes: where a value lies, and the few round values that are written beside it.

use crate::report::number;

/// An axis of a chart.
pub(super) struct Axis {
    scale: Scale,
    /// The values that are written beside it, and as what.
    pub(super) ticks: Vec<(f64, String)>,
}

enum Scale {
    Linear { top: f64 },
    Logarithmic { low: f64, high: f64 },
}

impl Axis {
    /// From 0 to a round value not below `highest`.
    pub(super) fn counts(highest: f64) -> Axis {
        let step = round_up(highest.max(1.0) / 3.0).max(1.0);
        let steps = (highest / step).ceil().max(1.0);
        let ticks = (0..=steps as u32).map(|at| f64::from(at) * step);
        let ticks = ticks.map(|value| (value, number::count(value as u64))).collect();
        Axis { scale: Scale::Linear { top: steps * step }, ticks }
    }

    /// Latencies in milliseconds. Logarithmic: the median and a stall a thousand times as long are to be seen at once.
    pub(super) fn latencies(values: impl Iterator<Item = f64>) -> Axis {
        let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
        for value in values.filter(|value| *value > 0.0) {
            (low, high) = (low.min(value), high.max(value));
        }
        if high == 0.0 {
            (low, high) = (1.0, 10.0);
        }
        let (low, high) = (round_down(low), round_up(high * 1.000_1));
        let decades = (high / low).log10();
        let heads: &[f64] = match decades {
            few if few < 1.5 => &[1.0, 2.0, 5.0],
            some if some < 2.5 => &[1.0, 3.0],
            _ => &[1.0],
        };
        let powers =
            (low.log10().floor() as i32..=high.log10().ceil() as i32).map(|power| 10_f64.powi(power));
        let round = powers.flat_map(|power| heads.iter().map(move |head| head * power));
        let inside = round.filter(|value| *value >= low * 0.999 && *value <= high * 1.001);
        let ticks = inside.map(|value| (value, short_latency(value))).collect();
        Axis { scale: Scale::Logarithmic { low, high }, ticks }
    }

    /// Seconds from 0 to `span_s`, with at most so many steps between ticks.
    pub(super) fn time(span_s: u64, most_steps: u64) -> Axis {
        let steps = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 28_800];
        let step = steps.into_iter().find(|step| span_s / step <= most_steps).unwrap_or(86_400);
        let ticks = (0..=span_s / step).map(|at| at * step);
        let ticks = ticks.map(|second| (second as f64, short_time(second, step))).collect();
        Axis { scale: Scale::Linear { top: span_s as f64 }, ticks }
    }

    /// As many of the ticks as there is room for, evenly thinned out.
    pub(super) fn few_ticks(&self, most: usize) -> impl Iterator<Item = &(f64, String)> {
        self.ticks.iter().step_by(self.ticks.len().div_ceil(most).max(1))
    }

    /// From 0, the beginning of the axis, to 1, its end.
    pub(super) fn place(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear { top } => value / top,
            Scale::Logarithmic { low, high } => (value.max(low) / low).ln() / (high / low).ln(),
        };
        share.clamp(0.0, 1.0)
    }
}

/// The next of 1, 2, 5, 10, 20, … that is not smaller.
fn round_up(value: f64) -> f64 {
    let power = 10_f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|head| head * power).find(|round| *round >= value).unwrap_or(10.0 * power)
}

/// The last of 1, 2, 5, 10, 20, … that is not larger.
fn round_down(value: f64) -> f64 {
    let power = 10_f64.powf(value.log10().floor());
    [5.0, 2.0].into_iter().map(|head| head * power).find(|round| *round <= value).unwrap_or(power)
}

/// A round latency without needless zeros: `20 µs`, `0.5 ms`, `10 ms`, `2 s`.
fn short_latency(ms: f64) -> String {
    let (value, unit) = match ms {
        small if small < 0.099 => (ms * 1_000.0, "µs"),
        large if large > 999.0 => (ms / 1_000.0, "s"),
        _ => (ms, "ms"),
    };
    // Powers of ten are not exact: 0.30000000000000004 ms.
    format!("{} {unit}", (value * 1_000.0).round() / 1_000.0)
}

fn short_time(second: u64, step: u64) -> String {
    match step {
        hours if hours >= 3_600 => format!("{} h", second / 3_600),
        minutes if minutes >= 60 => format!("{} min", second / 60),
        _ => format!("{second} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn few_round_values_are_written() {
        assert_eq!(labels(&Axis::counts(0.0)), ["0", "1"]);
        assert_eq!(labels(&Axis::counts(520.0)), ["0", "200", "400", "600"]);
        assert_eq!(labels(&Axis::time(1, 5)), ["0 s", "1 s"]);
        assert_eq!(labels(&Axis::time(60, 5)), ["0 s", "20 s", "40 s", "60 s"]);
        assert_eq!(labels(&Axis::time(600, 5)), ["0 min", "2 min", "4 min", "6 min", "8 min", "10 min"]);
        assert_eq!(labels(&Axis::latencies([0.8, 48.0].into_iter())), ["1 ms", "3 ms", "10 ms", "30 ms"]);
        assert_eq!(
            labels(&Axis::latencies([0.03, 1_500.0].into_iter())),
            ["0.1 ms", "1 ms", "10 ms", "100 ms", "1 s"]
        );
    }

    #[test]
    fn every_value_lies_on_its_axis() {
        for values in [vec![], vec![0.0], vec![7.0], vec![1.0, 10.0], vec![0.001, 100_000.0]] {
            let axis = Axis::latencies(values.iter().copied());
            assert!(axis.ticks.len() >= 2 && axis.ticks.len() <= 9, "{values:?} {:?}", axis.ticks);
            let places: Vec<f64> = values.iter().map(|value| axis.place(*value)).collect();
            assert!(places.iter().all(|place| (0.0..=1.0).contains(place)), "{values:?} {places:?}");
        }
        assert_eq!(Axis::counts(600.0).place(300.0), 0.5);
    }

    #[test]
    fn a_day_has_few_labels_too() {
        for span_s in 1..90_000 {
            assert!(
                Axis::time(span_s, 5).ticks.len() <= 6 && Axis::time(span_s, 3).ticks.len() <= 4,
                "{span_s}"
            );
        }
    }
}
