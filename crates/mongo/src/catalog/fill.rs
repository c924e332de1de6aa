//! Many products at once, for a first filling: new ones are written a collection at a time.

use std::collections::{BTreeSet, HashSet};

use mongodb::bson::doc;
use mworld_placement::{Constraint, Entity, Value};
use mworld_shop::ProductId;
use mworld_shop::event::Happened;
use mworld_shop::product::ProductDraft;
use serde::{Deserialize, Serialize};

use super::home::IdRecord;
use super::whole::Whole;
use super::write::upsert_once;
use crate::ask::Ask;
use crate::bson::uuid;
use crate::collection::Collection;
use crate::db::{Db, Wanted};
use crate::fault::Answer;
use crate::feed;
use crate::transaction::in_transaction;

/// Products in one transaction: many enough to share its cost, few enough to be through in a fraction of a second.
const BATCH: usize = 50;

pub(super) type Draft = (ProductId, ProductDraft);

/// Batches in which every product comes once, and what came again after it, one by one and in order.
pub(super) fn batches(drafts: Vec<Draft>) -> (Vec<Vec<Draft>>, Vec<Draft>) {
    let mut seen = HashSet::new();
    let (first, again): (Vec<Draft>, Vec<Draft>) = drafts.into_iter().partition(|(id, _)| seen.insert(*id));
    let mut first = first.into_iter().peekable();
    let mut batches = Vec::new();
    while first.peek().is_some() {
        batches.push(first.by_ref().take(BATCH).collect());
    }
    (batches, again)
}

/// Writes a batch, all of it or nothing.
pub(super) async fn fill(db: &mut Db, batch: &[Draft]) -> Answer<()> {
    in_transaction!(db, fill_once(db, batch))
}

async fn fill_once(db: &mut Db, batch: &[Draft]) -> Answer<()> {
    let known = known(db, batch).await?;
    let (old, new): (Vec<&Draft>, Vec<&Draft>) = batch.iter().partition(|(id, _)| known.contains(id));
    let now = db.core.clock.now();
    let (mut ids, mut documents, mut stock, mut changes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (product, draft) in new {
        let whole = Whole::drafted(&db.core, *product, draft, None, now);
        let records = whole.records(db.core.shape.form);
        ids.push(IdRecord::new(*product, whole.home()));
        documents.extend(records.documents);
        stock.extend(records.stock);
        changes.extend(whole.changes(None).into_iter().map(|change| Happened::Stock { change }));
    }
    insert(db, Collection::ProductIds, &ids).await?;
    insert(db, Entity::Products.into(), &documents).await?;
    insert(db, Entity::Stock.into(), &stock).await?;
    feed::append_all(db, now, changes).await?;
    for (product, draft) in old {
        upsert_once(db, *product, draft).await?;
    }
    Ok(())
}

async fn insert<T: Serialize + Send + Sync>(db: &mut Db, at: Collection, records: &[T]) -> Answer<()> {
    if records.is_empty() { Ok(()) } else { db.insert_all(&Ask::of(at), records).await }
}

/// Which of the products are there already.
async fn known(db: &mut Db, batch: &[Draft]) -> Answer<BTreeSet<ProductId>> {
    #[derive(Deserialize)]
    struct Known {
        #[serde(rename = "_id")]
        id: mongodb::bson::Uuid,
    }
    let ids = batch.iter().map(|(id, _)| Value::from(id.uuid())).collect();
    let ask = Ask::of(Collection::ProductIds).within("_id", Constraint::In(ids));
    let wanted = Wanted { projection: Some(doc! { "_id": 1 }), ..Wanted::default() };
    let known: Vec<Known> = db.all(&ask, wanted).await?;
    Ok(known.into_iter().map(|known| ProductId::from_uuid(uuid(known.id))).collect())
}
