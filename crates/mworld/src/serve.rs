//! `mworld serve`: the engine, the shop and the server put together, from the first signal to the last.

mod announce;
pub(crate) mod beneath;
mod filling;
mod listen;
pub(crate) mod open_files;
mod operator;
mod signals;
mod sweeper;
mod views;

use std::sync::Arc;

use mworld_server::{App, AppConfig, Limits, Metrics, Probe};
use mworld_shop::{Store, SystemClock};

use self::beneath::Opened;
use self::filling::Filling;
use self::signals::Stop;
use self::views::{Counting, EngineViews};
use crate::cli::Serve;
use crate::config::{self, Config, OPERATOR_TOKEN};
use crate::failure::{Outcome, failed};
use crate::layout;
use crate::logging;
use crate::output;

/// Opens the store and keeps it open until it is told to stop.
pub(crate) fn run(command: &Serve) -> Outcome {
    let loaded = config::load(&command.flags, std::env::vars_os())?;
    logging::start(loaded.config.log);
    open_files::raise();
    for notice in &loaded.notices {
        output::notice(&format!("{notice}\n"));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime =
        runtime.map_err(|error| failed(format!("no threads can be started: {error}; see `ulimit -u`")))?;
    runtime.block_on(open(loaded.config, command.demo))
}

async fn open(config: Config, demo: Option<u64>) -> Outcome {
    // Whoever stops us while we are opening stops us too.
    let stop = Stop::listen()?;
    let layout = layout::find(&config.layout, &layout::domain(&config.shop))?.loaded()?.layout;
    // The port comes before the directory: a second store on the same port must not touch the data.
    let listener = listen::listen(&config.listen).await?;
    let address = listener.local_addr().map_err(|error| failed(format!("{}: {error}", config.listen)))?;
    let metrics = Metrics::new();
    let (settings, clock) = (Arc::new(config.shop.clone()), Arc::new(SystemClock::default()));
    let counting = Arc::new(Counting(metrics.clone()));
    let Opened { parts, beneath, place } =
        beneath::open(&config, &layout, &settings, &clock, counting).await?;
    let operator = operator::operator(&config, std::env::var(OPERATOR_TOKEN).ok())?;
    let filling = Arc::new(Filling::of(demo));
    let views = EngineViews { beneath, layout, filling: Arc::clone(&filling) };
    let app = App::new(AppConfig {
        store: Store::new(parts.clone(), Arc::clone(&settings), clock),
        views: Arc::new(views),
        operator_token: operator.token(),
        limits: limits(&config),
        metrics,
        probe: Probe::Absent,
    });
    output::result(&announce::announcement(&place, address, &operator));
    let sweeping = tokio::spawn(sweeper::sweep(parts.clone()));
    let (stopper, stopped) = tokio::sync::oneshot::channel();
    let serving = tokio::spawn(mworld_server::serve(listener, app, async {
        let _ = stopped.await;
    }));
    let fill = async {
        match demo {
            Some(count) => {
                filling::fill(parts.catalog.as_ref(), &settings, count, &config.data, &filling).await
            }
            None => Ok(()),
        }
    };
    let outcome = until_stopped(fill, stop).await;
    let _ = stopper.send(());
    let drained =
        serving.await.map_err(|error| failed(format!("the server fell over: {error}; please report it")))?;
    sweeping.abort();
    if drained.unfinished > 0 {
        tracing::warn!(connections = drained.unfinished, "cut off: they were not finished in time");
    }
    output::notice("Mobile World is closed\n");
    outcome
}

/// Fills, then waits to be stopped; a filling that fails ends the waiting.
async fn until_stopped(fill: impl Future<Output = Outcome>, stop: Stop) -> Outcome {
    let fill_and_stay = async {
        fill.await?;
        std::future::pending().await
    };
    tokio::select! {
        outcome = fill_and_stay => outcome,
        () = stop.wait() => {
            output::notice("closing: finishing what was accepted (once more to stop at once)\n");
            Ok(())
        }
    }
}

/// The configured limits, and the server's own choice for what is not configured.
fn limits(config: &Config) -> Limits {
    Limits {
        body_bytes: config.limits.body_bytes,
        in_flight: config.limits.in_flight,
        queue: config.limits.queue,
        per_token_per_second: config.limits.per_token_per_second,
        login_failures_per_minute: config.limits.login_failures_per_minute,
        ..Limits::default()
    }
}
