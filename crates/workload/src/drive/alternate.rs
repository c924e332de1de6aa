//! Two stores in one run, in turns, so that the machine's weather is the same for both.

use std::iter::Peekable;
use std::sync::Arc;
use std::time::Duration;

use super::clock::Arrival;
use super::error::Error;
use super::live::Live;
use super::run::{Traffic, drive, prepare};
use super::stop::Stop;
use super::store::Store;
use crate::plan::Planned;
use crate::report::Report;

/// Drives two stores with the same plan, cut into turns of this length: the first turn to the first store, the same
/// operations to the second, and so on. Each report tells its own store's time, as if the turns of the other were not.
pub async fn alternate(
    stores: [&Store; 2],
    traffic: &Traffic,
    turn: Duration,
    live: &Arc<Live>,
    stop: &Arc<Stop>,
) -> Result<[Report; 2], Error> {
    let (first, first_conditions) = prepare(stores[0], traffic, false, live).await?;
    let (second, second_conditions) = prepare(stores[1], traffic, false, live).await?;
    let arrivals = |site: usize| {
        let mut planner = traffic.planner();
        (0..traffic.scheduled()).map(move |n| {
            let step: Planned = planner.operation(n);
            Arrival { due: moment_of_turn(step.at, turn, site), site, step }
        })
    };
    let merged = Merged { first: arrivals(0).peekable(), second: arrivals(1).peekable() };
    drive(vec![Arc::clone(&first), Arc::clone(&second)], merged, traffic.in_flight, live, stop).await;
    Ok([traffic.report(&first, first_conditions), traffic.report(&second, second_conditions)])
}

/// When something is due that its own store's time puts at `at`: every turn is preceded by all earlier turns of both.
fn moment_of_turn(at: Duration, turn: Duration, site: usize) -> Duration {
    let turn_us = turn.as_micros().max(1);
    let (turns, within) = (at.as_micros() / turn_us, at.as_micros() % turn_us);
    let moment = (2 * turns + site as u128) * turn_us + within;
    Duration::from_micros(u64::try_from(moment).unwrap_or(u64::MAX))
}

/// Two schedules as one.
struct Merged<I: Iterator<Item = Arrival>> {
    first: Peekable<I>,
    second: Peekable<I>,
}

impl<I: Iterator<Item = Arrival>> Iterator for Merged<I> {
    type Item = Arrival;

    fn next(&mut self) -> Option<Arrival> {
        match (self.first.peek(), self.second.peek()) {
            (Some(first), Some(second)) if second.due < first.due => self.second.next(),
            (Some(_), _) => self.first.next(),
            (None, _) => self.second.next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Act, Buyer};
    use crate::stage::ZoneNo;

    #[test]
    fn turns_follow_each_other_without_a_gap() {
        let arrivals = |site: usize| {
            (0..6_u64).map(move |n| {
                let at = Duration::from_millis(500 * n);
                let act = Act::Cart;
                let step = Planned { n, at, journey: n, buyer: Buyer::Guest, zone: ZoneNo(0), act };
                Arrival { due: moment_of_turn(at, Duration::from_secs(1), site), site, step }
            })
        };
        let merged = Merged { first: arrivals(0).peekable(), second: arrivals(1).peekable() };
        let seen: Vec<_> =
            merged.map(|arrival| (arrival.due.as_millis(), arrival.site, arrival.step.n)).collect();
        let expected = [
            (0, 0, 0),
            (500, 0, 1),
            (1000, 1, 0),
            (1500, 1, 1),
            (2000, 0, 2),
            (2500, 0, 3),
            (3000, 1, 2),
            (3500, 1, 3),
            (4000, 0, 4),
            (4500, 0, 5),
            (5000, 1, 4),
            (5500, 1, 5),
        ];
        assert_eq!(seen, expected);
    }
}
