//! What an open store does by itself: it looks whether the cluster answers and where its ranges lie, gives events their
//! place in the feed, and brings home the stock of items that have become calm.

use std::sync::{Arc, Weak};
use std::time::Duration;

use mongodb::bson::doc;
use mworld_shop::Operation;
use parking_lot::Mutex;

use crate::core::Core;
use crate::engine::Engine;
use crate::fault::engine;
use crate::open::refresh;
use crate::stock::buckets::merge_calm;

/// How often the cluster is asked.
const EVERY: Duration = Duration::from_secs(2);

/// How long it may take to answer before it counts as silent.
const PATIENCE: Duration = Duration::from_secs(3);

/// Events that get their place at once.
const EVENTS: usize = 500;

/// The last thing that was seen.
#[derive(Debug, Default)]
pub(crate) struct Seen(Mutex<Option<String>>);

impl Seen {
    pub(crate) fn trouble(&self) -> Option<String> {
        self.0.lock().clone()
    }
}

/// Watches and works until the store is closed.
pub(crate) fn start(engine: &Engine) {
    let (watched, swept) = (engine.downgrade(), engine.downgrade());
    tokio::spawn(async move {
        while look(&watched).await {
            tokio::time::sleep(EVERY).await;
        }
    });
    tokio::spawn(async move {
        while sweep(&swept).await {
            tokio::time::sleep(EVERY).await;
        }
    });
}

/// Looks once; `false` when there is nobody left to look for.
async fn look(core: &Weak<Core>) -> bool {
    let Some(core) = core.upgrade() else { return false };
    let asked = Arc::clone(&core);
    // A command under way is never dropped: the task ends by itself, and only our patience with it ends here.
    let asking = tokio::spawn(async move {
        let pong = asked.database.run_command(doc! { "ping": 1 }).await;
        asked.cluster_clock.hear(&pong.map_err(|error| engine(&error).to_string())?);
        refresh(&asked).await.map_err(|fault| fault.into_shop().to_string())
    });
    let trouble = match tokio::time::timeout(PATIENCE, asking).await {
        Ok(Ok(Ok(()))) => None,
        Ok(Ok(Err(problem))) => Some(problem),
        Ok(Err(_)) => Some("the look at it fell over".to_owned()),
        Err(_) => Some(format!("it has not answered for {} s", PATIENCE.as_secs())),
    };
    *core.seen.0.lock() = trouble;
    true
}

/// Works once; `false` when there is nobody left to work for. What fails is tried again: readers of the feed and buyers
/// do the same work when they need it done.
async fn sweep(core: &Weak<Core>) -> bool {
    let Some(engine) = Engine::upgrade(core) else { return false };
    let fed = async {
        while engine.feed(EVENTS).await? == EVENTS {}
        Ok::<_, mworld_shop::Error>(())
    };
    if let Err(error) = fed.await {
        tracing::debug!(%error, "events could not be put in order; it is tried again");
    }
    let merged =
        engine.run_by_itself(Operation::CatalogAdjust, |mut db| async move { merge_calm(&mut db).await });
    if let Err(error) = merged.await {
        tracing::debug!(%error, "calm items could not be brought home; it is tried again");
    }
    true
}
