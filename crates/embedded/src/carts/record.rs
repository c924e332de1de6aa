//! One owner's cart as it is stored.

use mworld_placement::{Area, Entity, OwnerToCart, ShardId};
use mworld_shop::cart::{Buyer, Capped, Cart, CartStatus, Lines, Owner};
use mworld_shop::checkout::{ClaimNo, IdempotencyKey};
use mworld_shop::{CartId, Result, SessionId, Timestamp, UserId, Zone};
use rusqlite::Row;
use uuid::Uuid;

use crate::core::Core;
use crate::db::Db;
use crate::error::corrupt;
use crate::router::CartKey;

/// A checkout's hold on a cart.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub(crate) key: IdempotencyKey,
    pub(crate) until: Timestamp,
}

/// The owner's present cart, or the last one it had.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    /// Where it was read from; `None` if it is new.
    pub(crate) shard: Option<ShardId>,
    pub(crate) id: CartId,
    pub(crate) owner: Owner,
    pub(crate) generation: u64,
    pub(crate) session: SessionId,
    pub(crate) zone: Zone,
    pub(crate) status: CartStatus,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    pub(crate) expires_at: Option<Timestamp>,
    pub(crate) merged_into: Option<CartId>,
    pub(crate) capped: Vec<Capped>,
    /// The number of the last claim; only grows while the record lives.
    pub(crate) claim_no: ClaimNo,
    pub(crate) held: Option<Held>,
    pub(crate) lines: Lines,
}

impl Record {
    /// A new cart. Where the owner had one before, the generation follows it; else it begins with the clock, so
    /// that an owner whose record was swept away never gets an id a second time.
    pub(crate) fn begin(core: &Core, buyer: &Buyer, previous: Option<&Record>) -> Record {
        let now = core.clock.now();
        let first = now.micros().unsigned_abs();
        let generation = previous.map_or(first, |previous| first.max(previous.generation + 1));
        Record {
            shard: previous.and_then(|previous| previous.shard),
            id: buyer.owner.cart_id(generation),
            owner: buyer.owner,
            generation,
            session: buyer.session,
            zone: buyer.zone.clone(),
            status: CartStatus::Active,
            created_at: now,
            updated_at: now,
            expires_at: core.lifetimes.cart(buyer.owner, now),
            merged_into: None,
            capped: Vec::new(),
            claim_no: previous.map_or(ClaimNo(0), |previous| previous.claim_no),
            held: None,
            lines: Lines::default(),
        }
    }

    /// Whether it is the owner's cart now: expiry counts at once, whenever the sweeper comes.
    pub(crate) fn is_active(&self, now: Timestamp) -> bool {
        self.status == CartStatus::Active && self.expires_at.is_none_or(|end| end > now)
    }

    /// Moves its write time and its expiry on.
    pub(crate) fn touch(&mut self, core: &Core) -> Timestamp {
        let now = core.clock.now();
        self.updated_at = now.after(self.updated_at);
        self.expires_at = core.lifetimes.cart(self.owner, now);
        self.updated_at
    }

    /// The cart as the buyer sees it.
    pub(crate) fn view(&self, core: &Core) -> Cart {
        Cart {
            id: self.id,
            owner: self.owner,
            generation: self.generation,
            status: self.status,
            zone: self.zone.clone(),
            lines: self.lines.view(core.settings.merge_policy, core.settings.cart),
            created_at: self.created_at,
            updated_at: self.updated_at,
            expires_at: self.expires_at,
        }
    }

    fn place(&self, core: &Core) -> ShardId {
        core.router.cart(CartKey {
            owner: self.owner,
            cart_id: self.id.uuid(),
            session: self.session.uuid(),
            zone: self.zone.as_str(),
            status: self.status.name(),
        })
    }

