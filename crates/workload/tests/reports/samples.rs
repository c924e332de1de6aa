//! Runs that never happened: latencies with a long tail, in weather that lasts for some seconds, drawn from a seed.

use std::collections::BTreeMap;

use mworld_workload::report::{Conditions, Figures, NotSent, Report, Second, SecondOf, Verdict, Violation};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Operations with their share of the traffic and their median latency in milliseconds.
pub(crate) const MIX: [(&str, f64, f64); 8] = [
    ("cart.get", 0.14, 1.2),
    ("cart.put", 0.16, 4.5),
    ("catalog.product", 0.26, 0.8),
    ("catalog.search", 0.22, 3.1),
    ("order.history", 0.05, 2.4),
    ("order.place", 0.07, 6.8),
    ("order.status", 0.08, 0.9),
    ("session.login", 0.02, 48.0),
];

/// How a run shall have gone.
#[derive(Clone)]
pub(crate) struct Run {
    pub(crate) seed: u64,
    pub(crate) seconds: u64,
    pub(crate) rate: f64,
    /// All latencies are multiplied by this.
    pub(crate) slower: f64,
    /// How much a second's weather carries over into the next.
    pub(crate) lasting: f64,
    /// Seconds in which the traffic is eight times as much, a third of the calls fail and all take long.
    pub(crate) spike: std::ops::Range<u64>,
}

impl Default for Run {
    fn default() -> Run {
        Run { seed: 1, seconds: 60, rate: 500.0, slower: 1.0, lasting: 0.5, spike: 0..0 }
    }
}

impl Run {
    /// The report that such a run would have left behind.
    pub(crate) fn report(&self) -> Report {
        let mut dice = ChaCha8Rng::seed_from_u64(self.seed);
        let mut weather = 0.0;
        let mut whole: BTreeMap<String, Taken> = BTreeMap::new();
        let mut timeline = Vec::new();
        for at in 0..self.seconds {
            weather = self.lasting * weather + 0.08 * normal(&mut dice);
            let spiking = self.spike.contains(&at);
            let taken = self.second(&mut dice, weather, spiking);
            let mut all = Taken::default();
            let mut operations = BTreeMap::new();
            for (name, one) in taken {
                operations.insert(name.to_owned(), one.second_of());
                all.add(&one);
                whole.entry(name.to_owned()).or_default().add(&one);
            }
            timeline.push(Second {
                at,
                due: all.count(),
                completed: all.latencies_us.len() as u64,
                failed: all.errors,
                in_flight: if spiking { 900 } else { 4 },
                all: all.second_of(),
                operations,
            });
        }
        let failed = timeline.iter().map(|second| second.failed).sum();
        Report {
            scenario: "black-friday".to_owned(),
            seed: 1,
            rate: self.rate,
            duration_s: self.seconds as f64,
            scheduled: timeline.iter().map(|second| second.due).sum(),
            completed: timeline.iter().map(|second| second.completed).sum(),
            failed,
            not_sent: NotSent::default(),
            operations: whole.into_iter().map(|(name, taken)| (name, taken.figures())).collect(),
            timeline,
            verdict: None,
            conditions: conditions(),
        }
    }

    fn second(&self, dice: &mut ChaCha8Rng, weather: f64, spiking: bool) -> Vec<(&'static str, Taken)> {
        let (times, longer, failing) = if spiking { (8.0, 40.0, 0.33) } else { (1.0, 1.0, 0.0) };
        let one = |(name, share, median_ms): (&'static str, f64, f64)| {
            let mut taken = Taken::default();
            for _ in 0..(self.rate * share * times).round() as u64 {
                // One call in forty waits for something, such as a disk.
                let tail = if dice.random_bool(0.025) { 5.0 } else { 1.0 };
                let spread = (weather + 0.35 * normal(dice)).exp();
                if dice.random_bool(failing) {
                    taken.errors += 1;
                } else {
                    let latency_ms = median_ms * self.slower * longer * tail * spread;
                    taken.latencies_us.push((latency_ms * 1_000.0) as u64);
                }
            }
            (name, taken)
        };
        MIX.map(one).into()
    }
}

/// What was measured of some calls.
#[derive(Default)]
struct Taken {
    latencies_us: Vec<u64>,
    errors: u64,
}

impl Taken {
    fn add(&mut self, other: &Taken) {
        self.latencies_us.extend(&other.latencies_us);
        self.errors += other.errors;
    }

    fn count(&self) -> u64 {
        self.latencies_us.len() as u64 + self.errors
    }

    /// p50, p90, p99 and the slowest.
    fn percentiles(&self) -> [f64; 4] {
        let mut sorted = self.latencies_us.clone();
        sorted.sort_unstable();
        [0.5, 0.9, 0.99, 1.0].map(|share| {
            let rank = (sorted.len() as f64 * share).ceil() as usize;
            sorted.get(rank.saturating_sub(1)).map_or(0.0, |us| *us as f64 / 1_000.0)
        })
    }

