//! A cart as the cluster keeps it. One document per owner where the owner decides its place, so that there can be only
//! one; else one per cart, found through its owner's look-up.

use mongodb::bson::{Bson, DateTime, Uuid};
use mworld_placement::OwnerToCart;
use mworld_shop::cart::{Capped, CappedWhy, CartStatus, Lines, Owner, StoredLine};
use mworld_shop::checkout::{ClaimNo, IdempotencyKey};
use mworld_shop::{CartId, Category, Currency, Money, ProductId, SessionId, Timestamp, Zone};
use serde::{Deserialize, Serialize};

use super::owners::owner;
use super::record::{Held, Record};
use crate::bson::{deletion, id, typed, uuid};
use crate::collection::Shape;
use crate::fault::{Answer, corrupt};

/// The document of a cart. Every field that a layout may place by is there, for whoever owns it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CartDocument {
    #[serde(rename = "_id")]
    id: Bson,
    cart_id: Uuid,
    owner_key: Uuid,
    user_id: Option<Uuid>,
    session_id: Uuid,
    geo_zone: Zone,
    status: CartStatus,
    generation: i64,
    version: i64,
    created_at: Timestamp,
    updated_at: Timestamp,
    expires_at: Option<Timestamp>,
    /// When the server may delete it: never while a checkout holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<DateTime>,
    merged_into: Option<Uuid>,
    capped: Vec<CappedDocument>,
    claim_no: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<ClaimDocument>,
    lines: Vec<LineDocument>,
}

#[derive(Debug, Serialize, Deserialize)]
struct ClaimDocument {
    key: IdempotencyKey,
    until: Timestamp,
}

#[derive(Debug, Serialize, Deserialize)]
struct CappedDocument {
    product_id: Uuid,
    wanted: i64,
    kept: i64,
    why: CappedWhy,
}

#[derive(Debug, Serialize, Deserialize)]
struct LineDocument {
    product_id: Uuid,
    source: Option<Uuid>,
    category: Category,
    name: String,
    price: i64,
    currency: Currency,
    quantity: i64,
    added_at: Timestamp,
    put_at: Timestamp,
}

/// The user if there is one, else the session: so a user's cart lies beside the user's orders where both are hashed
/// by it.
pub(super) fn owner_key(owner: Owner) -> uuid::Uuid {
    match owner {
        Owner::Guest(session) => session.uuid(),
        Owner::User(user) => user.uuid(),
    }
}

/// A number that was a `u64` and never grows beyond what BSON can hold: it counts, or it is a time.
pub(super) fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

impl CartDocument {
    /// The document that the record becomes by being written.
    pub(super) fn of(record: &Record, shape: Shape) -> CartDocument {
        let free = record.held.is_none();
        CartDocument {
            id: match shape.owner_to_cart {
                OwnerToCart::Computed => Bson::String(record.owner.key()),
                OwnerToCart::LookedUp => id(record.id.uuid()),
            },
            cart_id: typed(record.id.uuid()),
            owner_key: typed(owner_key(record.owner)),
            user_id: record.owner.user().map(|user| typed(user.uuid())),
            session_id: typed(record.session.uuid()),
            geo_zone: record.zone.clone(),
            status: record.status,
            generation: number(record.generation),
            version: record.version + 1,
            created_at: record.created_at,
            updated_at: record.updated_at,
            expires_at: record.expires_at,
            expires: deletion(record.expires_at.filter(|_| free)),
            merged_into: record.merged_into.map(|cart| typed(cart.uuid())),
            capped: record.capped.iter().map(CappedDocument::of).collect(),
            claim_no: number(record.claim_no.0),
            claim: record
                .held
                .as_ref()
                .map(|held| ClaimDocument { key: held.key.clone(), until: held.until }),
            lines: record.lines.stored().iter().map(LineDocument::of).collect(),
        }
    }

    pub(super) fn read(self) -> Answer<Record> {
        let lines: Vec<StoredLine> =
            self.lines.into_iter().map(LineDocument::read).collect::<Answer<Vec<_>>>()?;
        Ok(Record {
            id: CartId::from_uuid(uuid(self.cart_id)),
            owner: owner(self.user_id, self.owner_key),
            generation: self.generation.unsigned_abs(),
            version: self.version,
            session: SessionId::from_uuid(uuid(self.session_id)),
            zone: self.geo_zone,
            status: self.status,
            created_at: self.created_at,
            updated_at: self.updated_at,
            expires_at: self.expires_at,
            merged_into: self.merged_into.map(|cart| CartId::from_uuid(uuid(cart))),
            capped: self.capped.into_iter().map(CappedDocument::read).collect::<Answer<Vec<_>>>()?,
            claim_no: ClaimNo(self.claim_no.unsigned_abs()),
            held: self.claim.map(|claim| Held { key: claim.key, until: claim.until }),
            lines: Lines::from_stored(lines),
        })
    }
}

fn pieces(quantity: i64) -> Answer<u32> {
    u32::try_from(quantity).map_err(|_| corrupt("cart", format!("{quantity} is no number of pieces")))
}

impl CappedDocument {
    fn of(capped: &Capped) -> CappedDocument {
        CappedDocument {
            product_id: typed(capped.product_id.uuid()),
            wanted: capped.wanted.into(),
            kept: capped.kept.into(),
            why: capped.why,
        }
    }

    fn read(self) -> Answer<Capped> {
        Ok(Capped {
            product_id: ProductId::from_uuid(uuid(self.product_id)),
            wanted: pieces(self.wanted)?,
            kept: pieces(self.kept)?,
            why: self.why,
        })
    }
}

impl LineDocument {
    fn of(line: &StoredLine) -> LineDocument {
        LineDocument {
            product_id: typed(line.product_id.uuid()),
            source: line.source.map(|cart| typed(cart.uuid())),
            category: line.category.clone(),
            name: line.name.clone(),
            price: line.price.amount(),
            currency: line.price.currency(),
            quantity: line.quantity.into(),
            added_at: line.added_at,
            put_at: line.put_at,
        }
    }

    fn read(self) -> Answer<StoredLine> {
        Ok(StoredLine {
            product_id: ProductId::from_uuid(uuid(self.product_id)),
            source: self.source.map(|cart| CartId::from_uuid(uuid(cart))),
            category: self.category,
            name: self.name,
            price: Money::new(self.price, self.currency).map_err(|error| corrupt("price", error))?,
            quantity: pieces(self.quantity)?,
            added_at: self.added_at,
            put_at: self.put_at,
        })
    }
}
