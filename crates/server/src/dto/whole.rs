//! Whole numbers in bodies. JSON has one kind of number, and `84.0` is a whole one; some languages write it so.

use serde::de::{Deserializer, Error, Unexpected, Visitor};

/// Reads a whole number, written as an integer or as a float without a fraction.
pub(super) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    deserializer.deserialize_i64(Whole)
}

struct Whole;

/// Up to here every integer is exactly one float.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Visitor<'_> for Whole {
    type Value = i64;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<i64, E> {
        Ok(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<i64, E> {
        i64::try_from(value).map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    #[allow(clippy::cast_possible_truncation)] // both conditions are checked before
    fn visit_f64<E: Error>(self, value: f64) -> Result<i64, E> {
        if value.fract() == 0.0 && value.abs() <= EXACT {
            Ok(value as i64)
        } else {
            Err(E::invalid_value(Unexpected::Float(value), &self))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<i64> {
        whole(&mut serde_json::Deserializer::from_str(text)).ok()
    }

    #[test]
    fn a_float_without_a_fraction_is_whole() {
        for (text, number) in [("84", 84), ("84.0", 84), ("-3", -3), ("-0.0", 0), ("1e3", 1000)] {
            assert_eq!(read(text), Some(number), "{text}");
        }
    }

    #[test]
    fn anything_else_is_not() {
        for text in ["84.5", "1e300", "\"84\"", "null", "true", "18446744073709551615"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