    fn second_of(&self) -> SecondOf {
        let [p50_ms, p90_ms, p99_ms, max_ms] = self.percentiles();
        SecondOf {
            count: self.latencies_us.len() as u64,
            errors: self.errors,
            p50_ms,
            p90_ms,
            p99_ms,
            max_ms,
        }
    }

    fn figures(&self) -> Figures {
        let [p50_ms, p90_ms, p99_ms, max_ms] = self.percentiles();
        let mut histogram = BTreeMap::new();
        for latency in &self.latencies_us {
            // Two digits and a bit, as a histogram would keep them.
            let width = (latency / 128).next_power_of_two();
            *histogram.entry(latency / width * width).or_insert(0) += 1;
        }
        let histogram = histogram.into_iter().collect();
        let (count, errors) = (self.count(), self.errors);
        Figures {
            count,
            errors,
            refused: count / 200,
            busy: errors / 3,
            p50_ms,
            p90_ms,
            p99_ms,
            max_ms,
            longest_gap_ms: 0.0,
            histogram,
        }
    }
}

/// A steady minute.
pub(crate) fn steady() -> Report {
    let verdict = Some(Verdict {
        ok: true,
        checked: 41_200,
        violations: Vec::new(),
        rules: [("cart", 12_400), ("history", 8_100), ("orders", 9_800), ("stock", 10_900)]
            .map(|(rule, checked)| (rule.to_owned(), checked))
            .into(),
    });
    Report { verdict, ..Run::default().report() }
}

/// Ten minutes with a spike in which a third of the calls fail.
pub(crate) fn spike() -> Report {
    let mut report = Run { seconds: 600, spike: 280..310, seed: 7, ..Run::default() }.report();
    // The store was away for a while: nothing came back at all.
    for second in &mut report.timeline[312..325] {
        (second.completed, second.failed, second.all) = (0, second.due, SecondOf::default());
        second.operations.clear();
    }
    report.not_sent = NotSent { no_room: 2_310, nothing_to_do: 412, ended_early: 0 };
    report
}

/// A run in which nothing could be sent.
pub(crate) fn empty() -> Report {
    let mut report = Run { seconds: 0, ..Run::default() }.report();
    report.duration_s = 60.0;
    report.scheduled = 30_000;
    report.not_sent.ended_early = 30_000;
    report.conditions.ended_early = true;
    report
}

/// One second.
pub(crate) fn one_second() -> Report {
    Run { seconds: 1, ..Run::default() }.report()
}

/// Asked for a minute, ended after 13 seconds.
pub(crate) fn ended_early() -> Report {
    let mut report = Run { seconds: 13, ..Run::default() }.report();
    report.duration_s = 60.0;
    report.not_sent.ended_early = 30_000 - report.scheduled;
    report.scheduled = 30_000;
    report.conditions.ended_early = true;
    report
}

/// Thirty broken promises, and a name that would break a careless page.
pub(crate) fn unsound() -> Report {
    let mut report = Run::default().report();
    report.scenario = HOSTILE.to_owned();
    report.conditions.scenario_text = format!("name = '{HOSTILE}'\n");
    let violation = |at: u64| Violation {
        rule: if at.is_multiple_of(3) { "stock" } else { "history" }.to_owned(),
        operations: vec![at * 113, at * 113 + 40],
        detail: format!(
            "product 018f3c2e-7d14-7a61-b2a4-0c9c0f3d{at:04x} in msk: {at} units of acknowledged orders, {} written \
             off <b>{HOSTILE}</b>",
            at + 1
        ),
    };
    let rules = [("history", 8_100), ("orders", 9_800), ("stock", 10_900)];
    report.verdict = Some(Verdict {
        ok: false,
        checked: 28_800,
        violations: (1..=30).map(violation).collect(),
        rules: rules.map(|(rule, checked)| (rule.to_owned(), checked)).into(),
    });
    report
}

/// What somebody might call a scenario to take over the page of whoever opens its report.
pub(crate) const HOSTILE: &str =
    "</script><script>alert('x')</script> & \"<img src=x onerror=alert(1)>\" <!-- 𝕏";

fn conditions() -> Conditions {
    Conditions {
        version: "0.1.0".to_owned(),
        url: "http://127.0.0.1:8080".to_owned(),
        started_at: "2026-11-27T08:00:00Z".to_owned(),
        in_flight_limit: 4_096,
        timeout_s: 10.0,
        products: 400,
        users: 300,
        zones: ["msk", "spb", "ekb", "nsk"].map(str::to_owned).into(),
        lateness_p99_ms: 0.31,
        setup_s: 14.2,
        ended_early: false,
        scenario_text:
            "# Black Friday\nname = \"black-friday\"\nrate = 500\n\n[mix]\n\"catalog.search\" = 22\n"
                .to_owned(),
    }
}

/// A value of the normal distribution, by Box and Muller.
fn normal(dice: &mut ChaCha8Rng) -> f64 {
    let (radius, angle): (f64, f64) = (dice.random_range(f64::EPSILON..1.0), dice.random());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}
