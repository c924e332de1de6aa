//! Many comparisons at once: among sixty fair coins one shows something odd.

/// Holm's correction: the chance, at most, that *any* of the accused is innocent.
///
/// It needs nothing of the tests but their p-values, not even independence, which percentiles of one run do not have.
pub(super) fn adjusted(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&left, &right| p_values[left].total_cmp(&p_values[right]));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut highest: f64 = 0.0;
    for (place, &index) in order.iter().enumerate() {
        let still_to_judge = (p_values.len() - place) as f64;
        highest = highest.max((p_values[index] * still_to_judge).min(1.0));
        adjusted[index] = highest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_multiplied_by_how_many_are_left_and_never_overtakes() {
        let adjusted = adjusted(&[0.04, 0.001, 0.03, 0.5]);
        let expected = [0.09, 0.004, 0.09, 0.5];
        for (seen, wanted) in adjusted.iter().zip(expected) {
            assert!((seen - wanted).abs() < 1e-12, "{adjusted:?}");
        }
    }

    #[test]
    fn no_tests_and_one_test_stay_as_they_are() {
        assert!(adjusted(&[]).is_empty());
        assert_eq!(adjusted(&[0.02]), [0.02]);
    }
}
