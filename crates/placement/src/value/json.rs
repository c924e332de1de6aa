//! Values as JSON.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Value;

/// A value as JSON writes it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Written {
    Null(()),
    Bool(bool),
    Int(i64),
    Double(f64),
    Str(String),
    Named(Named),
}

/// The values for which JSON has no form of its own.
#[derive(Serialize, Deserialize)]
pub(super) enum Named {
    #[serde(rename = "$minKey")]
    MinKey(u8),
    #[serde(rename = "$maxKey")]
    MaxKey(u8),
    #[serde(rename = "$uuid")]
    Uuid(Uuid),
    #[serde(rename = "$oid", with = "oid")]
    ObjectId([u8; 12]),
    #[serde(rename = "$date")]
    Date(i64),
    #[serde(rename = "$numberDouble")]
    Unwritable(Unwritable),
}

/// The doubles that JSON cannot write as a number.
#[derive(Serialize, Deserialize)]
pub(super) enum Unwritable {
    NaN,
    Infinity,
    #[serde(rename = "-Infinity")]
    NegativeInfinity,
}

impl From<Value> for Written {
    fn from(value: Value) -> Written {
        match value {
            Value::Null => Written::Null(()),
            Value::Bool(truth) => Written::Bool(truth),
            Value::Int(number) => Written::Int(number),
            Value::Double(number) if number.is_finite() => Written::Double(number),
            Value::Double(number) if number.is_nan() => Written::Named(Named::Unwritable(Unwritable::NaN)),
            Value::Double(number) if number > 0.0 => Written::Named(Named::Unwritable(Unwritable::Infinity)),
            Value::Double(_) => Written::Named(Named::Unwritable(Unwritable::NegativeInfinity)),
            Value::Str(text) => Written::Str(text),
            Value::MinKey => Written::Named(Named::MinKey(1)),
            Value::MaxKey => Written::Named(Named::MaxKey(1)),
            Value::Uuid(id) => Written::Named(Named::Uuid(id)),
            Value::ObjectId(bytes) => Written::Named(Named::ObjectId(bytes)),
            Value::Date(millis) => Written::Named(Named::Date(millis)),
        }
    }
}

impl From<Written> for Value {
    fn from(written: Written) -> Value {
        match written {
            Written::Null(()) => Value::Null,
            Written::Bool(truth) => Value::Bool(truth),
            Written::Int(number) => Value::Int(number),
            Written::Double(number) => Value::Double(number),
            Written::Str(text) => Value::Str(text),
            Written::Named(Named::MinKey(_)) => Value::MinKey,
            Written::Named(Named::MaxKey(_)) => Value::MaxKey,
            Written::Named(Named::Uuid(id)) => Value::Uuid(id),
            Written::Named(Named::ObjectId(bytes)) => Value::ObjectId(bytes),
            Written::Named(Named::Date(millis)) => Value::Date(millis),
            Written::Named(Named::Unwritable(Unwritable::NaN)) => Value::Double(f64::NAN),
            Written::Named(Named::Unwritable(Unwritable::Infinity)) => Value::Double(f64::INFINITY),
            Written::Named(Named::Unwritable(Unwritable::NegativeInfinity)) => {
                Value::Double(f64::NEG_INFINITY)
            }
        }
    }
}

/// Object ids as 24 hexadecimal digits.
mod oid {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(bytes: &[u8; 12], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&super::super::hex(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u8; 12], D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = || D::Error::custom(format!("object id {text:?} must be 24 hexadecimal digits"));
        if text.len() != 24 || !text.is_ascii() {
            return Err(wrong());
        }
        let mut bytes = [0; 12];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).map_err(|_| wrong())?;
        }
        Ok(bytes)
    }
}
