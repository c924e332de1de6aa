//! Blocks in pairs: the exact signed-rank test of Wilcoxon, and the estimate of Hodges and Lehmann.
//!
//! If A and B behave alike, swapping them within a pair changes nothing, so each difference is as likely to be negative
//! as positive, whatever its distribution. That is all the test supposes: no bell curve, and one stalled block among
//! thirty weighs as one block, however long it stalled.

use super::estimate::{Estimate, HALF_OF_5_PERCENT, doubled_ranks, median_of_sorted};

/// With fewer pairs even unanimous ones cannot be told from chance at 5 %: 2 / 2⁵ is more than that.
pub(super) const FEWEST_PAIRS: usize = 6;

/// Tests differences of pairs against zero; `None` with too few of them.
pub(super) fn signed_rank(differences: &[f64]) -> Option<Estimate> {
    if differences.len() < FEWEST_PAIRS {
        return None;
    }
    let mut means = pairwise_means(differences);
    means.sort_by(f64::total_cmp);
    let outside = outside_interval(differences.len());
    Some(Estimate {
        shift: median_of_sorted(&means),
        low: means[outside],
        high: means[means.len() - 1 - outside],
        p: p_value(differences),
    })
}

/// The mean of every two differences, and of each with itself. Their median is the typical difference.
fn pairwise_means(differences: &[f64]) -> Vec<f64> {
    let pairs = differences.iter().enumerate();
    pairs
        .flat_map(|(at, left)| differences[at..].iter().map(move |right| f64::midpoint(*left, *right)))
        .collect()
}

/// How often chance alone gives signs as one-sided as these, given the sizes. Zeros have no sign and say nothing.
fn p_value(differences: &[f64]) -> f64 {
    let signed: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
    let sizes: Vec<f64> = signed.iter().map(|difference| difference.abs()).collect();
    let ranks = doubled_ranks(&sizes);
    let positive: usize = ranks.iter().zip(&signed).filter(|(_, of)| **of > 0.0).map(|(rank, _)| *rank).sum();
    let chances = chances_of_sums(&ranks);
    let at_most: f64 = chances[..=positive].iter().sum();
    let at_least: f64 = chances[positive..].iter().sum();
    (2.0 * at_most.min(at_least)).min(1.0)
}

/// How many of the sorted means, at each end, lie outside the 95 % interval of the typical difference.
fn outside_interval(pairs: usize) -> usize {
    let ranks: Vec<usize> = (1..=pairs).collect();
    let mut sum = 0.0;
    let inside = chances_of_sums(&ranks).iter().position(|chance| {
        sum += chance;
        sum > HALF_OF_5_PERCENT
    });
    inside.map_or(0, |first| first.saturating_sub(1))
}

/// For each sum: how likely it is when every rank counts with probability one half.
fn chances_of_sums(ranks: &[usize]) -> Vec<f64> {
    let mut chances = vec![0.0; ranks.iter().sum::<usize>() + 1];
    chances[0] = 1.0;
    let mut highest = 0;
    for rank in ranks {
        highest += rank;
        // From above, so that each rank is counted once.
        for sum in (0..=highest).rev() {
            let without = chances[sum] / 2.0;
            let with = if sum >= *rank { chances[sum - rank] / 2.0 } else { 0.0 };
            chances[sum] = without + with;
        }
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nine pairs of Hollander and Wolfe's depression study, with the values that R's `wilcox.test` gives.
    const KNOWN: [f64; 9] = [0.952, -0.147, 1.022, 0.430, 0.620, 0.590, 0.490, -0.080, 0.010];

    #[test]
    fn a_published_example_has_its_published_values() {
        let seen = signed_rank(&KNOWN).unwrap();
        assert!((seen.p - 0.039_062_5).abs() < 1e-12, "{seen:?}");
        assert!((seen.shift - 0.46).abs() < 1e-12, "{seen:?}");
        assert!((seen.low - 0.01).abs() < 1e-12 && (seen.high - 0.786).abs() < 1e-12, "{seen:?}");
    }

    #[test]
    fn nothing_but_zeros_accuses_nobody() {
        let seen = signed_rank(&[0.0; 30]).unwrap();
        assert_eq!((seen.shift, seen.low, seen.high, seen.p), (0.0, 0.0, 0.0, 1.0));
    }

    #[test]
    fn unanimous_pairs_are_as_sure_as_their_number_allows() {
        let differences: Vec<f64> = (1..=10).map(f64::from).collect();
        assert!((signed_rank(&differences).unwrap().p - 2.0 / 1024.0).abs() < 1e-12);
        assert_eq!(signed_rank(&differences[..5]), None);
    }

    #[test]
    fn swapping_a_and_b_turns_the_sign_and_nothing_else() {
        let swapped: Vec<f64> = KNOWN.iter().map(|difference| -difference).collect();
        let (one, other) = (signed_rank(&KNOWN).unwrap(), signed_rank(&swapped).unwrap());
        assert!((one.p - other.p).abs() < 1e-12);
        assert!((one.low + other.high).abs() < 1e-12 && (one.shift + other.shift).abs() < 1e-12);
    }

    #[test]
    fn the_interval_holds_the_truth_in_95_of_100() {
        // For every sign pattern of ten pairs, around a true shift of 0: how often is 0 outside?
        let sizes = [0.3, 1.1, 1.9, 2.2, 3.7, 4.1, 5.3, 6.8, 7.9, 9.2];
        let missed = (0..1_u32 << sizes.len())
            .filter(|signs| {
                let sign = |at: usize| if signs >> at & 1 == 1 { 1.0 } else { -1.0 };
                let differences: Vec<f64> =
                    sizes.iter().enumerate().map(|(at, size)| sign(at) * size).collect();
                let seen = signed_rank(&differences).unwrap();
                seen.low > 0.0 || seen.high < 0.0
            })
            .count();
        let share = missed as f64 / 1024.0;
        assert!(share <= 0.05 && share > 0.02, "{share}");
    }
}
