//! The sequencer: takes events that wait beside what they tell of, and gives each its number.
//!
//! Any number of processes may run it at once: all write the one counter, so that the cluster lets one of them through.
//! Marks are taken away afterwards; a process that dies before it does so leaves marks of events that have their number
//! already, and the next one sees that.

use std::collections::BTreeSet;

use mongodb::bson::{Bson, Document, doc};
use mworld_placement::{Constraint, Entity, Value};
use mworld_shop::{OrderId, UserId};
use serde::Deserialize;

use super::record::{Numbered, Unfed, Unnumbered};
use super::totals;
use crate::ask::Ask;
use crate::bson::{id, uuid};
use crate::collection::Collection;
use crate::db::{Db, Wanted};
use crate::fault::Answer;
use crate::ledger::whole_key;
use crate::transaction::in_transaction;

/// What came of one batch.
pub(super) struct Fed {
    /// So many events have got their number.
    pub(super) numbered: usize,
    /// Whether there may be more to do.
    pub(super) more: bool,
}

/// An order with events that are not in the feed yet.
#[derive(Debug, Clone, Deserialize)]
struct Marked {
    #[serde(rename = "_id")]
    order: mongodb::bson::Uuid,
    user_id: mongodb::bson::Uuid,
    geo_zone: String,
    status: String,
    version: i64,
    unfed: Vec<Unfed>,
    unfed_at: i64,
}

#[derive(Deserialize)]
struct Counter {
    seq: i64,
}

#[derive(Deserialize)]
struct Known {
    #[serde(rename = "_id")]
    id: String,
}

/// Gives up to so many orders' and so many other events their place.
pub(super) async fn batch(db: &mut Db, limit: usize) -> Answer<Fed> {
    let (numbered, orders, cut) = in_transaction!(db, number(db, limit))?;
    let more = cut != i64::MAX;
    clear(db, orders, cut).await?;
    Ok(Fed { numbered, more })
}

async fn number(db: &mut Db, limit: usize) -> Answer<(usize, Vec<Marked>, i64)> {
    let orders: Vec<Marked> = db.all(&waiting(Entity::Orders.into()), oldest(limit)).await?;
    let others: Vec<Unnumbered> = db.all(&waiting(Collection::Events), oldest(limit)).await?;
    let cut = cut(&orders, &others, limit);
    let known = known(db, &orders).await?;
    let waiting = in_order(&orders, others, cut, &known);
    if waiting.is_empty() {
        return Ok((0, orders, cut));
    }
    let last = count_on(db, waiting.len()).await?;
    let first = last - i64::try_from(waiting.len()).unwrap_or(i64::MAX) + 1;
    let own: Vec<Value> = waiting.iter().filter_map(Waiting::own_record).map(Value::from).collect();
    if !own.is_empty() {
        db.delete_all(&Ask::of(Collection::Events).within("_id", Constraint::In(own))).await?;
    }
    let mut numbered: Vec<Numbered> =
        (first..).zip(waiting).map(|(seq, waiting)| waiting.numbered(seq)).collect();
    totals::add_up(db, &mut numbered).await?;
    db.insert_all(&Ask::of(Collection::Events), &numbered).await?;
    Ok((numbered.len(), orders, cut))
}

/// What waits in a collection. The condition is that of the index which holds nothing else.
fn waiting(collection: Collection) -> Ask {
    Ask::of(collection).also("unfed_at", doc! { "$gte": 0_i64 })
}

fn oldest(limit: usize) -> Wanted {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    Wanted { sort: Some(doc! { "unfed_at": 1 }), limit: Some(limit), projection: None }
}

/// The stamp up to which everything that waits has been read. What is younger has to wait, because something older
/// than it may have been left behind.
fn cut(orders: &[Marked], others: &[Unnumbered], limit: usize) -> i64 {
    let orders = orders.get(limit - 1).map(|last| last.unfed_at);
    let others = others.get(limit - 1).map(|last| last.unfed_at);
    orders.into_iter().chain(others).min().unwrap_or(i64::MAX)
}

/// An event that waits.
enum Waiting {
    OfOrder { id: String, event: Unfed },
    Other(Unnumbered),
}

impl Waiting {
    fn stamp(&self) -> i64 {
        match self {
            Waiting::OfOrder { event, .. } => event.stamp,
            Waiting::Other(event) => event.unfed_at,
        }
    }

