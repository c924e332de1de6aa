//! Random numbers that are the same on every machine and in every version.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::scenario::Share;

/// ChaCha8, whose output is fixed by its definition. How it becomes a choice is written here and not taken from a
/// library, because a plan that was written down must come out again after an update.
#[derive(Debug, Clone)]
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    /// The dice of one of a seed's streams; no two streams have anything in common.
    pub(crate) fn new(seed: u64, stream: u64) -> Dice {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut dice = ChaCha8Rng::from_seed(key);
        dice.set_stream(stream);
        Dice(dice)
    }

    /// A number below `limit`, which is above 0. The bias is below 2⁻³² for anything counted here.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let wide = u128::from(self.0.next_u64()) * limit as u128;
        (wide >> 64) as usize
    }

    /// A number of that range, both ends included.
    pub(crate) fn within(&mut self, from: i64, to: i64) -> i64 {
        let width = usize::try_from(to - from + 1).expect("ranges go upwards: scenarios are checked");
        from + self.below(width) as i64
    }

    /// Whether something with this share happens.
    pub(crate) fn chance(&mut self, share: Share) -> bool {
        self.below(10_000) < share.of_ten_thousand() as usize
    }

    /// One of the places of the weights.
    pub(crate) fn pick(&mut self, weights: &Weights) -> usize {
        let total = weights.0.last().copied().expect("weights are never empty");
        let drawn = self.below(total as usize) as u64;
        weights.0.partition_point(|reached| *reached <= drawn)
    }

    /// Any order.
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

/// How likely each place of a list is, added up. Whole numbers, so that they are alike on every machine.
#[derive(Debug, Clone)]
pub(crate) struct Weights(Vec<u64>);

impl Weights {
    /// As likely as the weights say; if all are 0, all alike.
    pub(crate) fn new(weights: impl IntoIterator<Item = u64>) -> Weights {
        let mut sum = 0;
        let sums: Vec<u64> = weights
            .into_iter()
            .map(|weight| {
                sum += weight;
                sum
            })
            .collect();
        if sum == 0 { Weights((1..=sums.len() as u64).collect()) } else { Weights(sums) }
    }

    /// Zipf's law: place *k*, from 1, is as likely as 1 ÷ *k* to the power of `skew`.
    pub(crate) fn zipf(count: u32, skew: f64) -> Weights {
        // `powf` may differ in the last bit from one machine to the next; a millionth is coarse enough to hide it.
        Weights::new((1..=count).map(|k| (1e6 / f64::from(k).powf(skew)).round() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_dice_fall_alike_and_others_do_not() {
        let throws = |seed, stream| {
            let mut dice = Dice::new(seed, stream);
            (0..8).map(|_| dice.below(1_000_000)).collect::<Vec<_>>()
        };
        assert_eq!(throws(1, 2), throws(1, 2));
        assert_ne!(throws(1, 2), throws(1, 3));
        assert_ne!(throws(1, 2), throws(2, 2));
        // Written down once: an update that changes it changes everybody's plans.
        assert_eq!(throws(1, 2)[..3], [376_157, 109_845, 406_452]);
    }

    #[test]
    fn weights_are_kept() {
        let mut dice = Dice::new(7, 0);
        let weights = Weights::new([1, 0, 3]);
        let mut seen = [0; 3];
        for _ in 0..40_000 {
            seen[dice.pick(&weights)] += 1;
        }
        assert_eq!(seen[1], 0);
        assert!((9_500..10_500).contains(&seen[0]), "{seen:?}");
        let zipf = Weights::zipf(4, 1.0);
        assert_eq!(zipf.0, [1_000_000, 1_500_000, 1_833_333, 2_083_333]);
    }

    #[test]
    fn a_shuffle_loses_nothing_and_a_range_has_both_ends() {
        let mut dice = Dice::new(7, 1);
        let mut list: Vec<u32> = (0..50).collect();
        dice.shuffle(&mut list);
        assert!(!list.is_sorted());
        list.sort_unstable();
        assert_eq!(list, (0..50).collect::<Vec<_>>());
        let drawn: std::collections::BTreeSet<i64> = (0..200).map(|_| dice.within(-2, 3)).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [-2, -1, 0, 1, 2, 3]);
    }
}
