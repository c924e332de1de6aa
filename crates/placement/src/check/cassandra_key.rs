//! Primary keys of Cassandra's tables.

use super::key_faults::{lists_its_zones, zone_of_whole_product};
use crate::entity::Entity;
use crate::layout::draft::{CassandraDraft, Clustering};
use crate::layout::findings::Findings;
use crate::layout::model::Form;
use crate::layout::source::Said;

/// Checks partition and clustering key of one table.
pub(super) fn check(entity: Entity, on: &CassandraDraft, form: Form, findings: &mut Findings) {
    let Some(partition) = &on.partition_key else { return };
    if partition.value.is_empty() {
        let help = "name at least one field, such as \"owner_key\"";
        findings.error("empty-key", &partition.at, "an empty partition key", "Cassandra refuses it", help);
        return;
    }
    let clustering = on.clustering_key.said().map_or(&[][..], |key| &key.value);
    every_field_once(entity, partition, clustering, form, findings);
    match entity {
        Entity::Carts => carts(on, partition, clustering, findings),
        Entity::History => history(partition, clustering, on, findings),
        Entity::OrderById | Entity::ProductCards | Entity::Sessions => {
            by_id_alone(entity, partition, findings);
        }
        // Refused on Cassandra as a whole.
        Entity::Products | Entity::Stock | Entity::Orders | Entity::Accounts => {}
    }
}

fn every_field_once(
    entity: Entity,
    partition: &Said<Vec<Said<String>>>,
    clustering: &[Said<Clustering>],
    form: Form,
    findings: &mut Findings,
) {
    let partition = partition.value.iter().map(|field| (field.value.as_str(), &field.at));
    let clustering = clustering.iter().map(|field| (field.value.field.as_str(), &field.at));
    let fields: Vec<_> = partition.chain(clustering).collect();
    for (i, (name, at)) in fields.iter().enumerate() {
        if fields[..i].iter().any(|(earlier, _)| earlier == name) {
            let title = format!("`{name}` stands in the primary key twice");
            findings.error("field-twice", at, title, "Cassandra refuses it", "leave one of them out");
        }
        match *name {
            "status" => findings.error(
                "status-in-primary-key",
                at,
                "`status` in a primary key",
                "a primary key cannot change: a new status would be a second row beside the first",
                "leave it out; the store filters by status itself",
            ),
            "category" | "subcategory" | "price" => findings.warn(
                "mutable-key-field",
                at,
                format!("`{name}` can change and is part of the primary key"),
                "every change writes a new row and deletes the old one",
                "leave it out, unless it hardly ever changes",
            ),
            "geo_zone" if lists_its_zones(entity, form) => zone_of_whole_product(entity, at, findings),
            _ => {}
        }
    }
}

/// One row per line of the cart, found by whoever owns it.
fn carts(
    on: &CassandraDraft,
    partition: &Said<Vec<Said<String>>>,
    clustering: &[Said<Clustering>],
    findings: &mut Findings,
) {
    let has_line = clustering.iter().any(|field| field.value.field == "product_id");
    // One that is left out is filled in.
    if let (Some(key), false) = (on.clustering_key.said(), has_line) {
        findings.error(
            "line-overwritten",
            &key.at,
            "the clustering key of carts lacks `product_id`",
            "the second product of a cart would overwrite the first",
            "write `clustering_key = [\"product_id\"]`: one row per line",
        );
    }
    let names: Vec<&str> = partition.value.iter().map(|field| field.value.as_str()).collect();
    if on.by_owner() {
        if names != ["owner_key"] {
            findings.error(
                "by-owner-key",
                &partition.at,
                "tables by owner that are not partitioned by the owner",
                "users and guests have a table each, keyed by the user and by the session",
                "write `partition_key = [\"owner_key\"]`",
            );
        }
    } else if names.contains(&"user_id") {
        findings.error(
            "guest-without-partition",
            &partition.at,
            "carts partitioned by `user_id`, which guests do not have",
            "Cassandra refuses null in a partition key",
            "write `partition_key = [\"owner_key\"]`: the user if there is one, else the session",
        );
    } else if names.contains(&"product_id") {
        findings.error(
            "cart-scattered",
            &partition.at,
            "carts partitioned by `product_id`",
            "every line of a cart would lie on other nodes, and reading a cart would ask them all",
            "write `partition_key = [\"owner_key\"]` and `clustering_key = [\"product_id\"]`",
        );
    }
}

/// A user's orders, newest first, in partitions that stay small.
fn history(
    partition: &Said<Vec<Said<String>>>,
    clustering: &[Said<Clustering>],
    on: &CassandraDraft,
    findings: &mut Findings,
) {
    let names: Vec<&str> = partition.value.iter().map(|field| field.value.as_str()).collect();
    let form = "`partition_key = [\"user_id\", \"period\"]` and `clustering_key = [\"created_at:desc\", \"order_id\"]`";
    let order_id =
        names.contains(&"order_id") || clustering.iter().any(|field| field.value.field == "order_id");
    // One that is left out is filled in.
    if let (Some(key), false) = (on.clustering_key.said(), order_id) {
        findings.error(
            "history-overwrite",
            &key.at,
            "the primary key of history lacks `order_id`",
            "the second order of the same instant overwrites the first",
            format!("write {form}"),
        );
    }
    if !names.contains(&"user_id") {
        let (title, why) =
            ("history is not partitioned by the user", "a user's history would ask every node");
        findings.error("history-without-user", &partition.at, title, why, format!("write {form}"));
    } else if names == ["user_id"] {
        findings.warn(
            "unbounded-partition",
            &partition.at,
            "one partition holds all orders a user ever makes",
            "a wholesale buyer's grows without bound",
            format!("write {form}"),
        );
    } else if names.contains(&"created_at") || names.contains(&"order_id") {
        findings.warn(
            "many-partitions",
            &partition.at,
            "a partition per user and moment",
            "a page of history becomes as many reads as there are days with an order",
            format!("take a coarser period: {form}"),
        );
    }
    let first = clustering.first().filter(|field| !field.value.descending);
    if let Some(field) = first.filter(|field| matches!(field.value.field.as_str(), "created_at" | "order_id"))
    {
        findings.warn(
            "history-order",
            &field.at,
            format!("history lies oldest first, by `{}`", field.value.field),
            "it is read newest first, which then goes against the order on disk",
            format!("write \"{}:desc\"", field.value.field),
        );
    }
}

fn by_id_alone(entity: Entity, partition: &Said<Vec<Said<String>>>, findings: &mut Findings) {
    let id = entity.own_id();
    if matches!(&partition.value[..], [only] if only.value == id) {
        return;
    }
    findings.error(
        "not-found-by-id",
        &partition.at,
        format!("the partition key of {entity} is not `{id}` alone"),
        "records are read by it alone, which would ask every node",
        format!("write `partition_key = [\"{id}\"]`"),
    );
}
