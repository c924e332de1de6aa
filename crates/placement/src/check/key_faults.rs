//! Shard keys that MongoDB refuses, or that cannot work.

use crate::entity::Entity;
use crate::key::{KeyField, Order};
use crate::layout::findings::Findings;
use crate::layout::model::Form;
use crate::layout::source::Said;

/// Checks one shard key; false if it is refused.
pub(super) fn check(
    entity: Entity,
    key: &Said<Vec<Said<KeyField>>>,
    form: Form,
    findings: &mut Findings,
) -> bool {
    let fields = &key.value;
    if fields.is_empty() {
        let help = format!("name at least one field, such as \"{}:hashed\"", entity.own_id());
        findings.error("empty-key", &key.at, "an empty shard key", "MongoDB refuses it", help);
        return false;
    }
    let fine = [
        one_hashed_field(entity, fields, findings),
        no_field_twice(fields, findings),
        no_array(entity, fields, form, findings),
        accounts_by_email(entity, key, findings),
    ];
    fine.into_iter().all(|fine| fine)
}

fn one_hashed_field(entity: Entity, fields: &[Said<KeyField>], findings: &mut Findings) -> bool {
    let hashed: Vec<_> = fields.iter().filter(|field| field.value.order == Order::Hashed).collect();
    let [first, second, ..] = hashed[..] else { return true };
    let both = [first.value.name.as_str(), second.value.name.as_str()];
    let owner = entity == Entity::Carts && both.contains(&"user_id") && both.contains(&"session_id");
    let help = if owner {
        "write `shard_key = [\"owner_key:hashed\"]`: it holds the user if there is one, else the session"
            .to_owned()
    } else {
        format!("hash one of them: `[\"{}\", \"{}:hashed\"]`", both[0], both[1])
    };
    findings.error(
        "two-hashed-fields",
        &second.at,
        format!("`{}` and `{}` are both hashed", both[0], both[1]),
        "MongoDB takes one hashed field per key",
        help,
    );
    false
}

fn no_field_twice(fields: &[Said<KeyField>], findings: &mut Findings) -> bool {
    let mut fine = true;
    for (i, field) in fields.iter().enumerate() {
        if fields[..i].iter().any(|earlier| earlier.value.name == field.value.name) {
            fine = false;
            findings.error(
                "field-twice",
                &field.at,
                format!("`{}` stands in the key twice", field.value.name),
                "the second time it decides nothing (`_id` is the entity's own id)",
                "leave one of them out",
            );
        }
    }
    fine
}

fn no_array(entity: Entity, fields: &[Said<KeyField>], form: Form, findings: &mut Findings) -> bool {
    let mut fine = true;
    for field in fields {
        let name = field.value.name.as_str();
        if name == "geo_zone" && lists_its_zones(entity, form) {
            fine = false;
            zone_of_whole_product(entity, &field.at, findings);
        } else if name == "product_id" && entity == Entity::Carts {
            fine = false;
            findings.error(
                "array-in-key",
                &field.at,
                "`product_id` in the shard key of carts",
                "a cart holds many products, and MongoDB refuses an array in a shard key",
                "write `shard_key = [\"owner_key:hashed\"]`",
            );
        }
    }
    fine
}

/// Whether one document of this entity stands for a product in all its zones.
pub(super) fn lists_its_zones(entity: Entity, form: Form) -> bool {
    matches!(entity, Entity::Products | Entity::ProductCards) && form != Form::PerZone
}

/// Reports `geo_zone` where one document holds all zones.
pub(super) fn zone_of_whole_product(entity: Entity, at: &crate::layout::source::At, findings: &mut Findings) {
    findings.error(
        "zone-without-per-zone",
        at,
        format!("`geo_zone` is a field of {entity} only in the form `per-zone`"),
        "in this form one document holds the stock of all zones",
        "write `form = \"per-zone\"` under [products]: one document per product and zone",
    );
}

fn accounts_by_email(entity: Entity, key: &Said<Vec<Said<KeyField>>>, findings: &mut Findings) -> bool {
    let by_email = matches!(&key.value[..], [only] if only.value.name == "email");
    if entity != Entity::Accounts || by_email {
        return true;
    }
    findings.error(
        "account-key",
        &key.at,
        "accounts are not keyed by their e-mail",
        "an e-mail is unique over all shards only if it is the shard key",
        "write `shard_key = [\"email:hashed\"]`",
    );
    false
}
