//! Percentages that add up.

use std::fmt;
use std::iter::Sum;

/// A part of a whole, in hundredths of a percent. Whole numbers, so that parts make exactly a whole or do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Share(u32);

impl Share {
    /// 100 %.
    pub const WHOLE: Share = Share(10_000);

    /// 50 %.
    pub const HALF: Share = Share(5_000);

    /// So many percent; nothing below 0, above 100, or finer than a hundredth of a percent.
    pub fn percent(percent: f64) -> Option<Share> {
        let hundredths = percent * 100.0;
        let fits = (0.0..=10_000.0).contains(&hundredths) && (hundredths - hundredths.round()).abs() < 1e-6;
        fits.then(|| Share(hundredths.round() as u32))
    }

    /// In hundredths of a percent: how many of 10,000.
    pub const fn of_ten_thousand(self) -> u32 {
        self.0
    }

    /// This share of so many, to the nearest.
    pub const fn of(self, count: usize) -> usize {
        (count * self.0 as usize + 5_000) / 10_000
    }
}

impl Sum for Share {
    fn sum<I: Iterator<Item = Share>>(shares: I) -> Share {
        Share(shares.map(|share| share.0).sum())
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", f64::from(self.0) / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_exact_or_none() {
        assert_eq!(Share::percent(0.07).map(Share::of_ten_thousand), Some(7));
        assert_eq!(Share::percent(100.0), Some(Share::WHOLE));
        for wrong in [-0.01, 100.01, 0.005, f64::NAN, f64::INFINITY] {
            assert_eq!(Share::percent(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn it_reads_as_it_is_written() {
        assert_eq!(Share::percent(12.5).expect("a share").to_string(), "12.5 %");
        assert_eq!(Share::WHOLE.to_string(), "100 %");
    }
}
