//! What can be asked for on the command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// Benchmarks of the store. Every figure is a ratio against a limit measured in the same run, turn by turn.
#[derive(Debug, Parser)]
#[command(name = "mworld-benches")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) other: Option<Other>,
    /// What to run; everything if left out
    #[arg(value_enum)]
    pub(crate) only: Vec<Bench>,
    /// A smoke run: small stores, short turns, no verdicts
    #[arg(long)]
    pub(crate) quick: bool,
    /// Products in the main store
    #[arg(long, global = true, value_name = "N")]
    pub(crate) products: Option<u64>,
    /// Orders in the main store, a tenth of them one wholesale buyer's
    #[arg(long, global = true, value_name = "N")]
    pub(crate) orders: Option<u64>,
    /// Turns of each measurement; the median counts
    #[arg(long, global = true, value_name = "N")]
    pub(crate) turns: Option<usize>,
    /// Length of one turn in seconds
    #[arg(long, global = true, value_name = "S")]
    pub(crate) seconds: Option<f64>,
    /// Keep the filled stores here and use them again; a temporary directory if left out
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// Write the result to this file as well
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
}

/// One group of measurements that share a set-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bench {
    /// `order.place` on the engine against a bare loop of the same SQL
    Place,
    /// Product page, search, cart put and checkout over HTTP against an empty handler
    Http,
    /// The slowest checkouts at half the full rate against the disk's slowest syncs
    Tail,
    /// A page from the middle of a long history against a newcomer's
    History,
    /// The same requests on a small and on a large catalogue
    Growth,
    /// Resident memory of an idle store
    Memory,
    /// The load driver itself, against a server that does nothing
    Driver,
}

/// Traffic that can be sent by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// The empty handler
    Empty,
    /// Product pages
    Product,
    /// Searches
    Search,
    /// Cart puts
    Put,
    /// Full checkouts
    Checkout,
    /// Pages from the middle of the long history
    History,
    /// All of them
    Mixed,
}

/// What is not a benchmark.
#[derive(Debug, Subcommand)]
pub(crate) enum Other {
    /// The store under test, in a process of its own; it ends when its standard input does.
    #[command(hide = true)]
    Serve {
        /// Where the store lies
        #[arg(long)]
        data: PathBuf,
        /// Fill an empty catalogue first
        #[arg(long, default_value_t = 0)]
        demo: u64,
    },
    /// A server that does nothing, for the load driver; it ends when its standard input does.
    #[command(hide = true)]
    ServeEmpty,
    /// One kind of traffic on the main store, to look at it with a profiler
    Drive {
        /// What is sent
        #[arg(value_enum)]
        kind: Kind,
        /// So many a second, to look at latencies; as many as possible if left out
        #[arg(long, value_name = "N")]
        rate: Option<f64>,
    },
}

impl Cli {
    /// Whether this bench was asked for.
    pub(crate) fn wants(&self, bench: Bench) -> bool {
        self.only.is_empty() || self.only.contains(&bench)
    }
}
