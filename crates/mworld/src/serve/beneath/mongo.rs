//! A store on a MongoDB cluster.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mworld_mongo::{Address, AgeObserver, Engine, OpenError, Options};
use mworld_placement::touched::{Observer, Touch};
use mworld_placement::{Area, Layout, RangeMap};
use mworld_shop::{Operation, Settings, SystemClock};

use super::{Beneath, Opened};
use crate::config::MONGODB_PASSWORD;
use crate::failure::{Failure, Outcome, failed, wrong_input};
use crate::serve::views::Counting;

/// The address, with the password from the environment if it stands there.
pub(crate) fn address(uri: &str) -> Address {
    let password = std::env::var(MONGODB_PASSWORD).ok().map(Into::into);
    Address { uri: uri.to_owned(), password }
}

/// What the cluster said, as an end of the command: a wrong address or layout is wrong input, all else a failure.
pub(crate) fn refused(error: &OpenError) -> Failure {
    match error {
        OpenError::BadAddress { .. } | OpenError::NoPlace { .. } => wrong_input(error.to_string()),
        _ => failed(error.to_string()),
    }
}

pub(super) async fn open(
    uri: &str,
    layout: &Layout,
    settings: &Arc<Settings>,
    clock: &Arc<SystemClock>,
    counting: Arc<Counting>,
) -> Outcome<Opened> {
    let address = address(uri);
    let shown = address.shown();
    let engine = Engine::open(Options {
        address,
        layout: layout.clone(),
        settings: Arc::clone(settings),
        clock: clock.clone(),
        observer: Some(Arc::clone(&counting) as Arc<dyn Observer<Operation>>),
        ages: Some(counting),
    });
    let engine = engine.await.map_err(|error| refused(&error))?;
    let place = format!("{shown} (layout {}, {} shards)", layout.name, engine.shards().len());
    Ok(Opened { parts: engine.parts(), beneath: Arc::new(engine), place })
}

impl Beneath for Engine {
    fn name(&self) -> &'static str {
        "mongodb"
    }

    fn answers(&self) -> Result<(), String> {
        Engine::answers(self)
    }

    fn shards(&self) -> Vec<String> {
        Engine::shards(self)
    }

    fn maps(&self) -> Vec<(Area, RangeMap)> {
        Engine::maps(self)
    }

    fn touches(&self) -> BTreeMap<Touch, u64> {
        Engine::touches(self)
    }

    fn queue_depth(&self) -> usize {
        0
    }
}

impl AgeObserver for Counting {
    fn served(&self, operation: Operation, age: Duration) {
        self.0.read_age(operation, age);
    }
}
