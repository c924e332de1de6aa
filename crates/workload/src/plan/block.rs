//! A block: 10,000 operations that hold the scenario's mix exactly, made of whole journeys.
//!
//! A block is a pure function of scenario, seed and its number, and that is how operation *n* is one. No journey
//! leaves its block.

use super::act::{Act, Buyer};
use super::crowd::Crowd;
use super::deal;
use super::dice::Dice;
use crate::stage::ZoneNo;

/// Every share of a scenario is a whole number of ten thousand.
pub(crate) const BLOCK: usize = 10_000;

/// How many operations of others lie between two steps of a journey. At 500 operations a second 25 are 50 ms: time
/// for an answer to come before the next step is due. More of them, and the first orders of a short run come late.
const GAP: [i64; 2] = [25, 75];

/// The longest journeys hurry, so that they can begin anywhere in the first half.
const LONGEST: i64 = BLOCK as i64 / 2;

/// An operation of a block.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// Its journey, counted within the block.
    pub(super) journey: u32,
    pub(super) buyer: Buyer,
    pub(super) zone: ZoneNo,
    pub(super) act: Act,
}

/// The operations of one block.
pub(super) fn block(crowd: &Crowd, seed: u64, number: u64) -> Vec<Step> {
    let mut dice = Dice::new(seed, number);
    let visits = deal::visits(crowd, &mut dice);
    let errands = crowd.errands(&mut dice);
    let mut timed: Vec<(i64, Step)> = Vec::with_capacity(BLOCK);
    let mut journey = 0;
    for visit in visits {
        let zone = visit.zone;
        let steps = visit.steps(&mut dice);
        for (at, (buyer, act)) in moments(steps.len(), &mut dice).into_iter().zip(steps) {
            timed.push((at, Step { journey, buyer, zone, act }));
        }
        journey += 1;
    }
    for (zone, act) in errands {
        let at = dice.within(0, BLOCK as i64);
        timed.push((at, Step { journey, buyer: Buyer::Operator, zone, act }));
        journey += 1;
    }
    debug_assert_eq!(timed.len(), BLOCK, "the shares of a mix make a whole, and every step is dealt");
    // Stable: the steps of a journey that hurries may share a moment, and stand in their order already.
    timed.sort_by_key(|(at, _)| *at);
    timed.into_iter().map(|(_, step)| step).collect()
}

/// Moments for the steps of a journey, in order, anywhere in the block.
fn moments(steps: usize, dice: &mut Dice) -> Vec<i64> {
    let mut at = 0;
    let mut moments: Vec<i64> = (0..steps)
        .map(|_| {
            let moment = at;
            at += dice.within(GAP[0], GAP[1]);
            moment
        })
        .collect();
    let length = moments.last().copied().unwrap_or(0);
    if length > LONGEST {
        moments.iter_mut().for_each(|moment| *moment = *moment * LONGEST / length);
    }
    let start = start(length.min(LONGEST), dice);
    moments.iter_mut().for_each(|moment| *moment += start);
    moments
}

/// When a journey of that length begins. As many are under way at the edges of a block as within it, or steps would lie
/// closer together there: whoever would reach over an edge begins or ends within a gap of it.
fn start(length: i64, dice: &mut Dice) -> i64 {
    let last = BLOCK as i64 - length;
    let near_edge = dice.within(0, GAP[1]).min(last);
    match dice.within(-length, BLOCK as i64) {
        early if early < 0 => near_edge,
        late if late > last => last - near_edge,
        within => within,
    }
}
