//! `mworld load …`: traffic from a scenario against a running store, and a verdict on what the store did.

pub(crate) mod args;
mod compare;
mod plan;
mod run;
mod scenario;
mod summary;
mod watch;

use self::args::{Load, LoadCommand};
use crate::failure::Outcome;

/// Runs one of them.
pub(crate) fn run(command: &Load) -> Outcome {
    match &command.command {
        None => run::run(&command.run),
        Some(LoadCommand::Plan(args)) => plan::run(args),
        Some(LoadCommand::Compare(args)) => compare::run(args),
    }
}
