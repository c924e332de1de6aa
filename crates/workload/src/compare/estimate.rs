//! What a test says of one difference.

/// A difference, how sure it is, and how easily chance makes one as large.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    /// The difference, B less A, on the scale of the values that were compared.
    pub(super) shift: f64,
    /// The lower end of its 95 % interval.
    pub(super) low: f64,
    /// The upper end.
    pub(super) high: f64,
    /// How often chance alone makes a difference as large.
    pub(super) p: f64,
}

impl Estimate {
    /// Nothing differed anywhere, so nothing was tested.
    pub(super) fn is_nothing(&self) -> bool {
        self.p >= 1.0 && self.low == 0.0 && self.high == 0.0
    }
}

/// One end of a two-sided 95 % interval.
pub(super) const HALF_OF_5_PERCENT: f64 = 0.025;

/// The same, in standard deviations of a normal distribution.
pub(super) const NORMAL_97_5: f64 = 1.959_963_984_540_054;

/// How often chance takes a normal value at least so many standard deviations from its mean, on either side.
pub(super) fn two_sided(deviations: f64) -> f64 {
    libm::erfc(deviations.abs() / std::f64::consts::SQRT_2)
}

/// The middle of sorted values.
pub(super) fn median_of_sorted(sorted: &[f64]) -> f64 {
    match sorted.len() {
        0 => f64::NAN,
        length if length % 2 == 1 => sorted[length / 2],
        length => f64::midpoint(sorted[length / 2 - 1], sorted[length / 2]),
    }
}

/// Ranks of the values from 1, doubled so that those of equal values, which share their mean rank, stay whole.
pub(super) fn doubled_ranks(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&left, &right| values[left].total_cmp(&values[right]));
    let mut ranks = vec![0; values.len()];
    let mut first = 0;
    while first < order.len() {
        let equal = order[first..].iter().take_while(|&&at| values[at] == values[order[first]]).count();
        for &at in &order[first..first + equal] {
            // Twice the mean of first + 1 ..= first + equal.
            ranks[at] = 2 * first + equal + 1;
        }
        first += equal;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_mean_rank() {
        assert_eq!(doubled_ranks(&[5.0, 1.0, 5.0, 9.0]), [5, 2, 5, 8]);
    }

    #[test]
    fn the_middle_of_an_even_number_lies_between_two() {
        assert_eq!(median_of_sorted(&[1.0, 2.0, 4.0, 9.0]), 3.0);
        assert_eq!(median_of_sorted(&[1.0, 2.0, 9.0]), 2.0);
    }

    #[test]
    fn two_standard_deviations_are_five_percent() {
        assert!((two_sided(NORMAL_97_5) - 0.05).abs() < 1e-9);
        assert!((two_sided(0.0) - 1.0).abs() < 1e-12);
    }
}
