//! A timeline, thinned out to as many points as a chart can show.

use crate::report::{Report, Second};

/// Some seconds that are drawn as one point. There is one for every stretch of time, empty where nothing was measured.
pub(super) struct Bucket<'a> {
    seconds: Vec<&'a Second>,
}

/// The whole of a run in buckets of equal length.
pub(super) struct Buckets<'a> {
    /// Seconds in each.
    pub(super) length_s: u64,
    /// What the time axis ends with, in seconds: the schedule's end, or the last answer if that was later.
    pub(super) span_s: u64,
    /// From the beginning.
    pub(super) buckets: Vec<Bucket<'a>>,
}

impl<'a> Buckets<'a> {
    /// Cuts the run into at most so many.
    pub(super) fn new(report: &'a Report, most: u64) -> Buckets<'a> {
        let seen_s = report.timeline.iter().map(|second| second.at + 1).max().unwrap_or(0);
        let span_s = seen_s.max(report.duration_s.ceil() as u64).max(1);
        let length_s = span_s.div_ceil(most).max(1);
        let mut buckets: Vec<Bucket<'a>> =
            (0..seen_s.div_ceil(length_s)).map(|_| Bucket { seconds: Vec::new() }).collect();
        for second in &report.timeline {
            buckets[(second.at / length_s) as usize].seconds.push(second);
        }
        Buckets { length_s, span_s, buckets }
    }

    /// One value from each.
    pub(super) fn map(&self, value: impl Fn(&Bucket<'a>) -> Option<f64>) -> Vec<Option<f64>> {
        self.buckets.iter().map(value).collect()
    }
}

impl<'a> Bucket<'a> {
    /// The mean of a count; none where no second is known.
    pub(super) fn mean(&self, count: impl Fn(&Second) -> u64) -> Option<f64> {
        let sum: u64 = self.seconds.iter().map(|second| count(second)).sum();
        (!self.seconds.is_empty()).then(|| sum as f64 / self.seconds.len() as f64)
    }

    /// The highest value of those seconds that have one: thinning out must not hide a spike.
    pub(super) fn worst(&self, value: impl Fn(&'a Second) -> Option<f64>) -> Option<f64> {
        self.seconds.iter().filter_map(|second| value(second)).reduce(f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Conditions, NotSent, SecondOf};

    fn report(seconds: u64, duration_s: f64) -> Report {
        let second = |at| Second { at, due: at, completed: 2, all: SecondOf::default(), ..Second::default() };
        Report {
            scenario: String::new(),
            seed: 1,
            rate: 1.0,
            duration_s,
            scheduled: 0,
            completed: 0,
            failed: 0,
            not_sent: NotSent::default(),
            operations: [].into(),
            timeline: (0..seconds).map(second).collect(),
            verdict: None,
            conditions: Conditions {
                version: String::new(),
                url: String::new(),
                started_at: String::new(),
                in_flight_limit: 0,
                timeout_s: 0.0,
                products: 0,
                users: 0,
                zones: Vec::new(),
                lateness_p99_ms: 0.0,
                setup_s: 0.0,
                ended_early: false,
                scenario_text: String::new(),
            },
        }
    }

    #[test]
    fn thinning_out_keeps_means_and_peaks() {
        let report = report(600, 600.0);
        let buckets = Buckets::new(&report, 200);
        assert_eq!((buckets.length_s, buckets.span_s, buckets.buckets.len()), (3, 600, 200));
        assert_eq!(buckets.map(|bucket| bucket.mean(|second| second.due))[1], Some(4.0));
        assert_eq!(buckets.map(|bucket| bucket.worst(|second| Some(second.due as f64)))[1], Some(5.0));
    }

    #[test]
    fn the_axis_reaches_to_the_end_of_the_schedule() {
        assert_eq!(Buckets::new(&report(13, 60.0), 200).span_s, 60);
        assert_eq!(Buckets::new(&report(63, 60.0), 200).span_s, 63);
        assert_eq!(Buckets::new(&report(0, 0.0), 200).span_s, 1);
    }
}
