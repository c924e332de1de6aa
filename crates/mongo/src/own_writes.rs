//! A buyer reads their own writes, whichever store process and whichever member of the cluster answers. The time of a
//! buyer's last write is kept in a record of the buyer's own; a read that may go to a secondary demands to see everything up
//! to it. Nothing but the session's token comes from the client.

use mongodb::bson::{Timestamp, doc};
use mworld_shop::UserId;
use serde::Deserialize;

use crate::ask::Ask;
use crate::collection::Collection;
use crate::db::{Db, Wanted};
use crate::fault::Answer;

#[derive(Deserialize)]
struct Buyer {
    wrote: Timestamp,
}

/// Notes that the buyer has written what was just committed. Nothing is written where every read of orders asks the
/// primary anyway.
pub(crate) async fn note(db: &mut Db, user: UserId) -> Answer<()> {
    if !db.core.policies.orders_may_lag() {
        return Ok(());
    }
    let Some(wrote) = db.committed_at() else { return Ok(()) };
    db.upsert(&Ask::own(Collection::Buyers, user.uuid()), doc! { "$max": { "wrote": wrote } }).await
}

/// When the buyer last wrote, so that the reads of this operation see it.
pub(crate) async fn see(db: &mut Db, user: UserId) -> Answer<()> {
    if !db.policy_may_lag() {
        return Ok(());
    }
    let ask = Ask::own(Collection::Buyers, user.uuid());
    let buyer: Option<Buyer> = db.one_from_primary(&ask, Wanted::default()).await?;
    db.must_see(buyer.map(|buyer| buyer.wrote));
    Ok(())
}
