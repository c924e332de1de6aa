//! Databases to borrow. Laying one out takes a second or so, emptying it takes milliseconds: so each is laid out once,
//! and handed from case to case.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mworld_mongo::Address;
use mworld_mongo::admin::{AdminError, Direct, doc};
use mworld_playground::testing::{TestCluster, cluster};

/// What is kept when a database is emptied: that it has been laid out.
const KEPT: &str = "mworld_meta";

static SHELF: Mutex<Option<HashMap<&'static str, Shelf>>> = Mutex::new(None);

#[derive(Default)]
struct Shelf {
    made: usize,
    free: Vec<String>,
}

/// A database that nobody else is using. It goes back on the shelf when it is dropped.
pub(crate) struct Borrowed {
    layout: &'static str,
    name: String,
    uri: String,
}

impl Borrowed {
    pub(crate) fn address(&self) -> Address {
        Address::new(self.uri.clone())
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        with(self.layout, |shelf| shelf.free.push(std::mem::take(&mut self.name)));
    }
}

fn with<T>(layout: &'static str, work: impl FnOnce(&mut Shelf) -> T) -> T {
    // A case that failed has left the shelf as it was.
    let mut shelves = SHELF.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    work(shelves.get_or_insert_default().entry(layout).or_default())
}

/// The cluster of all cases. It is started on a thread of its own: the runtime of whichever case comes first ends with it.
async fn shared() -> Arc<TestCluster> {
    let start = || tokio::runtime::Handle::current().block_on(cluster(2, 1));
    tokio::task::spawn_blocking(start).await.expect("the cluster is started")
}

/// Takes an empty database of this layout, or the name of a new one.
pub(crate) async fn take(layout: &'static str) -> Borrowed {
    let cluster = shared().await;
    let known = with(layout, |shelf| shelf.free.pop());
    if let Some(name) = &known {
        empty(&cluster, name).await.expect("the cluster deletes what a case has left");
    }
    let name = known.unwrap_or_else(|| {
        let number = with(layout, |shelf| {
            shelf.made += 1;
            shelf.made
        });
        format!("{}-{number}", layout.replace('+', "-"))
    });
    let uri = cluster.uri_of(&name);
    Borrowed { layout, name, uri }
}

/// Deletes every record of the shop.
async fn empty(cluster: &TestCluster, database: &str) -> Result<(), AdminError> {
    let router = Direct::at(&cluster.uri_of(database), Duration::from_secs(10)).await?;
    let listed = router.run(database, doc! { "listCollections": 1, "nameOnly": true }).await?;
    let batch = listed.get_document("cursor").and_then(|cursor| cursor.get_array("firstBatch"));
    let names = batch.expect("a list of collections").iter().filter_map(|found| {
        let name = found.as_document()?.get_str("name").ok()?;
        (name != KEPT && !name.starts_with("system.")).then_some(name)
    });
    for name in names {
        router.run(database, doc! { "delete": name, "deletes": [{ "q": {}, "limit": 0 }] }).await?;
    }
    Ok(())
}
