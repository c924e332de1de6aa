//! Sessions: found by id, believed by the digest of their token. The server deletes those whose time is over; the shop
//! does not see them any more from that moment on.

use async_trait::async_trait;
use mongodb::bson::spec::BinarySubtype;
use mongodb::bson::{Binary, Bson, DateTime, Uuid, doc};
use mworld_placement::{Entity, Value};
use mworld_shop::ports::Sessions;
use mworld_shop::session::{NewSession, Session, SessionStatus, TokenDigest};
use mworld_shop::{Operation, Refusal, Result, SessionId, Timestamp, UserId, Zone};
use serde::{Deserialize, Serialize};

use crate::ask::Ask;
use crate::bson::{deletion, id, typed, uuid};
use crate::db::{Db, Wanted};
use crate::engine::Engine;
use crate::fault::Answer;
use crate::tries::{TRANSACTION, Tries};

/// A session as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct SessionRecord {
    #[serde(rename = "_id")]
    id: Uuid,
    digest: Binary,
    user_id: Option<Uuid>,
    geo_zone: Zone,
    status: SessionStatus,
    ip: Option<String>,
    user_agent: Option<String>,
    created_at: Timestamp,
    last_active: Timestamp,
    expires_at: Option<Timestamp>,
    /// When the server may delete it.
    expires: Option<DateTime>,
}

impl SessionRecord {
    fn read(self) -> Session {
        Session {
            id: SessionId::from_uuid(uuid(self.id)),
            user: self.user_id.map(|user| UserId::from_uuid(uuid(user))),
            zone: self.geo_zone,
            status: self.status,
            ip: self.ip,
            user_agent: self.user_agent,
            created_at: self.created_at,
            last_active: self.last_active,
            expires_at: self.expires_at,
        }
    }

    /// The question for this very record: everything that a layout may place it by.
    fn place(&self) -> Ask {
        by_id(SessionId::from_uuid(uuid(self.id)))
            .known("user_id", self.user_id.map_or(Value::Null, |user| uuid(user).into()))
            .known("geo_zone", self.geo_zone.as_str())
    }

    fn is_open(&self, now: Timestamp) -> bool {
        self.status == SessionStatus::Active && self.expires_at.is_none_or(|end| end > now)
    }
}

fn by_id(session: SessionId) -> Ask {
    Ask::of(Entity::Sessions).known("session_id", session.uuid())
}

fn binary(digest: &TokenDigest) -> Binary {
    Binary { subtype: BinarySubtype::Generic, bytes: digest.0.to_vec() }
}

/// The record, open and in time, if there is one.
async fn load(db: &mut Db, session: SessionId) -> Answer<Option<SessionRecord>> {
    let found: Option<SessionRecord> = db.one(&by_id(session), Wanted::default()).await?;
    Ok(found.filter(|record| record.is_open(db.core.clock.now())))
}

/// Only while it is open and not over; `load` has said so, but a moment ago.
fn still_open(record: &SessionRecord) -> Ask {
    let ask = record.place().also("status", "active");
    match record.expires_at {
        // What was over by then could only have been touched before, and would end later.
        Some(end) => ask.also("expires_at", doc! { "$gte": end.micros() }),
        None => ask,
    }
}

#[async_trait]
impl Sessions for Engine {
    async fn open(&self, session: NewSession) -> Result<Session> {
        self.run(Operation::SessionOpen, |mut db| async move { open(&mut db, session).await }).await
    }

    async fn find(&self, id: SessionId, digest: &TokenDigest) -> Result<Option<Session>> {
        let found = self.run(Operation::SessionTouch, move |mut db| async move { load(&mut db, id).await });
        // Digests of unguessable secrets: how long the comparison takes tells nobody anything about a token.
        let own = |record: &SessionRecord| record.digest.bytes == digest.0;
        Ok(found.await?.filter(own).map(SessionRecord::read))
    }

