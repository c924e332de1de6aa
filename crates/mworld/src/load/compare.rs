//! `mworld load compare`: which differences between two runs are more than chance.

use super::args::Compare;
use crate::failure::{Outcome, failed};

/// Compares two reports.
pub(crate) fn run(_args: &Compare) -> Outcome {
    Err(failed("not built yet"))
}
