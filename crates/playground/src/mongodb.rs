//! A sharded MongoDB cluster: one config server, shards of one or more members, one router.

mod ask;
mod fault;
mod flags;
mod members;
mod plan;
mod security;
mod set_up;
mod stop;
mod users;

use std::path::{Path, PathBuf};

use mworld_mongo::admin::Access;

use crate::binaries::Binaries;
use crate::error::{Result, on_path, wrong_input};
use crate::launch::Launcher;
use crate::process::Process;
use crate::{Say, Shape};

pub use self::members::{Member, Role};
pub use self::plan::{Part, Server};
pub(crate) use self::security::FILES as SECURITY_FILES;
pub use self::security::{Auth, Demands, Security, Tls, USER};
pub(crate) use self::stop::end_all_under;

/// The database that an address of ours names; a shop may take any other.
const DATABASE: &str = "mworld";

/// A cluster whose servers keep their data and logs in one folder. Its value is a description; what of it runs is
/// asked anew at every call.
#[derive(Debug, Clone)]
pub struct Cluster {
    home: PathBuf,
    shape: Shape,
    servers: Vec<Server>,
    security: Security,
    binaries: Binaries,
    launcher: Launcher,
}

impl Cluster {
    /// Describes a cluster; `ports` has one for each of [`Cluster::names`], in that order. `home` must be absolute: the
    /// servers are known by it.
    pub fn new(
        home: &Path,
        shape: Shape,
        ports: &[u16],
        security: Security,
        binaries: Binaries,
        launcher: Launcher,
    ) -> Cluster {
        let servers = plan::servers(shape, ports);
        Cluster { home: home.to_owned(), shape, servers, security, binaries, launcher }
    }

    /// The names of the servers of a shape: what `kill`, `pause` and `revive` take.
    #[must_use]
    pub fn names(shape: Shape) -> Vec<String> {
        plan::names(shape).into_iter().map(|(name, _)| name).collect()
    }

    /// Starts what does not run, wakes what is paused, and makes one cluster of it; harmless where all is well, and
    /// it finishes what an interrupted start left.
    pub async fn start(&self, say: Say<'_>) -> Result<()> {
        std::fs::create_dir_all(&self.home).map_err(|error| on_path("creating", &self.home, error))?;
        set_up::run(self, say).await
    }

    /// Every server, asked now.
    pub async fn members(&self) -> Vec<Member> {
        members::ask_all(self).await
    }

    /// Ends a server at once, as a power failure would.
    pub async fn kill(&self, name: &str) -> Result<()> {
        fault::kill(self, self.server(name)?).await
    }

    /// Makes a server stand still: it keeps its connections and answers nobody.
    pub async fn pause(&self, name: &str) -> Result<()> {
        fault::pause(self, self.server(name)?).await
    }

    /// Wakes a paused server or starts one that is down, and waits until it does its part again.
    pub async fn revive(&self, name: &str) -> Result<()> {
        fault::revive(self, self.server(name)?).await
    }

    /// Ends all servers in order; those that do not end in a few seconds are killed.
    pub async fn stop(&self) -> Result<()> {
        stop::run(self).await
    }

    /// Kills all servers, without waiting for their end.
    pub fn abandon(&self) {
        stop::kill_all(self);
    }

    /// The router's address, without a password.
    #[must_use]
    pub fn uri(&self) -> String {
        self.uri_of(DATABASE)
    }

    /// The same for another database.
    #[must_use]
    pub fn uri_of(&self, database: &str) -> String {
        let user = if self.security.auth.is_some() { format!("{USER}@") } else { String::new() };
        let options = self.security.uri_options();
        format!("mongodb://{user}{}/{database}{options}", self.router().address())
    }

    /// How to get in as the administrator.
    #[must_use]
    pub fn access(&self) -> Access {
        self.security.access()
    }

    /// The programs that it runs.
    #[must_use]
    pub fn binaries(&self) -> &Binaries {
        &self.binaries
    }

    /// How large it is.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// What it demands of those who come.
    #[must_use]
    pub fn security(&self) -> &Security {
        &self.security
    }

    /// The servers as they were planned.
    #[must_use]
    pub fn servers(&self) -> &[Server] {
        &self.servers
    }

    fn server(&self, name: &str) -> Result<&Server> {
        self.servers.iter().find(|server| server.name() == name).ok_or_else(|| {
            let known: Vec<&str> = self.servers.iter().map(Server::name).collect();
            wrong_input(format!("there is no member \"{name}\"; the members are {}", known.join(", ")))
        })
    }

    fn router(&self) -> &Server {
        self.of_part(Part::Router).next().expect("every plan has a router")
    }

    fn of_part(&self, part: Part) -> impl Iterator<Item = &Server> {
        self.servers.iter().filter(move |server| server.part() == part)
    }

    fn log(&self, server: &Server) -> PathBuf {
        self.home.join(format!("{}.log", server.name()))
    }

    fn process(&self, server: &Server) -> Option<Process> {
        Process::find(&self.log(server))
    }
}
