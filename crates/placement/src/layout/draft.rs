//! A layout as its files say it: every part typed, with the place where it stands, and not yet judged.

use std::collections::BTreeMap;
use std::time::Duration;

use super::model::{AntiEntropy, Engine, Form, Ttl};
use super::source::{At, Part, Said};
use crate::entity::Entity;
use crate::key::KeyField;
use crate::value::Value;

/// A whole layout.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) form: Part<Form>,
    pub(crate) entities: BTreeMap<Entity, EntityDraft>,
    pub(crate) policy: BTreeMap<&'static str, PolicyDraft>,
    pub(crate) ring: RingDraft,
}

/// An entity's table.
#[derive(Debug)]
pub(crate) struct EntityDraft {
    /// The table's name in its file.
    pub(crate) at: At,
    pub(crate) engine: Part<Engine>,
    pub(crate) mongodb: Option<MongoDraft>,
    pub(crate) cassandra: Option<CassandraDraft>,
}

/// An entity's `mongodb` table.
#[derive(Debug)]
pub(crate) struct MongoDraft {
    pub(crate) at: At,
    pub(crate) shard_key: Option<Said<Vec<Said<KeyField>>>>,
    pub(crate) indexes: Vec<IndexDraft>,
    pub(crate) splits: Vec<Said<Vec<Said<Bound>>>>,
    pub(crate) zones: Vec<ZoneDraft>,
    pub(crate) ttl: Part<Ttl>,
    pub(crate) owner_cache: Option<Said<Duration>>,
}

/// A component of a split point or of a zone's bound, before it is known which field it stands for.
#[derive(Debug, Clone)]
pub(crate) enum Bound {
    Text(String),
    Whole(i64),
}

/// A secondary index.
#[derive(Debug)]
pub(crate) struct IndexDraft {
    pub(crate) fields: Said<Vec<Said<String>>>,
    pub(crate) unique: Option<Said<bool>>,
}

/// A zone.
#[derive(Debug)]
pub(crate) struct ZoneDraft {
    pub(crate) at: At,
    pub(crate) name: Said<String>,
    pub(crate) shards: Option<Said<u32>>,
    pub(crate) from: Said<Vec<Said<Bound>>>,
    pub(crate) to: Said<Vec<Said<Bound>>>,
}

/// A zone whose bounds are values of the key's fields.
#[derive(Debug)]
pub(crate) struct PlacedZone<'a> {
    pub(crate) zone: &'a ZoneDraft,
    pub(crate) from: Vec<Value>,
    pub(crate) to: Vec<Value>,
}

/// An entity's `cassandra` table.
#[derive(Debug)]
pub(crate) struct CassandraDraft {
    pub(crate) at: At,
    pub(crate) table: Option<Said<String>>,
    pub(crate) by_owner: Option<Said<bool>>,
    pub(crate) partition_key: Option<Said<Vec<Said<String>>>>,
    pub(crate) clustering_key: Part<Vec<Said<Clustering>>>,
    pub(crate) ttl: Part<Ttl>,
    pub(crate) gc_grace: Option<Said<Duration>>,
    pub(crate) hints: Option<Said<bool>>,
    pub(crate) read_repair: Option<Said<bool>>,
    /// `Some(None)` is `anti_entropy = false`.
    pub(crate) anti_entropy: Option<Said<Option<AntiEntropy>>>,
}

/// A field of a clustering key.
#[derive(Debug, Clone)]
pub(crate) struct Clustering {
    pub(crate) field: String,
    pub(crate) descending: bool,
}

/// An operation's policy.
#[derive(Debug)]
pub(crate) struct PolicyDraft {
    pub(crate) read: Option<Said<&'static str>>,
    pub(crate) read_concern: Option<Said<&'static str>>,
    pub(crate) write: Option<Said<String>>,
    pub(crate) max_age: Option<Said<Duration>>,
    pub(crate) consistency: Option<Said<&'static str>>,
}

/// The table `cassandra`.
#[derive(Debug)]
pub(crate) struct RingDraft {
    pub(crate) replication: Said<BTreeMap<String, Said<u32>>>,
    pub(crate) max_hint_window: Duration,
    pub(crate) hinted_handoff_throttle: u64,
}

/// What a table has that does not say.
pub(crate) const DEFAULT_GC_GRACE: Duration = Duration::from_secs(10 * 24 * 60 * 60);

/// How often tables are compared that do not say.
pub(crate) const DEFAULT_ANTI_ENTROPY: AntiEntropy =
    AntiEntropy { every: Duration::from_secs(7 * 24 * 60 * 60), full: true, at_minute: None };

impl EntityDraft {
    /// The engine in force: the one named, else the only one that has a table.
    pub(crate) fn engine_in_force(&self) -> Option<Engine> {
        match (&self.engine, &self.mongodb, &self.cassandra) {
            (Part::Said(engine), _, _) => Some(engine.value),
            (Part::Absent, Some(_), None) => Some(Engine::MongoDb),
            (Part::Absent, None, Some(_)) => Some(Engine::Cassandra),
            (Part::Absent | Part::Unreadable, _, _) => None,
        }
    }

    /// How long its records live on the engine in force, and where that is said. `None` if that
    /// cannot be told.
    pub(crate) fn ttl_in_force(&self) -> Option<Said<Ttl>> {
        let (ttl, at) = match self.engine_in_force()? {
            Engine::MongoDb => self.mongodb.as_ref().map(|on| (&on.ttl, &on.at))?,
            Engine::Cassandra => self.cassandra.as_ref().map(|on| (&on.ttl, &on.at))?,
        };
        match ttl {
            Part::Said(ttl) => Some(ttl.clone()),
            Part::Absent => Some(Said::new(Ttl::default(), at)),
            Part::Unreadable => None,
        }
    }
}

impl CassandraDraft {
    pub(crate) fn gc_grace(&self) -> Duration {
        self.gc_grace.as_ref().map_or(DEFAULT_GC_GRACE, |said| said.value)
    }

    pub(crate) fn hints(&self) -> bool {
        self.hints.as_ref().is_none_or(|said| said.value)
    }

    pub(crate) fn read_repair(&self) -> bool {
        self.read_repair.as_ref().is_none_or(|said| said.value)
    }

    pub(crate) fn anti_entropy(&self) -> Option<AntiEntropy> {
        self.anti_entropy.as_ref().map_or(Some(DEFAULT_ANTI_ENTROPY), |said| said.value.clone())
    }

    pub(crate) fn by_owner(&self) -> bool {
        self.by_owner.as_ref().is_some_and(|said| said.value)
    }
}
