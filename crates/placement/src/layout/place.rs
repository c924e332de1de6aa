//! Split points and zone bounds as values of the key's fields.

use uuid::Uuid;

use super::draft::Bound;
use super::findings::Findings;
use super::source::Said;
use crate::key::{KeyField, Order};
use crate::value::Value;

/// Where a bound is used, which decides what may stand for a hashed field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// A split point: the store hashes a value by itself.
    Split,
    /// A zone's bound, where MongoDB takes hashes only.
    Zone,
}

/// The values that a prefix of the key stands for, or a report of why it is none.
pub(crate) fn place(
    prefix: &Said<Vec<Said<Bound>>>,
    key: &[Said<KeyField>],
    used: Use,
    findings: &mut Findings,
) -> Option<Vec<Value>> {
    if prefix.value.is_empty() || prefix.value.len() > key.len() {
        let names: Vec<&str> = key.iter().map(|field| field.value.name.as_str()).collect();
        findings.error(
            "bound-not-prefix",
            &prefix.at,
            format!("a bound of {} values for a key of {} fields", prefix.value.len(), key.len()),
            format!("a bound gives the first values of the key ({})", names.join(", ")),
            "write one value for each of the key's first fields, or `[]` for the whole list to drop an inherited one",
        );
        return None;
    }
    let values =
        prefix.value.iter().zip(key).map(|(bound, field)| value(bound, &field.value, used, findings));
    // Collected before it is judged, so that every wrong component is reported.
    values.collect::<Vec<_>>().into_iter().collect()
}

fn value(bound: &Said<Bound>, field: &KeyField, used: Use, findings: &mut Findings) -> Option<Value> {
    let hashed = field.order == Order::Hashed;
    if hashed && used == Use::Zone {
        if let Bound::Whole(hash) = bound.value {
            return Some(Value::Int(hash));
        }
        findings.error(
            "zone-on-hash",
            &bound.at,
            format!("a zone bounded by a value of the hashed field `{}`", field.name),
            "a hash scatters neighbouring values, so a range of values is no range of the key",
            "put a ranged field such as `geo_zone` before the hashed one and end the bound there",
        );
        return None;
    }
    let needs = match (field.name.as_str(), &bound.value) {
        ("price", Bound::Whole(amount)) => return Some(Value::Int(*amount)),
        ("price", Bound::Text(_)) => "a whole number of kopecks, such as 5_000_000",
        ("created_at", _) => {
            findings.error(
                "split-at-moment",
                &bound.at,
                "a bound at a moment",
                "every new record comes after it, so it divides nothing for long",
                "end the bound before `created_at`",
            );
            return None;
        }
        (_, Bound::Whole(hash)) if hashed => return Some(Value::Int(*hash)),
        (
            "product_id" | "order_id" | "cart_id" | "user_id" | "session_id" | "owner_key",
            Bound::Text(text),
        ) => {
            if let Ok(id) = Uuid::try_parse(text) {
                return Some(Value::Uuid(id));
            }
            "a UUID in quotes"
        }
        (_, Bound::Text(text)) => return Some(Value::Str(text.clone())),
        (_, Bound::Whole(_)) => "a text in quotes",
    };
    let title = format!("a bound of the wrong type for `{}`", field.name);
    findings.error(
        "bound-type",
        &bound.at,
        title,
        "never equal to a value of that field",
        format!("write {needs}"),
    );
    None
}
