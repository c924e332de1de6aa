//! The command line: what a person may type.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::config::{self, Flags};
use crate::demo;
use crate::load::args::Load;

/// Mobile World: an electronics store's back end whose data placement is a file.
///
/// Without a command it does `mworld serve --demo`: a store with 2,000 products on http://127.0.0.1:8080.
#[derive(Debug, Parser)]
#[command(name = "mworld", version, max_term_width = 110, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXAMPLES: &str = "Examples:
  mworld                                  open a demo store
  mworld serve --data ./shop --demo 500   a small one, in a directory of your choice
  mworld layout explain geo-zoned         how many shards each operation asks, without a database
  mworld load --scenario flash-sale       a sale's traffic against the running store, with a report
  mworld export catalogue.ndjson          save the catalogue of the running store

Exit codes: 0 done, 1 it failed or a verdict is bad, 2 the input was wrong.";

/// What can be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Open the store: API, documentation, metrics
    #[command(after_help = SERVE_EXAMPLES, after_long_help = config_help())]
    Serve(Serve),
    /// Layouts: list, show, check, explain, apply
    #[command(subcommand)]
    Layout(LayoutCommand),
    /// Black Friday on demand: traffic from a scenario, a report, and with --verify a verdict
    #[command(after_help = LOAD_HELP)]
    Load(Load),
    /// Write a catalogue (NDJSON) into a running store
    #[command(after_help = IMPORT_HELP)]
    Import(Transfer),
    /// Save the catalogue of a running store as NDJSON
    #[command(after_help = EXPORT_HELP)]
    Export(Transfer),
    /// Copy the embedded store into one file, also while it sells
    Backup(Backup),
    /// Make a data directory from a backup
    Restore(Restore),
    /// Real databases on this machine: start them, break them, stop them
    #[cfg(feature = "mongo")]
    #[command(after_help = crate::playground::args::HELP)]
    Playground(crate::playground::args::Playground),
    /// Look for what is missing or wrong with a set-up, and say how to mend it
    Doctor(Flags),
    /// Write a completion script for a shell
    #[command(after_help = COMPLETIONS_HELP)]
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// `mworld serve`
#[derive(Debug, Default, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) flags: Flags,
    /// Fill an empty catalogue with N products [default: 2000]
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        default_missing_value = "2000",
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..=demo::MAX_PRODUCTS)
    )]
    pub(crate) demo: Option<u64>,
}

/// `mworld layout …`
#[derive(Debug, Subcommand)]
pub(crate) enum LayoutCommand {
    /// The layouts that are shipped, and what each is good and bad at
    List {
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// A layout as it is written; a good start for one of your own
    Show {
        /// A shipped layout or a file
        layout: String,
        /// Everything in force: defaults and inherited tables written out
        #[arg(long)]
        resolved: bool,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// Say what the engines would refuse in a layout, or what silently goes wrong
    Check {
        /// A layout file, or the name of a shipped layout
        file: String,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// For every operation: one shard, several or all, and why
    Explain {
        /// A shipped layout or a file
        layout: String,
        /// On how many shards [default: the configuration's, 4]
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        shards: Option<String>,
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// Bring a real cluster to a layout: shows the plan, and does it with --yes
    #[cfg(feature = "mongo")]
    #[command(after_help = crate::layout::apply::HELP)]
    Apply(crate::layout::apply::Applying),
}

/// `mworld import` and `mworld export`
#[derive(Debug, Args)]
pub(crate) struct Transfer {
    /// One product a line, as the API writes it
    pub(crate) file: PathBuf,
    /// The store
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) url: String,
}

/// `mworld backup`
#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// The copy; must not exist yet
    pub(crate) file: PathBuf,
    /// The directory of the store [default: the configuration's, ./mworld-data]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

/// `mworld restore`
#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// A copy that `mworld backup` made
    pub(crate) file: PathBuf,
    /// The new directory; must not exist yet or be empty
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
}

impl Command {
    /// What `mworld` alone does.
    pub(crate) fn by_default() -> Command {
        Command::Serve(Serve { flags: Flags::default(), demo: Some(demo::DEFAULT_PRODUCTS) })
    }
}

const SERVE_EXAMPLES: &str = "Examples:
  mworld serve --demo
  mworld serve --listen 0.0.0.0:80 --data /var/lib/mworld --layout geo-zoned --shards 8
  mworld serve --config mworld.toml

The operator token is taken from MWORLD_OPERATOR_TOKEN or operator_token_file; without either, one is
made and shown once. `mworld serve --help` shows every key of the configuration with its default.";

const LOAD_HELP: &str = "Examples:
  mworld load --scenario black-friday --rate 500 --duration 60s --verify
  mworld load --scenario flash-sale --html report.html
  mworld load plan --scenario wholesale --count 20

The products and accounts of a run are made in the store before its clock starts, with the operator token from
MWORLD_OPERATOR_TOKEN. The shipped scenarios are calm-day, black-friday, flash-sale and wholesale.";

const IMPORT_HELP: &str =
    "Each line is a product with its id; updated_at and version are passed over. A product that exists
is overwritten. An import that was stopped goes on where it was: run the same command again.
The operator token is taken from MWORLD_OPERATOR_TOKEN.

Example:
  MWORLD_OPERATOR_TOKEN=… mworld import catalogue.ndjson --url http://shop.local:8080";

const EXPORT_HELP: &str =
    "FILE appears when it is whole; until then the work stands in FILE.part. An export that was stopped
goes on where it was: run the same command again.";

const COMPLETIONS_HELP: &str = "Examples:
  mworld completions bash > /etc/bash_completion.d/mworld
  mworld completions zsh  > ~/.zfunc/_mworld
  mworld completions fish > ~/.config/fish/completions/mworld.fish";

fn config_help() -> String {
    format!("{SERVE_EXAMPLES}\n\n{}", config::help())
}
