//! Sessions: found by id, believed by the digest of their token.

use std::sync::Arc;

use async_trait::async_trait;
use mworld_placement::{Entity, ShardId};
use mworld_shop::ports::Sessions;
use mworld_shop::session::{NewSession, Session, SessionStatus, TokenDigest};
use mworld_shop::{Operation, Refusal, Result, SessionId, Timestamp, UserId, Zone};
use uuid::Uuid;

use crate::core::Core;
use crate::db::Db;
use crate::engine::Engine;
use crate::error::corrupt;
use mworld_placement::touched::{Kind, Touch};

/// A session as it is stored.
pub(crate) struct SessionRecord {
    shard: ShardId,
    /// The shards that one goes to who knows its id.
    on_route: Vec<ShardId>,
    digest: TokenDigest,
    session: Session,
}

/// About how many bytes a session takes in memory.
const WEIGHT: usize = 500;

type Columns =
    ([u8; 32], Option<[u8; 16]>, String, String, Option<String>, Option<String>, i64, i64, Option<i64>);

/// The session, open and in time, if there is one.
fn load(db: &Db<'_>, core: &Core, id: SessionId) -> Result<Option<SessionRecord>> {
    let mut found = None;
    let on_route: Vec<ShardId> = core.router.find_session(id).shards().collect();
    for &shard in &on_route {
        db.reads(Entity::Sessions.into(), shard);
        let columns: Option<Columns> = db.one(
            "SELECT digest, user_id, zone, status, ip, user_agent, created_at, last_active, expires_at \
             FROM sessions WHERE shard = ?1 AND session_id = ?2",
            (shard.0, id.uuid().into_bytes()),
            |row| {
                Ok((
                    row.get(0)?,
                    row.get(1)?,
                    row.get(2)?,
                    row.get(3)?,
                    row.get(4)?,
                    row.get(5)?,
                    row.get(6)?,
                    row.get(7)?,
                    row.get(8)?,
                ))
            },
        )?;
        if let Some(columns) = columns {
            found = Some(read(shard, id, columns)?);
        }
    }
    let open = found.filter(|record: &SessionRecord| is_open(&record.session, core.clock.now()));
    Ok(open.map(|record| SessionRecord { on_route, ..record }))
}

/// The session, read from a snapshot and kept in memory.
fn fetch(db: &Db<'_>, core: &Core, id: SessionId) -> Result<Option<Arc<SessionRecord>>> {
    let Some(record) = load(db, core, id)?.map(Arc::new) else {
        return Ok(None);
    };
    if let Some(snapshot) = db.snapshot() {
        core.sessions.keep(id.uuid(), &record, WEIGHT, snapshot);
    }
    Ok(Some(record))
}

fn read(shard: ShardId, id: SessionId, columns: Columns) -> Result<SessionRecord> {
    let (digest, user, zone, status, ip, user_agent, created_at, last_active, expires_at) = columns;
    let session = Session {
        id,
        user: user.map(|user| UserId::from_uuid(Uuid::from_bytes(user))),
        zone: Zone::new(&zone).map_err(|error| corrupt("zone", error))?,
        status: if status == "active" { SessionStatus::Active } else { SessionStatus::Closed },
        ip,
        user_agent,
        created_at: Timestamp::from_micros(created_at),
        last_active: Timestamp::from_micros(last_active),
        expires_at: expires_at.map(Timestamp::from_micros),
    };
    Ok(SessionRecord { shard, on_route: Vec::new(), digest: TokenDigest(digest), session })
}

fn is_open(session: &Session, now: Timestamp) -> bool {
    session.status == SessionStatus::Active && session.expires_at.is_none_or(|end| end > now)
}

impl Engine {
    /// The session from memory, if it is there and open; counted where it lies, as a read would be.
    fn remembered_session(&self, id: SessionId) -> Option<Arc<SessionRecord>> {
        let core = self.core();
        let record = core.sessions.get(id.uuid())?;
        let touch =
            |shard: &ShardId| Touch { area: Entity::Sessions.into(), shard: *shard, kind: Kind::Read };
        self.count(Operation::SessionTouch, &record.on_route.iter().map(touch).collect::<Vec<_>>());
        Some(record).filter(|record| is_open(&record.session, core.clock.now()))
    }
}

#[async_trait]
impl Sessions for Engine {
    async fn open(&self, session: NewSession) -> Result<Session> {
        self.write(Operation::SessionOpen, move |db, core| insert(db, core, session)).await
    }

    async fn find(&self, id: SessionId, digest: &TokenDigest) -> Result<Option<Session>> {
        let record = match self.remembered_session(id) {
            Some(record) => Some(record),
            None => self.read(Operation::SessionTouch, |db, core| fetch(db, core, id))?,
        };
        // Digests of unguessable secrets: how long the comparison takes tells nobody anything about a token.
        Ok(record.filter(|record| record.digest == *digest).map(|record| record.session.clone()))
    }

