//! Secondary indexes.

use super::key_faults::{lists_its_zones, zone_of_whole_product};
use crate::entity::Entity;
use crate::key::KeyField;
use crate::layout::draft::MongoDraft;
use crate::layout::findings::Findings;
use crate::layout::model::Form;
use crate::layout::source::Said;

/// Checks each index by itself.
pub(super) fn check(entity: Entity, on: &MongoDraft, form: Form, findings: &mut Findings) {
    for index in &on.indexes {
        let fields = &index.fields.value;
        if fields.is_empty() {
            let help = "name its fields: `{ fields = [\"category\", \"price\"] }`";
            findings.error(
                "index-without-fields",
                &index.fields.at,
                "an index of no fields",
                "of nothing",
                help,
            );
        }
        for (i, field) in fields.iter().enumerate() {
            if fields[..i].iter().any(|earlier| earlier.value == field.value) {
                let title = format!("`{}` stands in the index twice", field.value);
                let why = "MongoDB refuses it (`_id` is the entity's own id)";
                findings.error("field-twice", &field.at, title, why, "leave one of them out");
            }
            if field.value == "geo_zone" && lists_its_zones(entity, form) {
                zone_of_whole_product(entity, &field.at, findings);
            }
        }
        if let Some(unique) = &index.unique
            && unique.value
            && entity == Entity::Products
            && form == Form::PerZone
            && !fields.iter().any(|field| field.value == "geo_zone")
        {
            findings.error(
                "unique-index",
                &unique.at,
                "a unique index without `geo_zone`, although a product has a document per zone",
                "the second zone's document would be refused",
                "leave `unique` out, or add `geo_zone` to the index",
            );
        }
    }
}

/// A unique index is kept by each shard for itself, so MongoDB refuses one that the key does not begin.
pub(super) fn check_unique(key: &Said<Vec<Said<KeyField>>>, on: &MongoDraft, findings: &mut Findings) {
    for index in &on.indexes {
        let Some(unique) = index.unique.as_ref().filter(|unique| unique.value) else { continue };
        let mut indexed = index.fields.value.iter().map(|field| field.value.as_str());
        if key.value.iter().all(|field| indexed.next() == Some(field.value.name.as_str())) {
            continue;
        }
        let names: Vec<&str> = key.value.iter().map(|field| field.value.name.as_str()).collect();
        findings.error(
            "unique-index",
            &unique.at,
            "a unique index that does not begin with the shard key",
            "each shard knows only its own records, so MongoDB refuses it",
            format!(
                "begin its fields with {}, or leave `unique` out: the store keeps ids, e-mails and \
                 idempotency keys unique by itself",
                names.join(", ")
            ),
        );
    }
}
