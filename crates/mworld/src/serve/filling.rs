//! Filling an empty catalogue with the demo, in batches, and going on after an interruption.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use mworld_shop::Settings;
use mworld_shop::ports::Catalog;
use serde::{Deserialize, Serialize};

use crate::demo::{Demo, SEED};
use crate::failure::{Failure, Outcome, failed};
use crate::note::NoteFile;
use crate::output;
use crate::progress::{Progress, Unit};

/// Products in one call: enough that the engine's commit is paid by many, few enough that the bar moves.
const BATCH: u64 = 2_000;

/// How far the filling is, for those who ask whether the store is ready.
#[derive(Debug, Default)]
pub(crate) struct Filling {
    wanted: AtomicU64,
    done: AtomicU64,
}

impl Filling {
    /// A filling with so many products still to come; none if there is nothing to fill.
    pub(crate) fn of(wanted: Option<u64>) -> Filling {
        Filling { wanted: AtomicU64::new(wanted.unwrap_or(0)), done: AtomicU64::new(0) }
    }

    /// Whether the catalogue is as it was asked for; otherwise how far it is.
    pub(crate) fn ready(&self) -> Result<(), String> {
        let (done, wanted) = (self.done.load(Ordering::Acquire), self.wanted.load(Ordering::Acquire));
        if done >= wanted {
            return Ok(());
        }
        Err(format!("the demo catalogue is being loaded: {done} of {wanted} products"))
    }

    fn reach(&self, done: u64) {
        self.done.store(done, Ordering::Release);
    }

    /// There is nothing more to come.
    fn complete(&self) {
        self.reach(self.wanted.load(Ordering::Acquire));
    }
}

/// A filling that was interrupted.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Begun {
    seed: u64,
    count: u64,
    done: u64,
}

/// Fills the catalogue if it is empty, or if an earlier filling did not come to its end.
pub(crate) async fn fill(
    catalog: &dyn Catalog,
    settings: &Settings,
    count: u64,
    data: &Path,
    filling: &Filling,
) -> Outcome {
    let note = NoteFile::new(data.join("demo-progress.json"));
    let mut begun = match note.read::<Begun>()? {
        Some(begun) => begun,
        None if catalog.is_empty().await.map_err(|error| engine(&error))? => {
            Begun { seed: SEED, count, done: 0 }
        }
        None => {
            filling.complete();
            output::notice("the catalogue is not empty, so no demo products are added\n");
            return Ok(());
        }
    };
    let demo = Demo::new(begun.seed, settings);
    let mut progress = Progress::new("loading the demo catalogue", Unit::Products, Some(begun.count));
    while begun.done < begun.count {
        note.write(&begun)?;
        let end = (begun.done + BATCH).min(begun.count);
        let batch = (begun.done..end).map(|n| demo.product(n)).collect();
        catalog.upsert_many(batch).await.map_err(|error| engine(&error))?;
        begun.done = end;
        progress.reach(end);
        // The last batch counts only with its note gone: ready means that nothing is left to be done.
        if end < begun.count {
            filling.reach(end.min(count.saturating_sub(1)));
        }
    }
    progress.finish();
    note.remove()?;
    filling.complete();
    output::notice(&format!("{} demo products are in the catalogue\n", begun.count));
    Ok(())
}

fn engine(error: &mworld_shop::Error) -> Failure {
    failed(format!("the demo catalogue could not be loaded: {error}; start again with --demo to go on"))
}
