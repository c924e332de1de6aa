//! The way from an owner to the cart, where the cart's place does not follow from the owner: one record per owner, which
//! names the present or the last cart and every value that is needed to reach it on one shard.

use mongodb::bson::Uuid;
use mworld_placement::Area;
use mworld_shop::cart::{CartStatus, Owner};
use mworld_shop::{CartId, SessionId, Timestamp, Zone};
use serde::{Deserialize, Serialize};

use super::document::{number, owner_key};
use super::record::Record;
use crate::ask::Ask;
use crate::bson::{typed, uuid};
use crate::core::Core;
use crate::db::{Db, Wanted};
use crate::fault::Answer;

/// Where an owner's cart is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LookUp {
    pub(crate) owner: Owner,
    pub(crate) cart: CartId,
    pub(crate) generation: u64,
    pub(crate) session: SessionId,
    pub(crate) zone: Zone,
    /// The cart's status, if carts are placed by it.
    pub(crate) status: Option<CartStatus>,
}

/// A look-up as the cluster keeps it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OwnerDocument {
    /// Guests and users may have the same number, so the id says which it is.
    #[serde(rename = "_id")]
    id: String,
    owner_key: Uuid,
    user_id: Option<Uuid>,
    cart_id: Uuid,
    generation: i64,
    session_id: Uuid,
    geo_zone: Zone,
    status: Option<CartStatus>,
    /// When it is worth looking whether the cart is still there; absent if carts of this owner have no end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) due: Option<Timestamp>,
}

impl LookUp {
    /// The way to this cart.
    pub(super) fn to(core: &Core, record: &Record) -> LookUp {
        LookUp {
            owner: record.owner,
            cart: record.id,
            generation: record.generation,
            session: record.session,
            zone: record.zone.clone(),
            status: places_by_status(core).then_some(record.status),
        }
    }
}

impl OwnerDocument {
    pub(super) fn of(look_up: &LookUp, due: Option<Timestamp>) -> OwnerDocument {
        OwnerDocument {
            id: look_up.owner.key(),
            owner_key: typed(owner_key(look_up.owner)),
            user_id: look_up.owner.user().map(|user| typed(user.uuid())),
            cart_id: typed(look_up.cart.uuid()),
            generation: number(look_up.generation),
            session_id: typed(look_up.session.uuid()),
            geo_zone: look_up.zone.clone(),
            status: look_up.status,
            due,
        }
    }

    pub(super) fn read(self) -> LookUp {
        LookUp {
            owner: owner(self.user_id, self.owner_key),
            cart: CartId::from_uuid(uuid(self.cart_id)),
            generation: self.generation.unsigned_abs(),
            session: SessionId::from_uuid(uuid(self.session_id)),
            zone: self.geo_zone,
            status: self.status,
        }
    }
}

/// Whose record it is, by two of its fields.
pub(super) fn owner(user: Option<Uuid>, owner_key: Uuid) -> Owner {
    match user {
        Some(user) => Owner::User(mworld_shop::UserId::from_uuid(uuid(user))),
        None => Owner::Guest(SessionId::from_uuid(uuid(owner_key))),
    }
}

/// Whether a cart's place changes with its status: all else that a layout may place a cart by stays as it was begun.
pub(super) fn places_by_status(core: &Core) -> bool {
    let carts = core.layout.entities.get(&mworld_placement::Entity::Carts);
    let on = carts.and_then(|placed| placed.mongodb.as_ref());
    on.is_some_and(|on| on.shard_key.fields().iter().any(|field| field.name == "status"))
}

/// The owner's look-up, whatever it says.
pub(super) fn of(owner: Owner) -> Ask {
    Ask::of(Area::CartOwners).known("owner_key", owner.key())
}

/// The owner's look-up, if it still names that cart.
pub(super) fn naming(owner: Owner, cart: CartId) -> Ask {
    of(owner).also("cart_id", typed(cart.uuid()))
}

/// Looks the owner up, on the primary: a look-up that lags would lead to a cart that is gone.
pub(super) async fn look_up(db: &mut Db, owner: Owner) -> Answer<Option<LookUp>> {
    let found: Option<OwnerDocument> = db.one_from_primary(&of(owner), Wanted::default()).await?;
    Ok(found.map(OwnerDocument::read))
}
