//! The mark that `layout apply` leaves in a database, and the lease that keeps two of them from working at once.

use std::time::Duration;

use mongodb::bson::{DateTime, Document, doc};
use mongodb::options::ReturnDocument;
use mworld_placement::layout::model::Engine;
use mworld_placement::layout::{Source, load};
use mworld_placement::{Domain, Placement};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::wanted::Wanted;
use crate::client::Cluster;
use crate::collection::{Collection, Shape};
use crate::fault::code;

/// The version of the way in which records are written down.
pub(super) const SCHEMA: i64 = 1;

const MARK: &str = "layout";
const LEASE: &str = "apply";

/// How long a lease lives that nobody renews: whoever was killed keeps others waiting no longer than this.
const LEASE_LIFE_MS: i64 = 10_000;
const RENEWED_EVERY: Duration = Duration::from_secs(3);

/// The layout that a database was brought to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) name: String,
    pub(super) fingerprint: String,
    pub(super) schema: i64,
    pub(super) toml: String,
}

impl Mark {
    /// How that layout writes records down; `None` if it can no longer be read.
    pub(super) fn shape(&self) -> Option<Shape> {
        let stored = load(&Source::new("the stored layout", self.toml.clone()), &|_| None).ok()?;
        let layout = stored.layout.in_force_on(Engine::MongoDb);
        Some(Shape::of(&Placement::new(&layout, 1, &Domain::default()).0))
    }
}

fn meta(cluster: &Cluster) -> mongodb::Collection<Document> {
    cluster.database.collection(Collection::Meta.name())
}

/// The mark, if there is one.
pub(super) async fn read(cluster: &Cluster) -> mongodb::error::Result<Option<Mark>> {
    let found = meta(cluster).find_one(doc! { "_id": MARK }).await?;
    let text = |found: &Document, field| found.get_str(field).unwrap_or_default().to_owned();
    Ok(found.map(|found| Mark {
        name: text(&found, "name"),
        fingerprint: text(&found, "fingerprint"),
        schema: found.get_i64("schema").unwrap_or(0),
        toml: text(&found, "toml"),
    }))
}

/// Writes it: the last thing that is done, so that a database with a mark is complete.
pub(super) async fn write(cluster: &Cluster, wanted: &Wanted) -> mongodb::error::Result<()> {
    let mark = doc! {
        "name": &wanted.layout,
        "fingerprint": &wanted.fingerprint,
        "schema": SCHEMA,
        "toml": &wanted.toml,
        "applied_at": DateTime::now(),
    };
    meta(cluster).replace_one(doc! { "_id": MARK }, mark).upsert(true).await?;
    Ok(())
}

/// The right to change the database's placement, until it is given back or its holder dies.
pub(super) struct Lease {
    meta: mongodb::Collection<Document>,
    holder: String,
    /// Dropped to end the renewing.
    end: oneshot::Sender<()>,
    renewing: JoinHandle<()>,
}

/// Takes the lease; `None` if somebody else has it.
pub(super) async fn lease(cluster: &Cluster) -> mongodb::error::Result<Option<Lease>> {
    let meta = meta(cluster);
    let holder = uuid::Uuid::new_v4().to_string();
    if !take(&meta, &holder).await? {
        return Ok(None);
    }
    let (end, mut ended) = oneshot::channel();
    let renewing = tokio::spawn({
        let (meta, holder) = (meta.clone(), holder.clone());
        async move {
            while tokio::time::timeout(RENEWED_EVERY, &mut ended).await.is_err() {
                // One that cannot be renewed is taken by others in time; they repeat no harm, every step being one
                // that may be done twice.
                let _ = take(&meta, &holder).await;
            }
        }
    });
    Ok(Some(Lease { meta, holder, end, renewing }))
}

impl Lease {
    /// Gives it back.
    pub(super) async fn release(self) {
        drop(self.end);
        let _ = self.renewing.await;
        // Left alone it runs out by itself.
        let over = doc! { "$set": { "until": DateTime::from_millis(0) } };
        let _ = self.meta.update_one(doc! { "_id": LEASE, "holder": self.holder }, over).await;
    }
}

/// Takes or renews the lease by the server's clock, which is one for all.
async fn take(meta: &mongodb::Collection<Document>, holder: &str) -> mongodb::error::Result<bool> {
    let free = doc! { "$or": [{ "$lt": ["$until", "$$NOW"] }, { "$eq": ["$holder", holder] }] };
    let change = doc! { "$set": {
        "holder": { "$cond": [free.clone(), holder, "$holder"] },
        "until": { "$cond": [free, { "$add": ["$$NOW", LEASE_LIFE_MS] }, "$until"] },
    } };
    let taken = meta
        .find_one_and_update(doc! { "_id": LEASE }, vec![change])
        .upsert(true)
        .return_document(ReturnDocument::After)
        .await;
    match taken {
        Ok(after) => Ok(after.is_some_and(|after| after.get_str("holder").ok() == Some(holder))),
        // Two made it at once, and the other was first.
        Err(error) if code(&error) == Some(11_000) => Ok(false),
        Err(error) => Err(error),
    }
}
