//! Blocks without pairs: the rank-sum test of Mann and Whitney, and the estimate of Hodges and Lehmann.
//!
//! For two runs of different schedules, where the n-th block of the one has nothing to do with the n-th of the other.

use super::estimate::{Estimate, NORMAL_97_5, doubled_ranks, median_of_sorted, two_sided};

/// From here on the normal curve is close enough to the exact distribution.
pub(super) const FEWEST_EACH: usize = 8;

/// Tests whether values of `b` tend to be larger than those of `a`; `None` with too few of either.
pub(super) fn rank_sum(a: &[f64], b: &[f64]) -> Option<Estimate> {
    if a.len() < FEWEST_EACH || b.len() < FEWEST_EACH {
        return None;
    }
    let mut differences: Vec<f64> = a.iter().flat_map(|from| b.iter().map(move |to| to - from)).collect();
    differences.sort_by(f64::total_cmp);
    let (n_a, n_b) = (a.len() as f64, b.len() as f64);
    let spread = (n_a * n_b * (n_a + n_b + 1.0) / 12.0).sqrt();
    let outside = (n_a * n_b / 2.0 - NORMAL_97_5 * spread).floor().max(1.0) as usize - 1;
    Some(Estimate {
        shift: median_of_sorted(&differences),
        low: differences[outside],
        high: differences[differences.len() - 1 - outside],
        p: p_value(a, b),
    })
}

/// By the normal approximation, corrected for ties and for whole ranks.
fn p_value(a: &[f64], b: &[f64]) -> f64 {
    let both: Vec<f64> = a.iter().chain(b).copied().collect();
    let ranks = doubled_ranks(&both);
    let (n_a, n_b, all) = (a.len() as f64, b.len() as f64, both.len() as f64);
    let sum_of_b = ranks[a.len()..].iter().sum::<usize>() as f64 / 2.0;
    let off = (sum_of_b - n_b * (all + 1.0) / 2.0).abs() - 0.5;
    let variance = n_a * n_b / 12.0 * (all + 1.0 - ties(&ranks) / (all * (all - 1.0)));
    if off <= 0.0 || variance <= 0.0 { 1.0 } else { two_sided(off / variance.sqrt()) }
}

/// The sum of t³ − t over groups of t equal values: ties make rank sums vary less.
fn ties(ranks: &[usize]) -> f64 {
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable();
    let sizes = sorted.chunk_by(|left, right| left == right).map(|group| group.len() as f64);
    sizes.map(|size| size.powi(3) - size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_samples_do_not_differ_and_far_ones_do() {
        let values: Vec<f64> = (0..20).map(f64::from).collect();
        let far: Vec<f64> = values.iter().map(|value| value + 15.0).collect();
        let same = rank_sum(&values, &values).unwrap();
        assert_eq!((same.shift, same.p), (0.0, 1.0));
        let seen = rank_sum(&values, &far).unwrap();
        assert!(seen.p < 1e-5 && seen.shift == 15.0 && seen.low > 10.0 && seen.high < 20.0, "{seen:?}");
    }

    #[test]
    fn the_normal_curve_is_close_to_counting_all_ways() {
        // Of all ways to deal 16 different values into two eights, the share with a rank sum as far off as this one.
        let a = [1.0, 2.0, 3.0, 5.0, 6.0, 8.0, 9.0, 12.0];
        let b = [4.0, 7.0, 10.0, 11.0, 13.0, 14.0, 15.0, 16.0];
        let off = |sum: u32| (f64::from(sum) - 68.0).abs();
        let dealt = (0..1_u32 << 16).filter(|hand| hand.count_ones() == 8);
        let sums: Vec<u32> =
            dealt.map(|hand| (0..16).filter(|at| hand >> at & 1 == 1).map(|at| at + 1).sum()).collect();
        let exact = sums.iter().filter(|sum| off(**sum) >= off(90)).count() as f64 / sums.len() as f64;
        let seen = rank_sum(&a, &b).unwrap().p;
        assert!((seen - exact).abs() < 0.005, "{seen} {exact}");
    }

    #[test]
    fn too_few_say_nothing() {
        assert_eq!(rank_sum(&[1.0; 7], &[2.0; 30]), None);
        assert_eq!(rank_sum(&[4.0; 9], &[4.0; 9]).unwrap().p, 1.0);
    }
}
