//! Medians and ratios: what is left of noisy measurements.

/// The middle value, or the mean of the two middle ones.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
    }
}

/// The median of the ratios of measurements taken turn by turn. What slows the machine for some seconds slows both
/// sides of a turn, and leaves their ratio alone.
pub(crate) fn median_ratio(measured: &[f64], limits: &[f64]) -> f64 {
    let ratios: Vec<f64> = measured.iter().zip(limits).map(|(value, limit)| value / limit).collect();
    median(&ratios)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_found() {
        assert_eq!(median(&[9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 9.0]), 3.0);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn a_slow_turn_does_not_change_the_ratio() {
        assert_eq!(median_ratio(&[10.0, 1.0, 10.0], &[20.0, 2.0, 20.0]), 0.5);
    }
}
