//! `mworld load`: the run itself.

use super::args::Run;
use super::scenario;
use crate::failure::{Outcome, failed};

/// Drives the store at `--url` and reports.
pub(crate) fn run(args: &Run) -> Outcome {
    let _scenario = scenario::find(&args.seeded.scenario)?;
    Err(failed("not built yet"))
}
