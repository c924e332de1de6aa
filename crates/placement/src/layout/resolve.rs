//! From a draft without errors to a layout: defaults filled in, places forgotten.

use super::draft::{CassandraDraft, Draft, EntityDraft, IndexDraft, MongoDraft, ZoneDraft};
use super::findings::Findings;
use super::model::{
    Engine, Form, Index, Layout, OnCassandra, OnMongo, Placed, Policy, Repair, Ring, Ttl, ZoneRange,
};
use super::place::{Use, place};
use super::source::Said;
use crate::entity::Entity;
use crate::key::{KeyField, ShardKey};

/// The layout that the draft describes; `None` if the draft is not sound after all.
pub(crate) fn resolve(draft: &Draft) -> Option<Layout> {
    let mut entities = std::collections::BTreeMap::new();
    for (entity, placed) in &draft.entities {
        entities.insert(*entity, resolve_entity(*entity, placed)?);
    }
    let policy = draft.policy.iter().map(|(operation, policy)| {
        let name = |said: &Option<Said<&'static str>>| said.as_ref().map(|said| said.value.to_owned());
        let resolved = Policy {
            read: name(&policy.read),
            read_concern: name(&policy.read_concern),
            write: policy.write.as_ref().map(|said| said.value.clone()),
            max_age: policy.max_age.as_ref().map(|said| said.value),
            consistency: name(&policy.consistency),
        };
        ((*operation).to_owned(), resolved)
    });
    let replication = &draft.ring.replication.value;
    Some(Layout {
        name: draft.name.clone(),
        about: draft.about.clone(),
        form: draft.form.said().map_or(Form::Whole, |said| said.value),
        entities,
        policy: policy.collect(),
        ring: Ring {
            replication: replication.iter().map(|(dc, said)| (dc.clone(), said.value)).collect(),
            max_hint_window: draft.ring.max_hint_window,
            hinted_handoff_throttle: draft.ring.hinted_handoff_throttle,
        },
    })
}

/// The tables that an entity has on Cassandra.
pub(crate) fn table_names(entity: Entity, on: &CassandraDraft) -> Vec<String> {
    let name = table_name(entity, on);
    if on.by_owner() { vec![format!("user_{name}"), format!("guest_{name}")] } else { vec![name] }
}

fn table_name(entity: Entity, on: &CassandraDraft) -> String {
    let usual = match entity {
        Entity::History => "order_history",
        Entity::OrderById => "orders_by_id",
        other => other.name(),
    };
    on.table.as_ref().map_or_else(|| usual.to_owned(), |said| said.value.clone())
}

fn resolve_entity(entity: Entity, placed: &EntityDraft) -> Option<Placed> {
    let mongodb = match &placed.mongodb {
        Some(on) => Some(on_mongodb(on)?),
        None => None,
    };
    let cassandra = match &placed.cassandra {
        Some(on) => Some(on_cassandra(entity, on)?),
        None => None,
    };
    let engine: Engine = placed.engine_in_force()?;
    Some(Placed { engine, mongodb, cassandra })
}

fn on_mongodb(on: &MongoDraft) -> Option<OnMongo> {
    let key = &on.shard_key.as_ref()?.value;
    let mut splits = Vec::with_capacity(on.splits.len());
    for split in &on.splits {
        splits.push(place(split, key, Use::Split, &mut Findings::default())?);
    }
    let mut zones = Vec::with_capacity(on.zones.len());
    for zone in &on.zones {
        zones.extend(resolve_zone(zone, key)?);
    }
    zones.sort_by(|a, b| a.from.cmp(&b.from));
    Some(OnMongo {
        shard_key: ShardKey::new(key.iter().map(|field| field.value.clone()).collect())?,
        indexes: on.indexes.iter().map(resolve_index).collect(),
        splits,
        zones,
        ttl: ttl(on.ttl.said()),
        owner_cache: on.owner_cache.as_ref().map(|said| said.value).unwrap_or_default(),
    })
}

/// A zone without shards is no zone: its range spreads over all of them.
fn resolve_zone(zone: &ZoneDraft, key: &[Said<KeyField>]) -> Option<Option<ZoneRange>> {
    let shards = zone.shards.as_ref().map_or(1, |said| said.value);
    let from = place(&zone.from, key, Use::Zone, &mut Findings::default())?;
    let to = place(&zone.to, key, Use::Zone, &mut Findings::default())?;
    Some((shards > 0).then(|| ZoneRange { name: zone.name.value.clone(), shards, from, to }))
}

fn resolve_index(index: &IndexDraft) -> Index {
    Index {
        fields: index.fields.value.iter().map(|field| field.value.clone()).collect(),
        unique: index.unique.as_ref().is_some_and(|said| said.value),
    }
}

fn on_cassandra(entity: Entity, on: &CassandraDraft) -> Option<OnCassandra> {
    let clustering = match (on.clustering_key.said(), entity) {
        (Some(key), _) => {
            key.value.iter().map(|said| (said.value.field.clone(), said.value.descending)).collect()
        }
        (None, Entity::Carts) => vec![("product_id".to_owned(), false)],
        (None, Entity::History) => vec![("created_at".to_owned(), true), ("order_id".to_owned(), false)],
        (None, _) => Vec::new(),
    };
    Some(OnCassandra {
        table: table_name(entity, on),
        by_owner: on.by_owner(),
        partition_key: on.partition_key.as_ref()?.value.iter().map(|said| said.value.clone()).collect(),
        clustering_key: clustering,
        ttl: ttl(on.ttl.said()),
        gc_grace: on.gc_grace(),
        repair: Repair { hints: on.hints(), read_repair: on.read_repair(), anti_entropy: on.anti_entropy() },
    })
}

fn ttl(said: Option<&Said<Ttl>>) -> Ttl {
    said.map(|said| said.value).unwrap_or_default()
}
