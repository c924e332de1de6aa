//! Bringing a cluster to a layout: what is there is read, what is to be done is planned by a pure function and shown, and
//! then it is done step by step.
//!
//! Every step looks first and may be done twice, so a run that was interrupted is simply planned and run again. Nothing is
//! ever dropped: collections and indexes that a layout does not want stay, and the plan says so.

mod ensure;
mod found;
mod keys;
mod mark;
mod moving;
mod plan;
mod ranges;
mod resharding;
mod run;
mod step;
mod temporary;
mod wanted;
mod words;

use std::ops::ControlFlow;
use std::time::Duration;

use mongodb::error::ErrorKind;
use mworld_placement::layout::model::Engine;
use mworld_placement::{Domain, Layout};

pub(crate) use self::ensure::ensure;
use self::found::Found;
pub use self::step::{Kind, Plan, Step};
use self::wanted::Wanted;
use crate::client::{Address, Cluster};
use crate::fault::code;
use crate::open_error::OpenError;

/// How long the cluster may take to say what is there.
const LOOK: Duration = Duration::from_secs(8);

/// How long the lease of somebody else who changes the same database is waited for: longer than one lives whose holder
/// was killed.
const SOMEBODY_ELSE: Duration = Duration::from_secs(15);

/// How a plan is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// As the servers are set up.
    #[default]
    Usual,
    /// Without the minutes that MongoDB gives other routers before a collection changes its key: for test clusters.
    #[doc(hidden)]
    Hurried,
}

/// How far the work is.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'p> {
    /// The step under way.
    pub step: &'p Step,
    /// Which one it is, counted from one.
    pub number: usize,
    /// Of how many.
    pub of: usize,
    /// Parts of it that are done, and all parts, where they can be counted.
    pub part: Option<(u64, u64)>,
    /// What it waits for, if it does.
    pub waits_for: Option<&'p str>,
}

/// Hears how far the work is, and says whether to go on; a step under way is brought to a good end before it stops.
pub type Watch<'w> = &'w (dyn Fn(Progress<'_>) -> ControlFlow<()> + Send + Sync);

/// How the work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The database is as the layout wants it.
    Done,
    /// Whoever watched did not want more; the next run goes on from there.
    Stopped {
        /// How many steps were done.
        done: usize,
    },
}

/// A layout, a cluster, and what is between them.
pub struct Apply {
    cluster: Cluster,
    address: Address,
    wanted: Wanted,
    shards: Vec<String>,
    plan: Plan,
}

impl Apply {
    /// Looks at the cluster and plans. Nothing is changed.
    pub async fn prepare(address: &Address, layout: &Layout, domain: &Domain) -> Result<Apply, OpenError> {
        let layout = layout.in_force_on(Engine::MongoDb);
        crate::open::every_entity_has_a_place(&layout)?;
        let cluster = Cluster::connect(address).await?;
        Apply::planned(cluster, address, &layout, domain).await
    }

    /// The same on a cluster that is known to answer.
    async fn planned(
        cluster: Cluster,
        address: &Address,
        layout: &Layout,
        domain: &Domain,
    ) -> Result<Apply, OpenError> {
        let found = look(&cluster, address).await?;
        let wanted = Wanted::of(layout, u32::try_from(found.shards.len()).unwrap_or(u32::MAX), domain);
        let database = cluster.database.name().to_owned();
        let steps = plan::plan(&wanted, &found, &database)
            .map_err(|refused| refusal(refused, address, &database, &wanted.layout))?;
        let plan = Plan {
            layout: wanted.layout.clone(),
            in_force: found.mark.as_ref().map(|mark| mark.name.clone()),
            address: address.shown(),
            database,
            notes: plan::notes(&wanted, &found),
            steps,
        };
        Ok(Apply { cluster, address: address.clone(), wanted, shards: found.shards, plan })
    }

    /// What is to be done.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Does it. Only one at a time changes a database; another one is waited for, for some seconds.
    pub async fn execute(&self, pace: Pace, watch: Watch<'_>) -> Result<Ended, OpenError> {
        if self.plan.is_empty() {
            return Ok(Ended::Done);
        }
        let failed = |error| trouble(&self.address, &error);
        let patience = tokio::time::Instant::now() + SOMEBODY_ELSE;
        let lease = loop {
            if let Some(lease) = mark::lease(&self.cluster).await.map_err(failed)? {
                break lease;
            }
            if tokio::time::Instant::now() > patience {
                return Err(OpenError::Busy { database: self.plan.database.clone() });
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        let ended = run::run(&self.cluster, &self.wanted, &self.shards, &self.plan.steps, pace, watch).await;
        lease.release().await;
        ended.map_err(failed)
    }
}

/// Reads what is there. The reading goes on by itself if it takes too long, because a command whose answer nobody takes
/// from the connection would spoil the connection.
async fn look(cluster: &Cluster, address: &Address) -> Result<Found, OpenError> {
    let reading = tokio::spawn({
        let cluster = Cluster { client: cluster.client.clone(), database: cluster.database.clone() };
        async move { found::read(&cluster).await }
    });
    match tokio::time::timeout(LOOK, reading).await {
        Ok(Ok(found)) => found.map_err(|error| trouble(address, &error)),
        Ok(Err(_)) | Err(_) => Err(OpenError::Failed {
            address: address.shown(),
            problem: format!("it has not said within {} s what is there", LOOK.as_secs()),
        }),
    }
}

/// A failure of the cluster in words for people.
fn trouble(address: &Address, error: &mongodb::error::Error) -> OpenError {
    let address = address.shown();
    let problem = match error.kind.as_ref() {
        // The driver would add the whole answer, in hexadecimal.
        ErrorKind::Command(command) => format!("{} (code {})", command.message, command.code),
        _ => error.to_string(),
    };
    match code(error) {
        Some(13) => OpenError::NoRights { address, problem },
        _ => OpenError::Failed { address, problem },
    }
}

fn refusal(refused: plan::Refused, address: &Address, database: &str, given: &str) -> OpenError {
    let (database, given) = (database.to_owned(), given.to_owned());
    match refused {
        plan::Refused::OtherShape { stored, what } => OpenError::OtherShape { database, stored, given, what },
        plan::Refused::Foreign { collection, documents } => OpenError::ForeignData {
            address: address.shown(),
            database,
            collection: collection.to_owned(),
            documents,
        },
        plan::Refused::Newer { schema } => {
            OpenError::NewerSchema { database, found: schema, known: mark::SCHEMA }
        }
    }
}
