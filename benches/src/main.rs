//! Benchmarks of the store. Each prints a ratio against a limit that is measured in the same run, turn by turn,
//! because machines differ and a shared one changes from second to second; there is no absolute bar anywhere.

mod bare;
mod catalogue;
mod cli;
mod client;
mod dice;
mod disk;
mod empty;
mod fill;
mod load;
mod machine;
mod output;
mod people;
mod placing;
mod plan;
mod process;
mod report;
mod runs;
mod serve;
mod stats;
mod store;
mod traffic;

use anyhow::{Context, Result};
use clap::Parser;

use crate::cli::{Cli, Other};

/// What stands above a result that is kept.
const HEADING: &str = "# The last result of the benchmarks\n\n\
    Made by `cargo run --release -p mworld-benches -- --save benches/RESULTS.md`. Compare ratios, not rates: both sides of \
    a ratio were measured turn by turn in one run, so that what else the machine did hit both.\n\n";

fn main() -> Result<()> {
    let cli = Cli::parse();
    if let Some(Other::Serve { data, demo }) = &cli.other {
        return serve::serve(data, *demo);
    }
    if let Some(Other::ServeEmpty) = &cli.other {
        return empty::serve();
    }
    // One thread: the generator must leave as much as it can of the machine to what is measured.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let text = runtime.block_on(async {
        match &cli.other {
            Some(Other::Drive { kind, rate }) => runs::drive(&cli, *kind, *rate).await,
            _ => Ok(runs::all(&cli).await?.text()),
        }
    })?;
    output::result(&text)?;
    if let Some(file) = &cli.save {
        std::fs::write(file, format!("{HEADING}{text}"))
            .with_context(|| format!("{} cannot be written", file.display()))?;
    }
    Ok(())
}
