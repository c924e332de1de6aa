//! A resolved layout as a file again: everything said, nothing inherited.

use std::fmt::Write as _;

use super::model::{AntiEntropy, Engine, Form, Layout, OnCassandra, OnMongo, Policy, Ring, Ttl};
use super::units::{write_duration, write_size};
use crate::entity::Entity;
use crate::key::Order;
use crate::value::Value;

impl Layout {
    /// The layout as TOML, with every default and every inherited table written out. Reading it gives the
    /// same layout.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "name = {}\nabout = {}", text(&self.name), text(&self.about));
        out.push_str(&self.placement_to_toml());
        out.push_str("\n[policy]\n");
        for (operation, policy) in &self.policy {
            let _ = writeln!(out, "{} = {{ {} }}", text(operation), policy_fields(policy));
        }
        out
    }

    /// The part of the layout that a cluster is built by: what is where, in which form.
    pub(super) fn placement_to_toml(&self) -> String {
        let mut out = String::new();
        for (entity, placed) in &self.entities {
            let engine = match placed.engine {
                Engine::MongoDb => "mongodb",
                Engine::Cassandra => "cassandra",
            };
            let _ = writeln!(out, "\n[{entity}]\nengine = \"{engine}\"");
            if *entity == Entity::Products {
                let _ = writeln!(out, "form = \"{}\"", form(self.form));
            }
            if let Some(on) = &placed.mongodb {
                mongodb(&mut out, *entity, on);
            }
            if let Some(on) = &placed.cassandra {
                cassandra(&mut out, *entity, on);
            }
        }
        ring(&mut out, &self.ring);
        out
    }
}

fn form(form: Form) -> &'static str {
    match form {
        Form::Whole => "whole",
        Form::PerZone => "per-zone",
        Form::Apart => "apart",
    }
}

fn mongodb(out: &mut String, entity: Entity, on: &OnMongo) {
    let key = on.shard_key.fields().iter().map(|field| match field.order {
        Order::Ranged => text(&field.name),
        Order::Hashed => text(&format!("{}:hashed", field.name)),
    });
    let _ = writeln!(out, "\n[{entity}.mongodb]\nshard_key = {}", list(key));
    let indexes = on.indexes.iter().map(|index| {
        let unique = if index.unique { ", unique = true" } else { "" };
        format!("{{ fields = {}{unique} }}", list(index.fields.iter().map(|field| text(field))))
    });
    let _ = writeln!(out, "indexes = {}", list(indexes));
    let _ = writeln!(out, "splits = {}", list(on.splits.iter().map(|split| bound(split))));
    let zones = on.zones.iter().map(|zone| {
        let (from, to) = (bound(&zone.from), bound(&zone.to));
        format!("{{ name = {}, shards = {}, from = {from}, to = {to} }}", text(&zone.name), zone.shards)
    });
    let _ = writeln!(out, "zones = {}\nttl = {}", list(zones), ttl(on.ttl));
    if entity == Entity::Carts {
        let _ = writeln!(out, "cache = {{ owner = \"{}\" }}", write_duration(on.owner_cache));
    }
}

fn cassandra(out: &mut String, entity: Entity, on: &OnCassandra) {
    let _ = writeln!(out, "\n[{entity}.cassandra]\ntable = {}", text(&on.table));
    if entity == Entity::Carts {
        let _ = writeln!(out, "tables = \"{}\"", if on.by_owner { "by-owner" } else { "one" });
    }
    let clustering = on
        .clustering_key
        .iter()
        .map(|(field, descending)| text(&if *descending { format!("{field}:desc") } else { field.clone() }));
    let _ = writeln!(out, "partition_key = {}", list(on.partition_key.iter().map(|field| text(field))));
    let _ = writeln!(out, "clustering_key = {}", list(clustering));
    let _ = writeln!(out, "ttl = {}\ngc_grace = \"{}\"", ttl(on.ttl), write_duration(on.gc_grace));
    let read_repair = if on.repair.read_repair { "blocking" } else { "none" };
    let _ = writeln!(out, "\n[{entity}.cassandra.repair]\nhints = {}", on.repair.hints);
    let _ = writeln!(out, "read_repair = \"{read_repair}\"");
    let schedule = on.repair.anti_entropy.as_ref().map_or_else(|| "false".to_owned(), anti_entropy);
    let _ = writeln!(out, "anti_entropy = {schedule}");
}

fn anti_entropy(schedule: &AntiEntropy) -> String {
    let mode = if schedule.full { "full" } else { "incremental" };
    let at = schedule.at_minute.map(|minute| format!(", at = \"{:02}:{:02}\"", minute / 60, minute % 60));
    format!(
        "{{ every = \"{}\", mode = \"{mode}\"{} }}",
        write_duration(schedule.every),
        at.unwrap_or_default()
    )
}

fn ring(out: &mut String, ring: &Ring) {
    let replicas = ring.replication.iter().map(|(dc, count)| format!("{} = {count}", text(dc)));
    let replicas: Vec<String> = replicas.collect();
    let _ = writeln!(out, "\n[cassandra]\nreplication = {{ {} }}", replicas.join(", "));
    let _ = writeln!(out, "max_hint_window = \"{}\"", write_duration(ring.max_hint_window));
    let _ = writeln!(out, "hinted_handoff_throttle = \"{}\"", write_size(ring.hinted_handoff_throttle));
}

fn policy_fields(policy: &Policy) -> String {
    let write = policy.write.as_ref().map(|write| match write.parse::<u32>() {
        Ok(members) => members.to_string(),
        Err(_) => text(write),
    });
    let fields = [
        ("read", policy.read.as_deref().map(text)),
        ("read_concern", policy.read_concern.as_deref().map(text)),
        ("write", write),
        ("max_age", policy.max_age.map(|age| text(&write_duration(age)))),
        ("consistency", policy.consistency.as_deref().map(text)),
    ];
    let said = fields.into_iter().filter_map(|(key, value)| Some(format!("{key} = {}", value?)));
    said.collect::<Vec<String>>().join(", ")
}

fn ttl(ttl: Ttl) -> String {
    if ttl.guest == ttl.user {
        return text(&write_duration(ttl.guest));
    }
    format!("{{ guest = \"{}\", user = \"{}\" }}", write_duration(ttl.guest), write_duration(ttl.user))
}

fn bound(values: &[Value]) -> String {
    list(values.iter().map(|value| match value {
        Value::Int(number) => number.to_string(),
        Value::Uuid(id) => text(&id.to_string()),
        Value::Str(words) => text(words),
        // Nothing else can be written in a layout.
        other => text(&other.to_string()),
    }))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<String>>().join(", "))
}

fn text(words: &str) -> String {
    toml::Value::from(words).to_string()
}
