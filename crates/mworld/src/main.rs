//! Mobile World: the one binary. Flags and wiring only; what they wire lives in the other rooms.

mod cli;
mod client;
mod completions;
mod config;
mod copy;
mod demo;
mod doctor;
mod failure;
mod layout;
mod load;
mod logging;
mod nearest;
mod note;
mod output;
#[cfg(feature = "mongo")]
mod playground;
mod progress;
mod serve;
mod transfer;
mod units;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command};
use crate::failure::{Outcome, failed};

fn main() -> ExitCode {
    let command = Cli::parse().command.unwrap_or_else(Command::by_default);
    match run(command) {
        // A result that could not be written was told of already.
        Ok(()) if !output::is_complete() => ExitCode::FAILURE,
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::notice(&failure.message());
            failure.exit_code()
        }
    }
}

fn run(command: Command) -> Outcome {
    match command {
        Command::Layout(command) => layout::run(command),
        Command::Load(command) => load::run(&command),
        Command::Completions { shell } => completions::run(shell),
        Command::Import(command) => wait_for(transfer::import(&command)),
        Command::Export(command) => wait_for(transfer::export(&command)),
        Command::Serve(command) => serve::run(&command),
        Command::Backup(command) => copy::backup(&command),
        Command::Restore(command) => copy::restore(&command),
        #[cfg(feature = "mongo")]
        Command::Playground(command) => playground::run(&command),
        Command::Doctor(flags) => doctor::run(&flags),
    }
}

/// Runs a command that talks to others. One thread is enough for it.
fn wait_for<T>(work: impl Future<Output = Outcome<T>>) -> Outcome<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime =
        runtime.map_err(|error| failed(format!("no runtime can be started: {error}; see `ulimit -n`")))?;
    runtime.block_on(work)
}
