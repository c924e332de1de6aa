//! Figures of small runs that can be counted by hand.

use std::time::Duration;

use mworld_shop::Operation;

use super::*;

fn run(operations: &[(u64, u64, Outcome)]) -> Measured {
    let mut tally = Tally::default();
    for (at_ms, latency_ms, outcome) in operations {
        let at = Duration::from_millis(*at_ms);
        tally.due(at, 7);
        tally.add(Operation::CartGet, at, Duration::from_millis(*latency_ms), *outcome);
    }
    tally.measure(operations.len() as u64)
}

#[test]
fn a_refusal_is_an_answer_and_a_failure_is_none() {
    let measured = run(&[(0, 10, Outcome::Done), (100, 20, Outcome::Refused), (200, 9_000, Outcome::Failed)]);
    assert_eq!((measured.completed, measured.failed), (2, 1));
    let figures = &measured.operations["cart.get"];
    assert_eq!((figures.count, figures.refused, figures.errors), (3, 1, 1));
    assert_eq!(figures.histogram.iter().map(|(_, count)| count).sum::<u64>(), 2);
    assert!(figures.max_ms < 21.0, "how soon a failure came is no latency: {}", figures.max_ms);
}

/// Fails when percentiles are those of the survivors.
#[test]
fn what_timed_out_was_waited_for() {
    let mut operations = vec![(0, 10, Outcome::Done); 90];
    operations.extend([(0, 9_000, Outcome::Lost); 10]);
    let measured = run(&operations);
    assert_eq!((measured.completed, measured.failed), (90, 10));
    let (figures, second) = (&measured.operations["cart.get"], &measured.timeline[0].all);
    assert_eq!((figures.count, figures.errors), (100, 10));
    assert_eq!((second.count, second.errors), (90, 10));
    assert!(figures.p50_ms < 11.0 && figures.p99_ms > 8_990.0, "{figures:?}");
    assert_eq!((second.p50_ms, second.p99_ms), (10.0, 9_000.0));
}

#[test]
fn latency_belongs_to_the_second_of_the_intention_and_an_answer_to_its_own() {
    let measured = run(&[(900, 10, Outcome::Done), (950, 2_500, Outcome::Done)]);
    let seconds = &measured.timeline;
    assert_eq!(seconds.len(), 4);
    assert_eq!(seconds.iter().map(|second| second.due).collect::<Vec<_>>(), [2, 0, 0, 0]);
    assert_eq!(seconds.iter().map(|second| second.completed).collect::<Vec<_>>(), [1, 0, 0, 1]);
    assert_eq!((seconds[0].all.p50_ms, seconds[0].all.max_ms), (10.0, 2_500.0));
    assert_eq!(seconds[0].operations["cart.get"], seconds[0].all);
    assert_eq!(seconds[3].all.count, 0, "nothing was due then");
}

#[test]
fn percentiles_are_those_of_the_samples() {
    let operations: Vec<_> = (1..=100).map(|ms| (0, ms, Outcome::Done)).collect();
    let measured = run(&operations);
    let (figures, second) = (&measured.operations["cart.get"], &measured.timeline[0].all);
    for (found, exact) in [(figures.p50_ms, 50.0), (figures.p90_ms, 90.0), (figures.p99_ms, 99.0)] {
        assert!((found / exact - 1.0).abs() < 0.002, "{found} is not {exact}");
    }
    assert_eq!((second.p50_ms, second.p90_ms, second.p99_ms), (50.0, 90.0, 99.0));
}

#[test]
fn every_operation_of_the_schedule_is_accounted_for() {
    let mut tally = Tally::default();
    for at in 0..5 {
        tally.due(Duration::from_secs(at), 1);
    }
    tally.add(Operation::CartGet, Duration::ZERO, Duration::from_millis(1), Outcome::Done);
    tally.add(Operation::CartPut, Duration::ZERO, Duration::from_millis(1), Outcome::Failed);
    tally.no_room();
    tally.nothing_to_do();
    tally.nothing_to_do();
    let measured = tally.measure(9);
    let NotSent { no_room, nothing_to_do, ended_early } = measured.not_sent;
    assert_eq!((no_room, nothing_to_do, ended_early), (1, 2, 4));
    assert_eq!(measured.completed + measured.failed + no_room + nothing_to_do + ended_early, 9);
}
