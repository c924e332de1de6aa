//! `mworld completions SHELL`

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::failure::Outcome;
use crate::output;

/// Writes the script. It is made in memory first, because a reader that goes away is no reason to panic.
pub(crate) fn run(shell: Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "mworld", &mut script);
    output::result(&String::from_utf8_lossy(&script));
    Ok(())
}