    /// Writes it back, wherever it belongs now, and the look-up with it.
    pub(crate) fn save(&mut self, db: &Db<'_>, core: &Core) -> Result<()> {
        let shard = self.place(core);
        let owner = self.owner.key();
        if let Some(old) = self.shard.filter(|old| *old != shard) {
            db.writes(Entity::Carts.into(), old);
            db.run("DELETE FROM carts WHERE shard = ?1 AND owner = ?2", (old.0, &owner))?;
        }
        self.shard = Some(shard);
        db.writes(Entity::Carts.into(), shard);
        let json = |what, text: serde_json::Result<String>| text.map_err(|error| corrupt(what, error));
        let lines = json("cart", serde_json::to_string(&self.lines))?;
        let capped = match self.capped.as_slice() {
            [] => None,
            capped => Some(json("cart", serde_json::to_string(capped))?),
        };
        db.run(
            "INSERT INTO carts (shard, owner, cart_id, generation, user_id, session_id, zone, status, \
             created_at, updated_at, expires_at, merged_into, capped, claim_no, claim_key, claim_until, lines) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17) \
             ON CONFLICT (shard, owner) DO UPDATE SET cart_id = ?3, generation = ?4, session_id = ?6, zone = ?7, \
             status = ?8, created_at = ?9, updated_at = ?10, expires_at = ?11, merged_into = ?12, capped = ?13, \
             claim_no = ?14, claim_key = ?15, claim_until = ?16, lines = ?17",
            rusqlite::params![
                shard.0,
                owner,
                self.id.uuid().into_bytes(),
                self.generation,
                self.owner.user().map(|user| user.uuid().into_bytes()),
                self.session.uuid().into_bytes(),
                self.zone.as_str(),
                self.status.name(),
                self.created_at.micros(),
                self.updated_at.micros(),
                self.expires_at.map(Timestamp::micros),
                self.merged_into.map(|cart| cart.uuid().into_bytes()),
                capped,
                self.claim_no.0,
                self.held.as_ref().map(|held| held.key.as_str()),
                self.held.as_ref().map(|held| held.until.micros()),
                lines
            ],
        )?;
        self.save_look_up(db, core)
    }

    fn save_look_up(&self, db: &Db<'_>, core: &Core) -> Result<()> {
        if core.router.owner_to_cart() == OwnerToCart::Computed {
            return Ok(());
        }
        let shard = core.router.cart_owner(self.owner);
        db.writes(Area::CartOwners, shard);
        db.run(
            "INSERT OR REPLACE INTO cart_owners (shard, owner, cart_id, session_id, zone, status) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            (
                shard.0,
                self.owner.key(),
                self.id.uuid().into_bytes(),
                self.session.uuid().into_bytes(),
                self.zone.as_str(),
                self.status.name(),
            ),
        )?;
        Ok(())
    }
}

/// The owner's record, if there is one.
pub(crate) fn load(db: &Db<'_>, core: &Core, owner: Owner) -> Result<Option<Record>> {
    let Some(shard) = locate(db, core, owner)? else {
        return Ok(None);
    };
    db.reads(Entity::Carts.into(), shard);
    let row = db.one(
        "SELECT shard, owner, cart_id, generation, user_id, session_id, zone, status, created_at, updated_at, \
         expires_at, merged_into, capped, claim_no, claim_key, claim_until, lines \
         FROM carts WHERE shard = ?1 AND owner = ?2",
        (shard.0, owner.key()),
        |row| Ok(read(row)),
    )?;
    row.transpose()
}

/// Where the owner's record lies.
fn locate(db: &Db<'_>, core: &Core, owner: Owner) -> Result<Option<ShardId>> {
    if core.router.owner_to_cart() == OwnerToCart::Computed {
        return Ok(Some(core.router.cart_of_owner(owner)));
    }
    let shard = core.router.cart_owner(owner);
    db.reads(Area::CartOwners, shard);
    let found: Option<([u8; 16], [u8; 16], String, String)> = db.one(
        "SELECT cart_id, session_id, zone, status FROM cart_owners WHERE shard = ?1 AND owner = ?2",
        (shard.0, owner.key()),
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
    )?;
    Ok(found.map(|(cart_id, session, zone, status)| {
        let (cart_id, session) = (Uuid::from_bytes(cart_id), Uuid::from_bytes(session));
        core.router.cart(CartKey { owner, cart_id, session, zone: &zone, status: &status })
    }))
}

