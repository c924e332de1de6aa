//! What an open store keeps an eye on: whether the cluster answers, and where its ranges lie.

use std::sync::{Arc, Weak};
use std::time::Duration;

use mongodb::bson::doc;
use parking_lot::Mutex;

use crate::core::Core;
use crate::fault::engine;
use crate::open::refresh;

/// How often the cluster is asked.
const EVERY: Duration = Duration::from_secs(2);

/// How long it may take to answer before it counts as silent.
const PATIENCE: Duration = Duration::from_secs(3);

/// The last thing that was seen.
#[derive(Debug, Default)]
pub(crate) struct Seen(Mutex<Option<String>>);

impl Seen {
    pub(crate) fn trouble(&self) -> Option<String> {
        self.0.lock().clone()
    }
}

/// Watches until the store is closed.
pub(crate) fn start(core: &Arc<Core>) {
    let core = Arc::downgrade(core);
    tokio::spawn(async move {
        while look(&core).await {
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