    /// The id of the record in which it waits, if that is its own.
    fn own_record(&self) -> Option<String> {
        match self {
            Waiting::OfOrder { .. } => None,
            Waiting::Other(event) => Some(event.id.clone()),
        }
    }

    fn numbered(self, seq: i64) -> Numbered {
        match self {
            Waiting::OfOrder { id, event } => event.numbered(id, seq),
            Waiting::Other(event) => event.numbered(seq),
        }
    }
}

/// The id of an order's event in the feed: always the same, so that nothing is there twice.
fn event_id(order: &Marked, event: &Unfed) -> String {
    format!("{}/{}", uuid(order.order), event.version)
}

/// Everything up to the cut that has no number, in the order of stamps. Events of one record never have the same one.
fn in_order(orders: &[Marked], others: Vec<Unnumbered>, cut: i64, known: &BTreeSet<String>) -> Vec<Waiting> {
    let of_orders = orders.iter().flat_map(|order| {
        order
            .unfed
            .iter()
            .map(|event| Waiting::OfOrder { id: event_id(order, event), event: event.clone() })
            .filter(|waiting| !matches!(waiting, Waiting::OfOrder { id, .. } if known.contains(id)))
    });
    let mut all: Vec<Waiting> = of_orders.chain(others.into_iter().map(Waiting::Other)).collect();
    all.retain(|waiting| waiting.stamp() <= cut);
    all.sort_by_key(Waiting::stamp);
    all
}

/// Which of these orders' events have their number, because whoever gave it did not come to take the mark away.
async fn known(db: &mut Db, orders: &[Marked]) -> Answer<BTreeSet<String>> {
    let ids = orders.iter().flat_map(|order| order.unfed.iter().map(|event| event_id(order, event)));
    let ids: Vec<Value> = ids.map(Value::from).collect();
    if ids.is_empty() {
        return Ok(BTreeSet::new());
    }
    let ask = Ask::of(Collection::Events).within("_id", Constraint::In(ids));
    let wanted = Wanted { projection: Some(doc! { "_id": 1 }), ..Wanted::default() };
    let known: Vec<Known> = db.all(&ask, wanted).await?;
    Ok(known.into_iter().map(|known| known.id).collect())
}

/// Counts so many numbers on; the last of them. All sequencers write this one record, and so come one after the other.
async fn count_on(db: &mut Db, numbers: usize) -> Answer<i64> {
    let numbers = i64::try_from(numbers).unwrap_or(i64::MAX);
    let ask = Ask::own(Collection::Meta, "feed");
    let counted: Option<Counter> = db.changed(&ask, doc! { "$inc": { "seq": numbers } }, None).await?;
    if let Some(counted) = counted {
        return Ok(counted.seq);
    }
    db.insert(&ask, &doc! { "_id": "feed", "seq": numbers }).await?;
    Ok(numbers)
}

/// Takes the marks away, where nothing has happened since they were read. Otherwise they stay for the next batch.
async fn clear(db: &mut Db, orders: Vec<Marked>, cut: i64) -> Answer<()> {
    let (whole, rest): (Vec<Marked>, Vec<Marked>) =
        orders.into_iter().partition(|order| order.unfed.iter().all(|event| event.stamp <= cut));
    if !whole.is_empty() {
        let unchanged =
            |order: &Marked| Bson::Document(doc! { "_id": id(uuid(order.order)), "version": order.version });
        let ask = Ask::of(Entity::Orders).also("$or", whole.iter().map(unchanged).collect::<Vec<_>>());
        db.update_all(&ask, doc! { "$unset": { "unfed": "", "unfed_at": "" } }).await?;
    }
    for order in rest {
        let Some(change) = still_waiting(&order, cut) else { continue };
        let (id, user) = (OrderId::from_uuid(uuid(order.order)), UserId::from_uuid(uuid(order.user_id)));
        let ask = whole_key(id, user, &order.geo_zone, &order.status).also("version", order.version);
        db.update(&ask, change).await?;
    }
    Ok(())
}

/// An order with younger events than the batch could take: it waits for these only, and lets others pass before it.
fn still_waiting(order: &Marked, cut: i64) -> Option<Document> {
    let next = order.unfed.iter().map(|event| event.stamp).filter(|stamp| *stamp > cut).min()?;
    let done = doc! { "unfed": { "stamp": { "$lte": cut } } };
    Some(doc! { "$pull": done, "$set": { "unfed_at": next } })
}
