//! MongoDB's hash of a value: what a hashed index stores and a hashed shard key is placed by.

use md5::{Digest, Md5};

use crate::value::Value;

/// The number by which MongoDB orders `value` in a hashed field; the same as its `$toHashedIndexKey`.
///
/// It is the first eight bytes of an MD5 over a seed, the value's type and the value as BSON stores it. Being the
/// server's own function, it makes a simulated or embedded shard hold exactly what a real one would hold.
pub fn hashed(value: &Value) -> i64 {
    /// The server's seed has been zero since the first release of hashed indexes.
    const SEED: i32 = 0;
    let mut md5 = Md5::new();
    md5.update(SEED.to_le_bytes());
    md5.update(value.canonical_type().to_le_bytes());
    match value {
        Value::MinKey | Value::Null | Value::MaxKey => {}
        Value::Int(number) => md5.update(number.to_le_bytes()),
        Value::Double(number) => md5.update(squashed(*number).to_le_bytes()),
        Value::Str(text) => {
            md5.update(bson_length(text.len() + 1));
            md5.update(text.as_bytes());
            md5.update([0]);
        }
        Value::Uuid(id) => {
            const SUBTYPE_UUID: u8 = 4;
            md5.update(bson_length(id.as_bytes().len()));
            md5.update([SUBTYPE_UUID]);
            md5.update(id.as_bytes());
        }
        Value::ObjectId(bytes) => md5.update(bytes),
        Value::Bool(truth) => md5.update([u8::from(*truth)]),
        Value::Date(millis) => md5.update(millis.to_le_bytes()),
    }
    let digest = md5.finalize();
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    i64::from_le_bytes(first)
}

/// BSON lengths are 32 bits wide. Longer values cannot be in a key, so what they would hash to does not matter.
fn bson_length(bytes: usize) -> [u8; 4] {
    i32::try_from(bytes).unwrap_or(i32::MAX).to_le_bytes()
}

/// Numbers of all types hash as whole ones, so that 5 is found however it was written. Fractions are cut off, what
/// is out of range is clamped, NaN counts as zero.
fn squashed(number: f64) -> i64 {
    // The one exception is kept by the server for the sake of old indexes: 2^63, the first double beyond the range,
    // once overflowed to the smallest number.
    const FIRST_BEYOND: f64 = 9_223_372_036_854_775_808.0;
    if number == FIRST_BEYOND { i64::MIN } else { number as i64 }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    /// What `$toHashedIndexKey` answered on MongoDB 8.2.0.
    #[test]
    fn equals_what_the_server_answers() {
        for (value, answered) in [
            (Value::from("abc"), 8_478_485_326_885_698_097),
            (Value::Int(5), 4_470_791_281_878_691_347),
            (Value::Double(5.0), 4_470_791_281_878_691_347),
            (Value::Null, 2_338_878_944_348_059_895),
            (Value::Bool(true), 6_405_873_908_747_105_701),
            (Value::Uuid(Uuid::from_u128(7)), 6_509_644_714_760_232_004),
            (Value::ObjectId([0; 12]), -4_293_118_519_463_489_418),
        ] {
            assert_eq!(hashed(&value), answered, "{value}");
        }
    }

    #[test]
    fn broken_numbers_hash_as_whole_ones() {
        assert_eq!(hashed(&Value::Double(5.9)), hashed(&Value::Int(5)));
        assert_eq!(hashed(&Value::Double(-0.5)), hashed(&Value::Int(0)));
        assert_eq!(hashed(&Value::Double(f64::NAN)), hashed(&Value::Int(0)));
        assert_eq!(hashed(&Value::Double(1e300)), hashed(&Value::Int(i64::MAX)));
        assert_eq!(hashed(&Value::Double(9_223_372_036_854_775_808.0)), hashed(&Value::Int(i64::MIN)));
        assert_ne!(hashed(&Value::from("5")), hashed(&Value::Int(5)));
    }
}
