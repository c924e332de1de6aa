//! Names of fields in keys and indexes.

use super::super::draft::Clustering;
use super::super::findings::Findings;
use super::super::nearest::offer;
use super::super::retired::other_field_name;
use super::super::source::{At, Said};
use super::super::tree::{Kind, Node};
use super::take;
use crate::entity::Entity;
use crate::key::{KeyField, Order};

/// A shard key: `"field"` or `"field:hashed"`, in order.
pub(super) fn shard_key(
    entity: Entity,
    node: &Node,
    findings: &mut Findings,
) -> Option<Said<Vec<Said<KeyField>>>> {
    fields(node, "shard_key", findings, |said, findings| {
        let (name, order) = match said.value.split_once(':') {
            None => (said.value.as_str(), Order::Ranged),
            Some((name, "hashed")) => (name, Order::Hashed),
            Some((name, suffix)) => {
                bad_suffix(
                    &said.at,
                    name,
                    suffix,
                    &format!("or `{name}:hashed`; a shard key only ascends or is hashed"),
                    findings,
                );
                return None;
            }
        };
        Some(KeyField { name: known_field(entity, name, &said.at, findings)?, order })
    })
}

/// A partition key or an index: plain names.
pub(super) fn plain_fields(
    entity: Entity,
    key: &str,
    node: &Node,
    findings: &mut Findings,
) -> Option<Said<Vec<Said<String>>>> {
    fields(node, key, findings, |said, findings| match said.value.split_once(':') {
        None => known_field(entity, &said.value, &said.at, findings),
        Some((name, suffix)) => {
            let rest = match key {
                "partition_key" => "alone; a partition key is always hashed",
                _ => "alone; an index ascends and serves both directions",
            };
            bad_suffix(&said.at, name, suffix, rest, findings);
            None
        }
    })
}

/// A clustering key: `"field"` or `"field:desc"`, in order.
pub(super) fn clustering_key(
    entity: Entity,
    node: &Node,
    findings: &mut Findings,
) -> Option<Said<Vec<Said<Clustering>>>> {
    fields(node, "clustering_key", findings, |said, findings| {
        let (name, descending) = match said.value.split_once(':') {
            None => (said.value.as_str(), false),
            Some((name, "desc")) => (name, true),
            Some((name, suffix)) => {
                bad_suffix(&said.at, name, suffix, &format!("or `{name}:desc`"), findings);
                return None;
            }
        };
        if entity == Entity::Carts && name == "added_at" {
            findings.error(
                "line-twice",
                &said.at,
                "`added_at` in the clustering key of carts",
                "the same product added at another moment is another row, so it stands in the cart twice",
                "write `clustering_key = [\"product_id\"]`; the store sorts the lines by the moment they were added",
            );
            return None;
        }
        Some(Clustering { field: known_field(entity, name, &said.at, findings)?, descending })
    })
}

/// A list of names, each read by `one`. A name that cannot be read spoils the list: half a key is no key.
fn fields<T>(
    node: &Node,
    key: &str,
    findings: &mut Findings,
    mut one: impl FnMut(&Said<String>, &mut Findings) -> Option<T>,
) -> Option<Said<Vec<Said<T>>>> {
    let Kind::List(list) = &node.kind else {
        return take::wrong_type(node, key, "a list of fields, such as [\"user_id\"]", findings);
    };
    let mut read = Vec::with_capacity(list.len());
    let mut whole = true;
    for item in list {
        let field = take::text(item, key, findings).and_then(|said| {
            let value = one(&said, findings)?;
            Some(Said { value, at: said.at })
        });
        match field {
            Some(field) => read.push(field),
            None => whole = false,
        }
    }
    whole.then(|| Said::new(read, &node.at))
}

/// The field's real name, or a report of what was probably meant.
fn known_field(entity: Entity, written: &str, at: &At, findings: &mut Findings) -> Option<String> {
    if written == "_id" {
        return Some(entity.own_id().to_owned());
    }
    if entity.fields().contains(&written) {
        return Some(written.to_owned());
    }
    let title = format!("`{}` is no field of {entity}", take::shortened(written));
    let mut known = vec!["_id"];
    known.extend(entity.fields());
    let other = other_field_name(written).filter(|name| known.contains(name));
    let help = match other {
        Some(name) => format!("the field is called `{name}` here"),
        None if written.contains(['(', '+', ',']) => {
            "a key takes one field per entry; for carts, `owner_key` holds the user if there is one, else the session"
                .to_owned()
        }
        None => offer(written, &known),
    };
    findings.error("unknown-field", at, title, "not a field that keys may name", help);
    None
}

fn bad_suffix(at: &At, name: &str, suffix: &str, rest: &str, findings: &mut Findings) {
    let title = format!("`{}` cannot be ordered by `{}`", take::shortened(name), take::shortened(suffix));
    findings.error(
        "bad-order",
        at,
        title,
        "no such order here",
        format!("write `{}` {rest}", take::shortened(name)),
    );
}
