//! `mworld load plan`: the operations of a scenario, told and not sent.

use super::args::Plan;
use super::scenario;
use crate::failure::{Outcome, failed};

/// Prints the first operations.
pub(crate) fn run(args: &Plan) -> Outcome {
    let _scenario = scenario::find(&args.seeded.scenario)?;
    Err(failed("not built yet"))
}
