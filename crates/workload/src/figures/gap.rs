//! The longest stretch in which no operation of a kind was done: how long a buyer would have stood at a closed till.

/// Moments at which something was done, collected in any order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gaps(Vec<u64>);

impl Gaps {
    /// Done at this moment, in microseconds.
    pub(crate) fn done(&mut self, at_us: u64) {
        self.0.push(at_us);
    }

    /// The longest stretch between two of them, in milliseconds. What was before the first and after the last is no
    /// stretch: there may have been nothing to do.
    pub(crate) fn longest_ms(mut self) -> f64 {
        self.0.sort_unstable();
        let longest = self.0.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
        longest as f64 / 1000.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_stretch_is_between_two_that_were_done() {
        let mut gaps = Gaps::default();
        for at in [9_000_000, 1_000_000, 1_500_000, 4_000_000, 8_500_000] {
            gaps.done(at);
        }
        assert_eq!(gaps.longest_ms(), 4_500.0);
        assert_eq!(Gaps::default().longest_ms(), 0.0);
    }
}
