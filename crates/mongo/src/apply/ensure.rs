//! What every store does when it opens: an empty database is brought to the layout, any other one is checked.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use futures_util::TryStreamExt;
use mongodb::bson::{Document, doc};
use mworld_placement::{Domain, Layout, Placement};

use super::keys::key_of;
use super::mark::{self, Mark, SCHEMA};
use super::{Apply, Ended, Pace, trouble};
use crate::client::{Address, Cluster};
use crate::collection::{Shape, sharded};
use crate::open_error::OpenError;

/// How long another store that makes the same database is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// Brings an empty database to the layout; checks that one which is not empty has been. Where all is well this takes two
/// questions.
pub(crate) async fn ensure(
    cluster: &Cluster,
    address: &Address,
    layout: &Layout,
    placement: &Placement,
    domain: &Domain,
) -> Result<(), OpenError> {
    let until = Instant::now() + PATIENCE;
    loop {
        let mark = mark::read(cluster).await.map_err(|error| trouble(address, &error))?;
        if let Some(mark) = mark {
            is_same(&mark, cluster, address, layout)?;
            return has_its_keys(cluster, address, layout, placement).await;
        }
        let again = Cluster { client: cluster.client.clone(), database: cluster.database.clone() };
        let apply = Apply::planned(again, address, layout, domain).await?;
        match apply.execute(Pace::Usual, &|_| ControlFlow::Continue(())).await {
            Ok(Ended::Done) => return Ok(()),
            // Another store that opens at the same moment may be making it: then it is looked at once more.
            Ok(Ended::Stopped { .. }) | Err(OpenError::Busy { .. } | OpenError::Failed { .. })
                if Instant::now() < until => {}
            Ok(Ended::Stopped { .. }) => return Err(OpenError::Busy { database: apply.plan.database }),
            Err(error) => return Err(error),
        }
    }
}

fn is_same(mark: &Mark, cluster: &Cluster, address: &Address, layout: &Layout) -> Result<(), OpenError> {
    let database = cluster.database.name().to_owned();
    if mark.schema > SCHEMA {
        return Err(OpenError::NewerSchema { database, found: mark.schema, known: SCHEMA });
    }
    if mark.fingerprint != layout.fingerprint() {
        return Err(OpenError::OtherLayout {
            address: address.shown(),
            database,
            stored: mark.name.clone(),
            given: layout.name.clone(),
        });
    }
    Ok(())
}

/// Whether every collection is sharded by its key: somebody may have changed one by hand.
async fn has_its_keys(
    cluster: &Cluster,
    address: &Address,
    layout: &Layout,
    placement: &Placement,
) -> Result<(), OpenError> {
    let (shape, database) = (Shape::of(placement), cluster.database.name());
    let wanted = sharded(placement);
    let names: Vec<String> =
        wanted.iter().map(|(collection, _)| format!("{database}.{collection}")).collect();
    let books = cluster.client.database("config").collection::<Document>("collections");
    let find = books.find(doc! { "_id": { "$in": &names } }).projection(doc! { "key": 1, "unsplittable": 1 });
    let read = async { find.await?.try_collect::<Vec<Document>>().await };
    let found = read.await.map_err(|error| trouble(address, &error))?;
    for ((collection, key), name) in wanted.iter().zip(&names) {
        let key = shape.physical_key(*collection, key);
        let entry = found.iter().find(|entry| entry.get_str("_id").ok() == Some(name.as_str()));
        let entry = entry.filter(|entry| entry.get_bool("unsplittable").ok() != Some(true));
        let there = entry.and_then(|entry| entry.get_document("key").ok());
        if there.and_then(key_of).as_ref() != Some(&key) {
            let is = match there {
                Some(there) => {
                    format!("sharded by {}", key_of(there).map_or(there.to_string(), |key| key.to_string()))
                }
                None => "not sharded".to_owned(),
            };
            return Err(OpenError::NotApplied {
                what: format!("the collection {name} is {is}, and layout {} wants {key}", layout.name),
                layout: layout.name.clone(),
                address: address.shown(),
            });
        }
    }
    Ok(())
}
