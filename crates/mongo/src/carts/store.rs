//! Reading an owner's cart and writing it back. A write holds only if everything is still as it was read, and says
//! [`Fault::Overtaken`] if not.

use std::sync::Arc;

use mworld_placement::{Entity, OwnerToCart, Value};
use mworld_shop::cart::Owner;

use super::document::{CartDocument, owner_key};
use super::owners::{self, LookUp, OwnerDocument, look_up, places_by_status};
use super::record::{Record, Seen};
use crate::ask::Ask;
use crate::core::Core;
use crate::db::{Db, Wanted};
use crate::fault::{Answer, Fault};

/// An owner's carts, by what follows from the owner.
fn of_owner(owner: Owner) -> Ask {
    let user = owner.user().map_or(Value::Null, |user| Value::Uuid(user.uuid()));
    Ask::of(Entity::Carts).known("owner_key", owner_key(owner)).known("user_id", user)
}

/// The one document of an owner, where the owner decides its place.
fn only_one(owner: Owner) -> Ask {
    of_owner(owner).also("_id", owner.key())
}

/// The cart that a look-up names.
pub(super) fn at(look_up: &LookUp) -> Ask {
    let ask = of_owner(look_up.owner)
        .known("cart_id", look_up.cart.uuid())
        .known("session_id", look_up.session.uuid())
        .known("geo_zone", look_up.zone.as_str());
    match look_up.status {
        Some(status) => ask.known("status", status.name()),
        None => ask,
    }
}

/// This cart, wherever it lies.
pub(super) fn place(core: &Core, record: &Record) -> Ask {
    match core.shape.owner_to_cart {
        OwnerToCart::Computed => only_one(record.owner).known("cart_id", record.id.uuid()),
        OwnerToCart::LookedUp => at(&LookUp::to(core, record)),
    }
}

/// This cart, if it is still as it was read.
pub(super) fn unchanged(core: &Core, record: &Record) -> Ask {
    place(core, record).also("version", record.version)
}

/// Who is asked for a cart.
#[derive(Debug, Clone, Copy)]
enum From {
    /// Whoever the operation's policy allows.
    Anyone,
    /// The primary.
    Primary,
}

async fn find(db: &mut Db, ask: &Ask, from: From) -> Answer<Option<Record>> {
    let found: Option<CartDocument> = match from {
        From::Anyone => db.one(ask, Wanted::default()).await?,
        From::Primary => db.one_from_primary(ask, Wanted::default()).await?,
    };
    found.map(CartDocument::read).transpose()
}

/// The cart that a look-up names, if it is there.
pub(super) async fn named(db: &mut Db, look_up: &LookUp) -> Answer<Option<Record>> {
    find(db, &at(look_up), From::Primary).await
}

/// What there is of an owner, for somebody who only looks.
pub(super) async fn show(db: &mut Db, owner: Owner) -> Answer<Seen> {
    read(db, owner, From::Anyone).await
}

/// What there is of an owner, for somebody who decides by it.
pub(super) async fn load(db: &mut Db, owner: Owner) -> Answer<Seen> {
    read(db, owner, From::Primary).await
}

async fn read(db: &mut Db, owner: Owner, from: From) -> Answer<Seen> {
    let core = Arc::clone(&db.core);
    if core.shape.owner_to_cart == OwnerToCart::Computed {
        return Ok(Seen { look_up: None, record: find(db, &only_one(owner), from).await? });
    }
    let mut next = core.kept.get(owner, core.clock.now());
    let mut missed = None;
    loop {
        let known = match next.take() {
            Some(kept) => kept,
            None => match look_up(db, owner).await? {
                Some(found) => found,
                None => return Ok(Seen::default()),
            },
        };
        // The same answer twice, and no cart there: its time was over and it is gone.
        if missed.as_ref() == Some(&known) {
            core.kept.forget(owner);
            return Ok(Seen { look_up: Some(known), record: None });
        }
        if let Some(record) = find(db, &at(&known), from).await? {
            core.kept.keep(&known, core.clock.now());
            return Ok(Seen { look_up: Some(known), record: Some(record) });
        }
        missed = Some(known);
    }
}

/// Whether writing `next` is one command, so that no transaction is needed.
pub(super) fn is_one_write(core: &Core, seen: &Seen, next: &Record) -> bool {
    core.shape.owner_to_cart == OwnerToCart::Computed
        || seen.record.as_ref().is_some_and(|old| stays(core, old, next))
}

/// Whether it is the same document before and after.
fn stays(core: &Core, old: &Record, next: &Record) -> bool {
    match core.shape.owner_to_cart {
        OwnerToCart::Computed => true,
        OwnerToCart::LookedUp => old.id == next.id && (old.status == next.status || !places_by_status(core)),
    }
}

/// Writes `next` in the place of what was seen. Unless it is one write, this belongs into a transaction.
pub(super) async fn write(db: &mut Db, seen: &Seen, next: &Record) -> Answer<()> {
    let core = Arc::clone(&db.core);
    let document = CartDocument::of(next, core.shape);
    match &seen.record {
        Some(old) if stays(&core, old, next) => must(db.replace(&unchanged(&core, old), &document).await?),
        Some(old) => {
            point(db, seen, next).await?;
            must(db.delete(&unchanged(&core, old)).await?)?;
            insert(db, &place(&core, next), &document).await
        }
        None => {
            if core.shape.owner_to_cart == OwnerToCart::LookedUp {
                point(db, seen, next).await?;
                // Outside a transaction one part of another's commit may be seen a moment before the rest, a look-up
                // before its cart. Inside, both are there or neither.
                if let Some(dead) = &seen.look_up {
                    must(named(db, dead).await?.is_none())?;
                }
            }
            insert(db, &place(&core, next), &document).await
        }
    }
}

/// Makes the owner's look-up name this cart. All who begin a cart for one owner write this record, so one at a time
/// succeeds.
async fn point(db: &mut Db, seen: &Seen, next: &Record) -> Answer<()> {
    let look_up = LookUp::to(&db.core, next);
    let document = OwnerDocument::of(&look_up, next.expires_at);
    match &seen.look_up {
        Some(old) => must(db.replace(&owners::naming(old.owner, old.cart), &document).await?),
        None => insert(db, &owners::of(next.owner), &document).await,
    }
}

async fn insert<T: serde::Serialize + Send + Sync>(db: &mut Db, place: &Ask, document: &T) -> Answer<()> {
    match db.insert(place, document).await {
        Err(fault) if fault.is_duplicate() => Err(Fault::Overtaken),
        other => other,
    }
}

/// What was read must still hold.
fn must(holds: bool) -> Answer<()> {
    if holds { Ok(()) } else { Err(Fault::Overtaken) }
}