    async fn touch(&self, id: SessionId) -> Result<()> {
        self.run(Operation::SessionTouch, move |mut db| async move {
            let Some(record) = load(&mut db, id).await? else { return Ok(()) };
            let now = db.core.clock.now();
            let end = db.core.lifetimes.session(now);
            let change = doc! {
                "last_active": now.micros(),
                "expires_at": end.map(Timestamp::micros),
                "expires": deletion(end),
            };
            // One who was faster has moved it on as well, or has logged in: then this use counts as theirs.
            db.update(&still_open(&record), doc! { "$set": change }).await.map(drop)
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
        self.run(
            Operation::SessionLogin,
            move |mut db| async move { login(&mut db, id, &old, &new, user).await },
        )
        .await
    }

    async fn close(&self, id: SessionId) -> Result<()> {
        self.run(Operation::SessionClose, move |mut db| async move { close(&mut db, id).await }).await
    }

    async fn expire(&self, limit: usize) -> Result<usize> {
        self.run(Operation::SessionClose, move |mut db| async move { expire(&mut db, limit).await }).await
    }
}

async fn open(db: &mut Db, new: NewSession) -> Answer<Session> {
    let now = db.core.clock.now();
    let end = db.core.lifetimes.session(now);
    let record = SessionRecord {
        id: typed(new.id.uuid()),
        digest: binary(&new.digest),
        user_id: None,
        geo_zone: new.zone,
        status: SessionStatus::Active,
        ip: new.ip,
        user_agent: new.user_agent,
        created_at: now,
        last_active: now,
        expires_at: end,
        expires: deletion(end),
    };
    db.insert(&record.place(), &record).await?;
    Ok(record.read())
}

/// The filter names the old token, so that of many logins with it one finds the session. The user may be part of the
/// key: the cluster moves the record then, and whoever meets such a move looks again.
async fn login(
    db: &mut Db,
    session: SessionId,
    old: &TokenDigest,
    new: &TokenDigest,
    user: UserId,
) -> Answer<Session> {
    let mut tries = Tries::within(TRANSACTION);
    loop {
        let record = load(db, session).await?.filter(|record| record.digest.bytes == old.0);
        let record = record.ok_or(Refusal::SessionOver)?;
        let now = db.core.clock.now();
        let end = db.core.lifetimes.session(now);
        let change = doc! {
            "digest": Bson::Binary(binary(new)),
            "user_id": id(user.uuid()),
            "last_active": now.micros(),
            "expires_at": end.map(Timestamp::micros),
            "expires": deletion(end),
        };
        let own = still_open(&record).also("digest", Bson::Binary(record.digest.clone()));
        match db.changed::<SessionRecord>(&own, doc! { "$set": change }, None).await {
            Ok(Some(changed)) => return Ok(changed.read()),
            Err(fault) if !fault.is_transient() => return Err(fault),
            Ok(None) | Err(_) if tries.again().await => {}
            Ok(None) => return Err(Refusal::SessionOver.into()),
            Err(fault) => return Err(fault),
        }
    }
}

/// A login may move the record between the look and the write: then it is looked for again.
async fn close(db: &mut Db, session: SessionId) -> Answer<()> {
    let mut tries = Tries::within(TRANSACTION);
    loop {
        let Some(record) = load(db, session).await? else { return Ok(()) };
        let done = db.update(&record.place(), doc! { "$set": { "status": "closed" } }).await;
        match done {
            Ok(true) => return Ok(()),
            Err(fault) if !fault.is_transient() => return Err(fault),
            Ok(false) | Err(_) if tries.again().await => {}
            Ok(false) => return Ok(()),
            Err(fault) => return Err(fault),
        }
    }
}

/// The server's own deletion is the rule and runs by itself; this finishes by the shop's clock.
async fn expire(db: &mut Db, limit: usize) -> Answer<usize> {
    let now = db.core.clock.now();
    let over = doc! { "$lte": now.micros() };
    let ask = Ask::of(Entity::Sessions)
        .also("expires", doc! { "$lte": deletion(Some(now)) })
        .also("expires_at", over.clone());
    let wanted = Wanted {
        sort: Some(doc! { "expires": 1 }),
        limit: Some(i64::try_from(limit).unwrap_or(i64::MAX)),
        projection: None,
    };
    let mut deleted = 0;
    for record in db.all::<SessionRecord>(&ask, wanted).await? {
        deleted += usize::from(db.delete(&record.place().also("expires_at", over.clone())).await?);
    }
    Ok(deleted)
}
