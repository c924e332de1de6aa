//! Shard keys that work badly.

use crate::entity::Entity;
use crate::key::{KeyField, Order};
use crate::layout::draft::MongoDraft;
use crate::layout::findings::Findings;
use crate::layout::source::Said;

/// Warns of what a sound shard key is bad at.
pub(super) fn check(
    entity: Entity,
    key: &Said<Vec<Said<KeyField>>>,
    on: &MongoDraft,
    findings: &mut Findings,
) {
    changing_fields(entity, &key.value, findings);
    growing_field(&key.value, findings);
    few_values(key, findings);
    if entity == Entity::Carts {
        guests_together(key, findings);
        owner_not_found(key, on, findings);
    }
}

/// A change of such a field moves the record.
fn changing_fields(entity: Entity, fields: &[Said<KeyField>], findings: &mut Findings) {
    for field in fields {
        let name = field.value.name.as_str();
        let changes = match name {
            "price" => "every new price may move the product to another shard",
            "category" | "subcategory" => "a product that changes it moves to another shard",
            "status" => "every step of its life moves the record to another shard",
            "user_id" if entity == Entity::Sessions => "every login moves the session to another shard",
            _ => continue,
        };
        findings.warn(
            "mutable-key-field",
            &field.at,
            format!("`{name}` can change and is part of the shard key"),
            changes,
            "it works, as a move within a transaction; for frequent changes leave it out of the key",
        );
    }
}

/// Values that only grow send every insert to the last range.
fn growing_field(fields: &[Said<KeyField>], findings: &mut Findings) {
    // A field of many values spreads what follows it; behind fields with a handful of values, growth meets
    // as few places as there are values.
    let first = fields.iter().find(|field| !has_few_values(&field.value.name));
    let Some(field) = first.filter(|field| field.value.order == Order::Ranged) else { return };
    let grows = match field.value.name.as_str() {
        "created_at" | "period" => "it only grows",
        "product_id" | "order_id" | "cart_id" | "session_id" | "user_id" => {
            "ids begin with the time, so they only grow"
        }
        _ => return,
    };
    findings.warn(
        "monotonic-key",
        &field.at,
        format!("the key is a range of `{}`", field.value.name),
        format!("{grows}: every insert goes to the last range"),
        format!("write \"{}:hashed\", unless inserts are rare", field.value.name),
    );
}

fn has_few_values(field: &str) -> bool {
    matches!(field, "category" | "subcategory" | "geo_zone" | "status")
}

/// One value is one place: it can be moved, never cut.
fn few_values(key: &Said<Vec<Said<KeyField>>>, findings: &mut Findings) {
    if key.value.iter().all(|field| has_few_values(&field.value.name)) {
        findings.warn(
            "low-cardinality",
            &key.at,
            "the key has only a handful of values",
            "all records of one value lie on one shard, and nothing can cut them apart when it runs hot",
            "add the record's id: `\"_id:hashed\"`",
        );
    }
}

/// A guest's user is null.
fn guests_together(key: &Said<Vec<Said<KeyField>>>, findings: &mut Findings) {
    let names = |name: &str| key.value.iter().find(|field| field.value.name == name);
    let tells_guests_apart =
        ["session_id", "owner_key", "cart_id"].into_iter().any(|name| names(name).is_some());
    if let (Some(user), false) = (names("user_id"), tells_guests_apart) {
        findings.warn(
            "guests-on-one-shard",
            &user.at,
            "carts lie by `user_id`, which guests do not have",
            "every guest's cart has the same key value, so all lie on one shard",
            "write `shard_key = [\"owner_key:hashed\"]`: the user if there is one, else the session",
        );
    }
}

/// A cart is always looked for by its owner.
fn owner_not_found(key: &Said<Vec<Said<KeyField>>>, on: &MongoDraft, findings: &mut Findings) {
    let by_owner = |name: &str| matches!(name, "owner_key" | "user_id");
    let in_key = key.value.iter().any(|field| by_owner(&field.value.name));
    let first_fields = on.indexes.iter().filter_map(|index| index.fields.value.first());
    if in_key || first_fields.into_iter().any(|field| by_owner(&field.value)) {
        return;
    }
    findings.warn(
        "no-owner-index",
        &key.at,
        "a user's cart cannot be found from another device",
        "neither the key nor an index begins with its owner",
        "add `indexes = [{ fields = [\"user_id\", \"status\"] }]`",
    );
}
