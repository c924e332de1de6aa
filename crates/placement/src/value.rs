//! Values of key fields, in the order in which MongoDB sorts them.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

mod json;

/// A value of a key field, or the end of a line of such values.
///
/// The order is BSON's: `MinKey` < null < numbers < strings < binary < object ids < booleans < dates < `MaxKey`.
/// Ranges of a real cluster and ranges of the embedded store therefore cut the same keys apart. `Int(5)` and
/// `Double(5.0)` are equal, as they are to MongoDB.
///
/// As JSON a value reads as itself where JSON has it (`null`, `5`, `"msk"`, `true`), and otherwise as an object
/// with one `$` name, as in MongoDB's extended JSON: `{"$uuid": "…"}`, `{"$minKey": 1}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "json::Written", into = "json::Written")]
pub enum Value {
    /// Below every value.
    MinKey,
    /// No value; also what a document without the field has.
    Null,
    /// A whole number: amounts of money, hashes.
    Int(i64),
    /// A number that may be broken; only layouts written by hand hold one.
    Double(f64),
    /// A text, ordered by its bytes.
    Str(String),
    /// A UUID: binary data of subtype 4.
    Uuid(Uuid),
    /// MongoDB's own kind of id.
    ObjectId([u8; 12]),
    /// A truth value.
    Bool(bool),
    /// A moment, in milliseconds since 1970 (BSON keeps no finer ones).
    Date(i64),
    /// Above every value.
    MaxKey,
}

impl Value {
    /// The place of this value's type in the order of types. The numbers are MongoDB's own, which its hash
    /// function mixes in.
    pub(crate) const fn canonical_type(&self) -> i32 {
        match self {
            Value::MinKey => -1,
            Value::Null => 5,
            Value::Int(_) | Value::Double(_) => 10,
            Value::Str(_) => 15,
            Value::Uuid(_) => 30,
            Value::ObjectId(_) => 35,
            Value::Bool(_) => 40,
            Value::Date(_) => 45,
            Value::MaxKey => 127,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) | (Value::Date(a), Value::Date(b)) => a.cmp(b),
            (Value::Double(a), Value::Double(b)) => compare_doubles(*a, *b),
            (Value::Int(a), Value::Double(b)) => compare_int_to_double(*a, *b),
            (Value::Double(a), Value::Int(b)) => compare_int_to_double(*b, *a).reverse(),
            (Value::Str(a), Value::Str(b)) => a.as_bytes().cmp(b.as_bytes()),
            // BSON compares length and subtype before the bytes; both are the same for every UUID.
            (Value::Uuid(a), Value::Uuid(b)) => a.as_bytes().cmp(b.as_bytes()),
            (Value::ObjectId(a), Value::ObjectId(b)) => a.cmp(b),
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            _ => self.canonical_type().cmp(&other.canonical_type()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

/// NaN equals itself and lies below every other number, as in BSON; the two zeros are equal.
fn compare_doubles(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| b.is_nan().cmp(&a.is_nan()))
}

/// Exact even where a double cannot hold the whole number: comparing after a conversion would make
/// 2^53 and 2^53 + 1 equal, and the order would no longer be one.
fn compare_int_to_double(int: i64, double: f64) -> Ordering {
    const BEYOND_I64: f64 = 9_223_372_036_854_775_808.0;
    if double.is_nan() || double < -BEYOND_I64 {
        return Ordering::Greater;
    }
    if double >= BEYOND_I64 {
        return Ordering::Less;
    }
    let whole = double.trunc();
    int.cmp(&(whole as i64)).then_with(|| compare_doubles(0.0, double - whole))
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Str(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Str(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Int(number)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

impl From<Uuid> for Value {
    fn from(id: Uuid) -> Value {
        Value::Uuid(id)
    }
}

impl fmt::Display for Value {
    /// As MongoDB's shell takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::MinKey => f.write_str("MinKey"),
            Value::Null => f.write_str("null"),
            Value::Int(number) => write!(f, "{number}"),
            Value::Double(number) => write!(f, "{number:?}"),
            Value::Str(text) => write!(f, "{text:?}"),
            Value::Uuid(id) => write!(f, "UUID(\"{id}\")"),
            Value::ObjectId(bytes) => write!(f, "ObjectId(\"{}\")", hex(bytes)),
            Value::Bool(truth) => write!(f, "{truth}"),
            Value::Date(millis) => write!(f, "new Date({millis})"),
            Value::MaxKey => f.write_str("MaxKey"),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
