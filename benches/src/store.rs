//! The store under test, opened as `mworld serve` opens it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use mworld_embedded::{Engine, Observer, Options};
use mworld_placement::layout::{DEFAULT_LAYOUT, load_shipped};
use mworld_placement::{Layout, layout};
use mworld_shop::{Clock, Operation, Settings, SystemClock};

/// Shards of a store when nobody says otherwise.
const SHARDS: u32 = 4;

/// How long unpaid orders are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// As in production.
    Default,
    /// For ever: orders that are written as history would otherwise all fall due in the middle of a later run.
    Never,
}

/// The owner's configuration.
pub(crate) fn settings(hold: Hold) -> Arc<Settings> {
    let mut settings = Settings::default();
    if hold == Hold::Never {
        settings.order_hold = Duration::ZERO;
    }
    Arc::new(settings)
}

/// The layout in force.
pub(crate) fn default_layout() -> Result<Layout> {
    let layout::Loaded { layout, .. } =
        load_shipped(DEFAULT_LAYOUT).context("the default layout is not shipped")?;
    Ok(layout)
}

/// Opens or makes the store in `dir`.
pub(crate) fn open(
    dir: &Path,
    hold: Hold,
    observer: Option<Arc<dyn Observer<Operation>>>,
) -> Result<(Engine, Arc<dyn Clock>)> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
    let options = Options {
        dir: dir.to_owned(),
        layout: default_layout()?,
        shards: SHARDS,
        settings: settings(hold),
        clock: Arc::clone(&clock),
        observer,
    };
    let engine =
        Engine::open(options).with_context(|| format!("the store in {} cannot be opened", dir.display()))?;
    Ok((engine, clock))
}
