//! A playground: a directory whose servers run until they are stopped.
//!
//! The directory says what there should be (shape and ports); what there is, is asked of the machine. So every command
//! can be given at any time, also after one before it was killed half-way.

mod directory;
mod plan;

use std::path::Path;

use crate::binaries::{self, Binaries};
use crate::error::{Result, wrong_input};
use crate::launch::Launcher;
use crate::mongodb::{Cluster, Demands, Member, Security, end_all_under};
use crate::process::State;
use crate::{Say, Shape, ports};

use self::directory::{Directory, Lock};
use self::plan::{MongoPlan, Plan};

/// What a person wants of `up`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wishes {
    /// How large the MongoDB cluster is to be; `None` = as it is, or [`Wishes::DEFAULT`] if there is none.
    pub mongodb: Option<Shape>,
    /// What it is to demand of those who come.
    pub demands: Demands,
}

impl Wishes {
    /// Small, and already more than one shard.
    pub const DEFAULT: &str = "2x1";
}

/// What `up` found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Came {
    /// There was nothing: all is new.
    New,
    /// All was running.
    Already,
    /// These were not, and are now.
    Again(Vec<String>),
}

/// What becomes of the data when a playground is taken down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Data {
    /// It goes.
    Removed,
    /// It stays for the next `up`.
    Kept,
}

/// A playground that is set up; what of it runs is another question.
#[derive(Debug)]
pub struct Playground {
    mongodb: Cluster,
    /// Held by those who change something.
    _alone: Option<Lock>,
}

impl Playground {
    /// The playground of a directory, to look at.
    pub fn look(directory: &Path) -> Result<Playground> {
        let found = Directory::existing(directory)?.ok_or_else(|| nothing_in(directory))?;
        let plan = found.plan()?.ok_or_else(|| nothing_in(directory))?;
        Playground::of(&found, &plan, plan.mongodb.binaries()?)
    }

    /// The playground of a directory, to break and to mend. As long as it lives, others who want to do so wait.
    pub fn enter(directory: &Path, say: Say<'_>) -> Result<Playground> {
        let found = Directory::existing(directory)?.filter(Directory::is_ours);
        let alone = found.map(|found| found.lock(say)).transpose()?.flatten();
        let alone = alone.ok_or_else(|| nothing_in(directory))?;
        Ok(Playground { _alone: Some(alone), ..Playground::look(directory)? })
    }

    /// Brings everything up, as it was or as it is wished, and says what it found.
    pub async fn up(directory: &Path, wishes: Wishes, say: Say<'_>) -> Result<(Playground, Came)> {
        let (directory, _alone) = loop {
            let created = Directory::create(directory)?;
            if created.plan()?.is_none() {
                created.refuse_strangers()?;
            }
            if let Some(lock) = created.lock(say)? {
                break (created, lock);
            }
        };
        let (playground, is_new) = match directory.plan()? {
            Some(plan) => {
                plan.mongodb.agrees_with(wishes, directory.path())?;
                let before = plan.mongodb.binaries()?;
                let binaries =
                    Binaries::in_folder(before.folder()).or_else(|_| binaries::find_or_install(say))?;
                (Playground::of(&directory, &plan, binaries)?, false)
            }
            None => {
                let begun = begin(&directory, wishes, say);
                if begun.is_err() {
                    directory.leave();
                }
                (begun?, true)
            }
        };
        let missing = playground.not_running().await;
        playground.mongodb.start(say).await?;
        let came = match (is_new, missing.is_empty()) {
            (true, _) => Came::New,
            (false, true) => Came::Already,
            (false, false) => Came::Again(missing),
        };
        Ok((playground, came))
    }

    /// Ends all servers of a directory; says whether there was anything.
    pub async fn down(directory: &Path, data: Data, say: Say<'_>) -> Result<bool> {
        let found = Directory::existing(directory)?;
        let Some(found) = found.filter(Directory::is_ours) else {
            // Whoever removed the directory left the servers.
            let home = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
            end_all_under(&directory::mongodb_in(&home)).await?;
            return Ok(false);
        };
        let Some(_alone) = found.lock(say)? else { return Ok(false) };
        end_all_under(&found.mongodb()).await?;
        if data == Data::Removed {
            found.clear()?;
        }
        Ok(true)
    }

    /// The MongoDB cluster.
    #[must_use]
    pub fn mongodb(&self) -> &Cluster {
        &self.mongodb
    }

    /// The address of the cluster's router, without a password.
    #[must_use]
    pub fn mongodb_uri(&self) -> String {
        self.mongodb.uri()
    }

    /// Ends a server at once.
    pub async fn kill(&self, name: &str) -> Result<()> {
        self.mongodb.kill(name).await
    }

    /// Makes a server stand still.
    pub async fn pause(&self, name: &str) -> Result<()> {
        self.mongodb.pause(name).await
    }

    /// Wakes or starts a server, and waits until it does its part again.
    pub async fn revive(&self, name: &str) -> Result<()> {
        self.mongodb.revive(name).await
    }

    fn of(directory: &Directory, plan: &Plan, binaries: Binaries) -> Result<Playground> {
        let MongoPlan { ports, .. } = &plan.mongodb;
        let security = Security::read(plan.mongodb.demands(), directory.path())?;
        let shape = plan.mongodb.shape()?;
        if ports.len() != Cluster::names(shape).len() {
            return Err(wrong_input(format!(
                "{} has not a port for each server of a {shape}",
                directory.path().display()
            )));
        }
        let mongodb =
            Cluster::new(&directory.mongodb(), shape, ports, security, binaries, Launcher::Detached);
        Ok(Playground { mongodb, _alone: None })
    }

    async fn not_running(&self) -> Vec<String> {
        let members: Vec<Member> = self.mongodb.members().await;
        members.into_iter().filter(|member| member.state != State::Up).map(|member| member.name).collect()
    }
}

/// Everything that must be known before the first server starts, written down.
fn begin(directory: &Directory, wishes: Wishes, say: Say<'_>) -> Result<Playground> {
    let shape = match wishes.mongodb {
        Some(shape) => shape,
        None => Wishes::DEFAULT.parse()?,
    };
    let binaries = binaries::find_or_install(say)?;
    say(&format!("MongoDB {} from {}", binaries.version(), binaries.folder().display()));
    Security::make(wishes.demands, directory.path())?;
    let ports = ports::free(Cluster::names(shape).len())?;
    let plan = Plan { mongodb: MongoPlan::new(shape, wishes.demands, ports, &binaries) };
    directory.write(&plan)?;
    Playground::of(directory, &plan, binaries)
}

fn nothing_in(directory: &Path) -> crate::PlaygroundError {
    wrong_input(format!(
        "there is no playground in {0}; start one with `mworld playground --dir {0} up`, or name another directory with --dir",
        directory.display()
    ))
}
