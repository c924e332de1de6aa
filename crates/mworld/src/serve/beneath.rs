//! The engine beneath the shop, whichever it is: what the rest of `serve` needs of it.

#[cfg(feature = "mongo")]
mod mongo;

use std::collections::BTreeMap;
use std::sync::Arc;

use mworld_embedded::{Engine, Options};
use mworld_placement::touched::Touch;
use mworld_placement::{Area, Layout, RangeMap};
use mworld_shop::{Settings, StoreParts, SystemClock};

use super::views::Counting;
use crate::config::Config;
use crate::failure::{Outcome, failed};

/// What is shown of an engine and asked of it while it sells.
pub(crate) trait Beneath: Send + Sync {
    /// Its name in metrics and on the operator's pages.
    fn name(&self) -> &'static str;

    /// Whether it answers; otherwise what is wrong.
    fn answers(&self) -> Result<(), String>;

    /// The names of its shards, in the order of their numbers.
    fn shards(&self) -> Vec<String>;

    /// The ranges of every area that has some.
    fn maps(&self) -> Vec<(Area, RangeMap)>;

    /// Operations since the start, by area, shard and kind.
    fn touches(&self) -> BTreeMap<Touch, u64>;

    /// Operations that wait.
    fn queue_depth(&self) -> usize;
}

/// An engine that has been opened, with the ports on it.
pub(crate) struct Opened {
    pub(crate) parts: StoreParts,
    pub(crate) beneath: Arc<dyn Beneath>,
    /// Where the data lies, for people.
    pub(crate) place: String,
}

/// Opens the engine that the configuration names: a cluster if there is an address of one, else the directory.
pub(crate) async fn open(
    config: &Config,
    layout: &Layout,
    settings: &Arc<Settings>,
    clock: &Arc<SystemClock>,
    counting: Arc<Counting>,
) -> Outcome<Opened> {
    if let Some(address) = &config.mongodb {
        return mongo(address, layout, settings, clock, counting).await;
    }
    let engine = Engine::open(Options {
        dir: config.data.clone(),
        layout: layout.clone(),
        shards: config.shards,
        settings: Arc::clone(settings),
        clock: clock.clone(),
        observer: Some(counting),
    });
    let engine = engine.map_err(|error| failed(error.to_string()))?;
    let place = format!("{} (layout {}, {} shards)", config.data.display(), layout.name, config.shards);
    Ok(Opened { parts: engine.parts(), beneath: Arc::new(engine), place })
}

#[cfg(feature = "mongo")]
use self::mongo::open as mongo;
#[cfg(feature = "mongo")]
pub(crate) use self::mongo::{address, refused};

#[cfg(not(feature = "mongo"))]
async fn mongo(
    address: &str,
    _: &Layout,
    _: &Arc<Settings>,
    _: &Arc<SystemClock>,
    _: Arc<Counting>,
) -> Outcome<Opened> {
    let _ = address;
    Err(failed("this mworld was built without MongoDB; build it with the feature `mongo`".to_owned()))
}

impl Beneath for Engine {
    fn name(&self) -> &'static str {
        "embedded"
    }

    fn answers(&self) -> Result<(), String> {
        self.ping().map_err(|error| format!("the embedded engine does not answer: {error}"))
    }

    fn shards(&self) -> Vec<String> {
        (0..self.placement().shards()).map(|shard| shard.to_string()).collect()
    }

    fn maps(&self) -> Vec<(Area, RangeMap)> {
        self.placement().maps().map(|(area, map)| (area, map.clone())).collect()
    }

    fn touches(&self) -> BTreeMap<Touch, u64> {
        Engine::touches(self)
    }

    fn queue_depth(&self) -> usize {
        Engine::queue_depth(self)
    }
}