/// Reads a row of all columns.
pub(super) fn read(row: &Row<'_>) -> Result<Record> {
    let get = |error: rusqlite::Error| crate::error::sql(error);
    let shard: u32 = row.get(0).map_err(get)?;
    let session = SessionId::from_uuid(Uuid::from_bytes(row.get(5).map_err(get)?));
    let user: Option<[u8; 16]> = row.get(4).map_err(get)?;
    let owner =
        user.map_or(Owner::Guest(session), |user| Owner::User(UserId::from_uuid(Uuid::from_bytes(user))));
    let zone: String = row.get(6).map_err(get)?;
    let status: String = row.get(7).map_err(get)?;
    let expires_at: Option<i64> = row.get(10).map_err(get)?;
    let merged_into: Option<[u8; 16]> = row.get(11).map_err(get)?;
    let capped: Option<String> = row.get(12).map_err(get)?;
    let claim_key: Option<String> = row.get(14).map_err(get)?;
    let claim_until: Option<i64> = row.get(15).map_err(get)?;
    let lines: String = row.get(16).map_err(get)?;
    let held = match (claim_key, claim_until) {
        (Some(key), Some(until)) => Some(Held {
            key: key.parse().map_err(|error| corrupt("claim", error))?,
            until: Timestamp::from_micros(until),
        }),
        _ => None,
    };
    Ok(Record {
        shard: Some(ShardId(shard)),
        id: CartId::from_uuid(Uuid::from_bytes(row.get(2).map_err(get)?)),
        owner,
        generation: row.get(3).map_err(get)?,
        session,
        zone: Zone::new(&zone).map_err(|error| corrupt("zone", error))?,
        status: match status.as_str() {
            "active" => CartStatus::Active,
            "ordered" => CartStatus::Ordered,
            "abandoned" => CartStatus::Abandoned,
            other => return Err(corrupt("cart status", other)),
        },
        created_at: Timestamp::from_micros(row.get(8).map_err(get)?),
        updated_at: Timestamp::from_micros(row.get(9).map_err(get)?),
        expires_at: expires_at.map(Timestamp::from_micros),
        merged_into: merged_into.map(|cart| CartId::from_uuid(Uuid::from_bytes(cart))),
        capped: match capped {
            None => Vec::new(),
            Some(text) => serde_json::from_str(&text).map_err(|error| corrupt("cart", error))?,
        },
        claim_no: ClaimNo(row.get(13).map_err(get)?),
        held,
        lines: serde_json::from_str(&lines).map_err(|error| corrupt("cart", error))?,
    })
}

/// Deletes records whose time is over, with their look-ups; how many. A cart that a checkout holds stays until
/// the claim is resolved.
pub(super) fn delete_expired(
    db: &Db<'_>,
    core: &Core,
    shard: ShardId,
    now: i64,
    limit: i64,
) -> Result<usize> {
    let owners: Vec<(String, Option<[u8; 16]>, [u8; 16])> = db.all(
        "SELECT owner, user_id, session_id FROM carts INDEXED BY carts_expiry WHERE shard = ?1 AND expires_at IS NOT NULL AND expires_at <= ?2 \
         AND claim_until IS NULL ORDER BY expires_at LIMIT ?3",
        (shard.0, now, limit),
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    for (key, user, session) in &owners {
        db.writes(Entity::Carts.into(), shard);
        db.run("DELETE FROM carts WHERE shard = ?1 AND owner = ?2", (shard.0, key))?;
        if core.router.owner_to_cart() == OwnerToCart::LookedUp {
            let owner = match user {
                Some(user) => Owner::User(UserId::from_uuid(Uuid::from_bytes(*user))),
                None => Owner::Guest(SessionId::from_uuid(Uuid::from_bytes(*session))),
            };
            let shard = core.router.cart_owner(owner);
            db.writes(Area::CartOwners, shard);
            db.run("DELETE FROM cart_owners WHERE shard = ?1 AND owner = ?2", (shard.0, key))?;
        }
    }
    Ok(owners.len())
}
