//! Values of keys as BSON, and back.

use mongodb::bson::{Binary, Bson, DateTime, Document, doc, oid::ObjectId, spec::BinarySubtype};
use mworld_placement::{Constraint, Value};
use mworld_shop::Timestamp;
use uuid::Uuid;

/// A UUID as BSON keeps it: binary data of subtype 4.
pub(crate) fn id(uuid: Uuid) -> Bson {
    Bson::Binary(Binary { subtype: BinarySubtype::Uuid, bytes: uuid.into_bytes().to_vec() })
}

/// The UUID in a field of a typed document.
pub(crate) fn uuid(id: mongodb::bson::Uuid) -> Uuid {
    Uuid::from_bytes(id.bytes())
}

/// A UUID for a field of a typed document.
pub(crate) fn typed(uuid: Uuid) -> mongodb::bson::Uuid {
    mongodb::bson::Uuid::from_bytes(uuid.into_bytes())
}

/// The moment at which the server may delete a record: never before the shop's own end of it.
pub(crate) fn deletion(end: Option<Timestamp>) -> Option<DateTime> {
    end.map(|end| DateTime::from_millis(end.micros() / 1000 + 1))
}

/// A key's value as the cluster has it.
pub(crate) fn to_bson(value: &Value) -> Bson {
    match value {
        Value::MinKey => Bson::MinKey,
        Value::Null => Bson::Null,
        Value::Int(number) => Bson::Int64(*number),
        Value::Double(number) => Bson::Double(*number),
        Value::Str(text) => Bson::String(text.clone()),
        Value::Uuid(uuid) => id(*uuid),
        Value::ObjectId(bytes) => Bson::ObjectId(ObjectId::from_bytes(*bytes)),
        Value::Bool(truth) => Bson::Boolean(*truth),
        Value::Date(millis) => Bson::DateTime(DateTime::from_millis(*millis)),
        Value::MaxKey => Bson::MaxKey,
    }
}

/// A bound of a range as the layout's code has it; `None` for kinds of values that no key of ours can hold.
pub(crate) fn from_bson(bson: &Bson) -> Option<Value> {
    Some(match bson {
        Bson::MinKey => Value::MinKey,
        Bson::Null => Value::Null,
        Bson::Int32(number) => Value::Int(i64::from(*number)),
        Bson::Int64(number) => Value::Int(*number),
        Bson::Double(number) => Value::Double(*number),
        Bson::String(text) => Value::Str(text.clone()),
        Bson::Binary(binary) if binary.subtype == BinarySubtype::Uuid => {
            Value::Uuid(Uuid::from_slice(&binary.bytes).ok()?)
        }
        Bson::ObjectId(id) => Value::ObjectId(id.bytes()),
        Bson::Boolean(truth) => Value::Bool(*truth),
        Bson::DateTime(moment) => Value::Date(moment.timestamp_millis()),
        Bson::MaxKey => Value::MaxKey,
        _ => return None,
    })
}

/// What is known of a field, as a condition of a filter.
pub(crate) fn condition(known: &Constraint) -> Bson {
    match known {
        Constraint::Eq(value) => to_bson(value),
        Constraint::In(values) => {
            Bson::Document(doc! { "$in": values.iter().map(to_bson).collect::<Vec<_>>() })
        }
        Constraint::Range { min, max } => {
            let mut bounds = Document::new();
            if let Some(min) = min {
                bounds.insert("$gte", to_bson(min));
            }
            if let Some(max) = max {
                bounds.insert("$lte", to_bson(max));
            }
            Bson::Document(bounds)
        }
    }
}
