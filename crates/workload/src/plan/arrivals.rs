//! When operation *n* is due.

use std::time::Duration;

use crate::scenario::{CurvePoint, Scenario};

/// The schedule: exactly rate × duration operations, spread by the scenario's curve. Beyond its end it repeats.
#[derive(Debug, Clone)]
pub struct Arrivals {
    scheduled: u64,
    duration: Duration,
    pieces: Vec<Piece>,
    /// Everything that arrives, in the curve's own unit.
    total: f64,
}

/// A straight piece of the curve. Time runs from 0 to 1 over the schedule.
#[derive(Debug, Clone, Copy)]
struct Piece {
    start: f64,
    length: f64,
    /// Load at both ends.
    load: [f64; 2],
    /// What has arrived before it.
    before: f64,
}

impl Arrivals {
    /// The scenario's curve, scaled so that `rate` is its mean over `duration`.
    pub fn new(scenario: &Scenario, rate: f64, duration: Duration) -> Arrivals {
        Arrivals::along(&scenario.curve, rate, duration)
    }

    /// The scenario's curve at its own rate and duration.
    pub fn of(scenario: &Scenario) -> Arrivals {
        Arrivals::new(scenario, scenario.rate, scenario.duration)
    }

    fn along(curve: &[CurvePoint], rate: f64, duration: Duration) -> Arrivals {
        let scheduled = (rate * duration.as_secs_f64()).round().max(1.0) as u64;
        let mut points = curve.to_vec();
        // The curve is level before its first point and after its last.
        let (first, last) = (points.first().map_or(1.0, |p| p.load), points.last().map_or(1.0, |p| p.load));
        points.insert(0, CurvePoint { at: 0.0, load: first });
        points.push(CurvePoint { at: 1.0, load: last });
        let mut pieces = Vec::new();
        let mut total = 0.0;
        for ends in points.windows(2) {
            let (start, length) = (ends[0].at, ends[1].at - ends[0].at);
            let load = [ends[0].load, ends[1].load];
            let arriving = length * (load[0] + load[1]) / 2.0;
            // Steps have no length, and where nothing arrives no moment is looked for.
            if arriving > 0.0 {
                pieces.push(Piece { start, length, load, before: total });
                total += arriving;
            }
        }
        Arrivals { scheduled, duration, pieces, total }
    }

    /// How many operations the schedule has.
    pub fn scheduled(&self) -> u64 {
        self.scheduled
    }

    /// How long it is.
    pub fn duration(&self) -> Duration {
        self.duration
    }

    /// When operation `n` is due, from the beginning of the run, in whole microseconds.
    pub fn at(&self, n: u64) -> Duration {
        let (round, n) = (n / self.scheduled, n % self.scheduled);
        // In the middle of its own slot, so that neither end of the schedule is crowded.
        let arrived = (n as f64 + 0.5) / self.scheduled as f64 * self.total;
        let after = self.pieces.partition_point(|piece| piece.before <= arrived);
        let part = self.pieces.get(after.saturating_sub(1)).map_or(0.0, |piece| piece.when(arrived));
        // A day has less than 2³⁷ of them.
        let micros = self.duration.as_micros() as u64;
        Duration::from_micros(micros.saturating_mul(round).saturating_add((micros as f64 * part) as u64))
    }
}

impl Piece {
    /// When so much has arrived: the load is a straight line, so what has arrived is a parabola. Only the four
    /// rules and the root are used, which are exact alike on every machine.
    fn when(&self, arrived: f64) -> f64 {
        let wanted = (arrived - self.before).max(0.0);
        let slope = (self.load[1] - self.load[0]) / self.length;
        let root = (self.load[0] * self.load[0] + 2.0 * slope * wanted).max(0.0).sqrt();
        let passed = if wanted == 0.0 { 0.0 } else { 2.0 * wanted / (self.load[0] + root) };
        self.start + passed.clamp(0.0, self.length)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn arrivals(curve: &[(f64, f64)], rate: f64, seconds: u64) -> Arrivals {
        let curve: Vec<CurvePoint> = curve.iter().map(|&(at, load)| CurvePoint { at, load }).collect();
        Arrivals::along(&curve, rate, Duration::from_secs(seconds))
    }

    fn due_between(arrivals: &Arrivals, from: f64, to: f64) -> usize {
        let whole = arrivals.duration.as_secs_f64();
        let due = (0..arrivals.scheduled()).map(|n| arrivals.at(n).as_secs_f64() / whole);
        due.filter(|at| (from..to).contains(at)).count()
    }

    #[test]
    fn an_even_load_comes_in_even_steps() {
        let even = arrivals(&[], 10.0, 2);
        assert_eq!(even.scheduled(), 20);
        assert_eq!((even.at(0), even.at(19)), (Duration::from_millis(50), Duration::from_millis(1_950)));
    }

    #[test]
    fn a_ramp_a_step_and_a_spike_arrive_as_drawn() {
        // From nothing to full: the first half of the time sees a quarter of the arrivals.
        let ramp = arrivals(&[(0.0, 0.0), (1.0, 8.0)], 100.0, 40);
        assert_eq!(due_between(&ramp, 0.0, 0.5), 1_000);
        let step = arrivals(&[(0.5, 1.0), (0.5, 3.0)], 100.0, 40);
        assert_eq!(due_between(&step, 0.0, 0.5), 1_000);
        let spike = arrivals(&[(0.4, 0.0), (0.4, 5.0), (0.6, 5.0), (0.6, 0.0)], 100.0, 40);
        assert_eq!(due_between(&spike, 0.4, 0.6), 4_000);
    }

    #[test]
    fn beyond_its_end_the_schedule_repeats() {
        let ramp = arrivals(&[(0.0, 1.0), (1.0, 2.0)], 10.0, 3);
        assert_eq!(ramp.at(30 + 7), Duration::from_secs(3) + ramp.at(7));
        assert!(ramp.at(u64::MAX) > ramp.at(1 << 40), "and never overflows");
    }

    proptest! {
        #[test]
        fn whatever_the_curve_arrivals_are_sorted_and_inside(
            loads in proptest::collection::vec((0_u32..=100, 0_u32..50), 0..8),
            rate in 1_u32..300,
            seconds in 1_u64..50,
        ) {
            let mut curve: Vec<(f64, f64)> =
                loads.iter().map(|&(at, load)| (f64::from(at) / 100.0, f64::from(load))).collect();
            curve.sort_by(|a, b| a.0.total_cmp(&b.0));
            prop_assume!(curve.is_empty() || curve.iter().any(|(_, load)| *load > 0.0));
            let arrivals = arrivals(&curve, f64::from(rate), seconds);
            // A lone spike of no length has no area, and is no load.
            prop_assume!(arrivals.total > 0.0);
            prop_assert_eq!(arrivals.scheduled(), u64::from(rate) * seconds);
            let due: Vec<Duration> = (0..arrivals.scheduled()).map(|n| arrivals.at(n)).collect();
            prop_assert!(due.is_sorted());
            prop_assert!(due.iter().all(|at| *at <= arrivals.duration));
        }
    }
}
