//! The feed: what the ledger has committed, in an order that never changes again.
//!
//! Transactions on several shards have no common line to queue in, and a common line would hold every sale up. So an
//! event is first written beside what it tells of, in the same transaction and with a stamp of the cluster's clock: into
//! the order it is about, or into a record of its own. A *sequencer* takes what is marked so, in the order of stamps, and
//! gives each its number. Readers page by number; since a number is given after the commit, nobody who has come to the
//! end misses what commits later.

mod record;
mod sequence;
mod totals;

use async_trait::async_trait;
use mongodb::bson::doc;
use mworld_shop::event::{Event, EventId, Happened};
use mworld_shop::ports::Feed;
use mworld_shop::{Operation, Page, PageSize, Refusal, Result, Timestamp};
use uuid::Uuid;

pub(crate) use self::record::Unfed;
use self::record::{Numbered, Unnumbered};
use crate::ask::Ask;
use crate::collection::Collection;
use crate::db::{Db, Wanted};
use crate::engine::Engine;
use crate::fault::Answer;
use crate::transaction::in_transaction;

/// So many marks are taken at once: a batch takes milliseconds, and a backlog of a day some minutes.
const BATCH: usize = 500;
/// A reader works off so much of a backlog before its own page; the rest is for the next one and for the sweeper.
const BATCHES_PER_READ: usize = 10;

/// Notes what happened to no order, in the transaction under way. It must be called after the writes that it tells of.
pub(crate) async fn append_all(db: &mut Db, at: Timestamp, happened: Vec<Happened>) -> Answer<()> {
    if happened.is_empty() {
        return Ok(());
    }
    let stamp = db.stamp()?;
    let record = |happened| Unnumbered::new(Uuid::now_v7().to_string(), stamp, at, happened);
    let records: Vec<Unnumbered> = happened.into_iter().map(record).collect();
    db.insert_all(&Ask::of(Collection::Events), &records).await
}

impl Engine {
    /// Gives up to so many events their place in the feed, for whoever reads it next; how many.
    pub async fn feed(&self, limit: usize) -> Result<usize> {
        let limit = limit.max(1);
        self.run_by_itself(Operation::OrderList, move |mut db| async move {
            Ok(sequence::batch(&mut db, limit).await?.numbered)
        })
        .await
    }
}

#[async_trait]
impl Feed for Engine {
    async fn events(&self, after: Option<&EventId>, limit: PageSize) -> Result<Page<Event, EventId>> {
        let after: i64 = match after {
            None => 0,
            Some(id) => id.0.parse().ok().filter(|after| *after >= 0).ok_or(Refusal::BadCursor)?,
        };
        let page = |mut db: Db| async move {
            number(&mut db).await?;
            // One moment for all shards: a batch is seen as a whole or not at all.
            in_transaction!(db, page(&mut db, after, limit))
        };
        self.run(Operation::OrderList, page).await
    }
}

/// Works off what waits. A process that died in the middle of a batch keeps the counter until the cluster gives up on
/// it, after a minute; what has its number can be read meanwhile, and the rest comes later.
async fn number(db: &mut Db) -> Answer<()> {
    for _ in 0..BATCHES_PER_READ {
        match sequence::batch(db, BATCH).await {
            Ok(fed) if fed.more => {}
            Ok(_) => break,
            Err(fault) if fault.is_transient() => {
                let error = fault.into_shop();
                tracing::warn!(%error, "events wait for their place in the feed longer than usual");
                break;
            }
            Err(fault) => return Err(fault),
        }
    }
    Ok(())
}

async fn page(db: &mut Db, after: i64, limit: PageSize) -> Answer<Page<Event, EventId>> {
    let ask = Ask::of(Collection::Events).also("seq", doc! { "$gt": after });
    let wanted = i64::try_from(limit.get()).unwrap_or(i64::from(PageSize::MAX)) + 1;
    let wanted = Wanted { sort: Some(doc! { "seq": 1 }), limit: Some(wanted), projection: None };
    let found: Vec<Numbered> = db.all(&ask, wanted).await?;
    let more = found.len() > limit.get();
    let items: Vec<Event> = found.into_iter().take(limit.get()).map(Numbered::read).collect();
    let next = items.last().filter(|_| more).map(|event| event.id.clone());
    Ok(Page { items, next })
}
