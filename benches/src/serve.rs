//! The hidden command: the store under test in a process of its own, so that its processor time and memory are its
//! own. It is put together as `mworld serve` does it, with the empty handler added.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use mworld_embedded::{Engine, Observer, Touch};
use mworld_server::{App, AppConfig, Limits, Metrics, Probe, ShardInfo, ShardOperations, Views};
use mworld_shop::{Operation, Store, StoreParts};
use secrecy::SecretString;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::store::{self, Hold};
use crate::{fill, output};

/// Serves until standard input ends. The first line of standard output is the address.
pub(crate) fn serve(data: &Path, demo: u64) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let metrics = Metrics::new();
        let observer: Arc<dyn Observer<Operation>> = Arc::new(Counting(metrics.clone()));
        let (engine, clock) = store::open(data, Hold::Default, Some(observer))?;
        let settings = store::settings(Hold::Default);
        let parts = engine.parts();
        if demo > 0 {
            fill::fill_catalogue(&*parts.catalog, &settings, demo).await?;
        }
        let sweeping = tokio::spawn(sweep(parts.clone()));
        let app = App::new(AppConfig {
            store: Store::new(parts, settings, clock),
            views: Arc::new(Window(engine)),
            operator_token: SecretString::from("bench-operator"),
            limits: Limits::default(),
            metrics,
            probe: Probe::Present,
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.context("no port is free")?;
        output::result(&format!("{}\n", listener.local_addr()?))?;
        let drained = mworld_server::serve(listener, app, stdin_ends()).await;
        sweeping.abort();
        anyhow::ensure!(drained.unfinished == 0, "{} requests were cut off", drained.unfinished);
        Ok(())
    })
}

/// The measuring process holds the other end, so that this one ends with it however it ends.
pub(crate) async fn stdin_ends() {
    let (tell, told) = oneshot::channel();
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        let _ = tell.send(());
    });
    let _ = told.await;
}

/// What time brings about, once a second, as in production.
async fn sweep(parts: StoreParts) {
    let mut tick = tokio::time::interval(Duration::from_secs(1));
    loop {
        tick.tick().await;
        // A sweep that fails is not what is measured here; the next one tries again.
        let _ = parts.ledger.cancel_unpaid(200).await;
        let _ = parts.carts.expire(200).await;
        let _ = parts.sessions.expire(200).await;
    }
}

/// Counts into the server's metrics how many shards each operation touched.
struct Counting(Metrics);

impl Observer<Operation> for Counting {
    fn touched(&self, operation: Operation, touches: &[Touch]) {
        let shards: BTreeSet<u32> = touches.iter().map(|touch| touch.shard.0).collect();
        self.0.shards_touched(operation, shards.len());
    }
}

/// What an operator may see. Nobody looks during a benchmark, except whether the store is ready.
struct Window(Engine);

impl Views for Window {
    fn ready(&self) -> Result<(), String> {
        self.0.ping().map_err(|error| error.to_string())
    }

    fn shards(&self) -> Vec<ShardInfo> {
        Vec::new()
    }

    fn layout(&self) -> serde_json::Value {
        serde_json::Value::Null
    }

    fn shard_operations(&self) -> Vec<ShardOperations> {
        Vec::new()
    }

    fn queue_depth(&self) -> usize {
        self.0.queue_depth()
    }
}
