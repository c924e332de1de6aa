//! Orders that nobody pays give their stock back when the store's hold is over.

use mongodb::bson::{Uuid, doc};
use mworld_placement::Entity;
use mworld_shop::order::OrderRef;
use mworld_shop::{OrderId, Timestamp, UserId};
use serde::Deserialize;

use crate::ask::Ask;
use crate::bson::uuid;
use crate::core::Core;
use crate::db::{Db, Wanted};
use crate::fault::Answer;

#[derive(Deserialize)]
struct Due {
    #[serde(rename = "_id")]
    id: Uuid,
    user_id: Uuid,
}

/// Until when the stock of an order made now is held without a payment.
pub(super) fn unpaid_until(core: &Core, now: Timestamp) -> Option<Timestamp> {
    let hold = core.settings.order_hold;
    (!hold.is_zero()).then(|| now.plus(hold))
}

/// Orders whose hold is over, oldest first over all shards, so that one shard's backlog holds no other up.
pub(super) async fn over(db: &mut Db, limit: usize) -> Answer<Vec<OrderRef>> {
    let now = db.core.clock.now().micros();
    let ask = Ask::of(Entity::Orders).also("unpaid_until", doc! { "$lte": now });
    let wanted = Wanted {
        sort: Some(doc! { "unpaid_until": 1 }),
        limit: Some(i64::try_from(limit).unwrap_or(i64::MAX)),
        projection: Some(doc! { "user_id": 1 }),
    };
    let due: Vec<Due> = db.all(&ask, wanted).await?;
    let reference = |due: Due| OrderRef {
        id: OrderId::from_uuid(uuid(due.id)),
        user: Some(UserId::from_uuid(uuid(due.user_id))),
    };
    Ok(due.into_iter().map(reference).collect())
}