    async fn touch(&self, id: SessionId) -> Result<()> {
        self.write(Operation::SessionTouch, move |db, core| {
            let Some(record) = load(db, core, id)? else { return Ok(()) };
            let now = core.clock.now();
            db.changes(id.uuid());
            db.writes(Entity::Sessions.into(), record.shard);
            db.run(
                "UPDATE sessions SET last_active = ?3, expires_at = ?4 WHERE shard = ?1 AND session_id = ?2",
                (
                    record.shard.0,
                    id.uuid().into_bytes(),
                    now.micros(),
                    core.lifetimes.session(now).map(Timestamp::micros),
                ),
            )?;
            Ok(())
        })
        .await
    }

    async fn login(
        &self,
        id: SessionId,
        old: &TokenDigest,
        new: TokenDigest,
        user: UserId,
    ) -> Result<Session> {
        let old = *old;
        self.write(Operation::SessionLogin, move |db, core| login(db, core, id, old, new, user)).await
    }

    async fn close(&self, id: SessionId) -> Result<()> {
        self.write(Operation::SessionClose, move |db, core| {
            let Some(record) = load(db, core, id)? else { return Ok(()) };
            db.changes(id.uuid());
            db.writes(Entity::Sessions.into(), record.shard);
            db.run(
                "UPDATE sessions SET status = 'closed' WHERE shard = ?1 AND session_id = ?2",
                (record.shard.0, id.uuid().into_bytes()),
            )?;
            Ok(())
        })
        .await
    }

    async fn expire(&self, limit: usize) -> Result<usize> {
        self.write(Operation::SessionClose, move |db, core| {
            let mut deleted = 0;
            for shard in core.router.every(Entity::Sessions) {
                let wanted = i64::try_from(limit - deleted).unwrap_or(i64::MAX);
                deleted += db.run(
                    "DELETE FROM sessions WHERE shard = ?1 AND session_id IN (SELECT session_id FROM sessions INDEXED BY sessions_expiry \
                     WHERE shard = ?1 AND expires_at IS NOT NULL AND expires_at <= ?2 ORDER BY expires_at LIMIT ?3)",
                    (shard.0, core.clock.now().micros(), wanted),
                )?;
            }
            Ok(deleted)
        }).await
    }
}

fn insert(db: &Db<'_>, core: &Core, new: NewSession) -> Result<Session> {
    let now = core.clock.now();
    let session = Session {
        id: new.id,
        user: None,
        zone: new.zone,
        status: SessionStatus::Active,
        ip: new.ip,
        user_agent: new.user_agent,
        created_at: now,
        last_active: now,
        expires_at: core.lifetimes.session(now),
    };
    let shard = core.router.session(session.id, None, &session.zone);
    db.changes(session.id.uuid());
    db.writes(Entity::Sessions.into(), shard);
    db.run(
        "INSERT INTO sessions (shard, session_id, digest, zone, status, ip, user_agent, created_at, last_active, expires_at) \
         VALUES (?1, ?2, ?3, ?4, 'active', ?5, ?6, ?7, ?7, ?8)",
        (
            shard.0,
            session.id.uuid().into_bytes(),
            new.digest.0,
            session.zone.as_str(),
            &session.ip,
            &session.user_agent,
            now.micros(),
            session.expires_at.map(Timestamp::micros),
        ),
    )?;
    Ok(session)
}

fn login(
    db: &Db<'_>,
    core: &Core,
    id: SessionId,
    old: TokenDigest,
    new: TokenDigest,
    user: UserId,
) -> Result<Session> {
    let record = load(db, core, id)?.filter(|record| record.digest == old).ok_or(Refusal::SessionOver)?;
    let now = core.clock.now();
    let session = Session {
        user: Some(user),
        last_active: now,
        expires_at: core.lifetimes.session(now),
        ..record.session
    };
    let target = core.router.session(id, Some(user), &session.zone);
    db.changes(id.uuid());
    db.writes(Entity::Sessions.into(), record.shard);
    db.writes(Entity::Sessions.into(), target);
    db.run(
        "UPDATE sessions SET shard = ?3, digest = ?4, user_id = ?5, last_active = ?6, expires_at = ?7 \
         WHERE shard = ?1 AND session_id = ?2",
        (
            record.shard.0,
            id.uuid().into_bytes(),
            target.0,
            new.0,
            user.uuid().into_bytes(),
            now.micros(),
            session.expires_at.map(Timestamp::micros),
        ),
    )?;
    Ok(session)
}
