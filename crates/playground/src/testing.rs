//! Clusters for tests: real servers that die with the test's process, however that ends.
//!
//! ```no_run
//! # async fn test() {
//! let cluster = mworld_playground::testing::cluster(2, 1).await;
//! let uri = cluster.uri_of("a_database_of_this_test");
//! # }
//! ```

mod janitor;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use mworld_mongo::admin::Access;
use tokio::sync::OnceCell;

use self::janitor::Janitor;
use crate::mongodb::{Cluster, Demands, Member, Security};
use crate::{Launcher, Result, Shape, binaries, ports};

/// The address of a cluster that is there already, to be used instead of one that is started.
const EXISTING: &str = "MWORLD_MONGODB";

/// How often a start is tried: somebody may take a port between the moment when it was found free and the moment when
/// the server wants it.
const TRIES: usize = 3;

/// A cluster of a test.
#[derive(Debug)]
pub struct TestCluster(Which);

#[derive(Debug)]
enum Which {
    /// Started here.
    Own(Box<OwnCluster>),
    /// The one whose address the environment names.
    Existing(String),
}

/// A cluster that was started for this process.
#[derive(Debug)]
struct OwnCluster {
    cluster: Cluster,
    /// Removes the directory, after the servers' end.
    _janitor: Janitor,
}

/// A cluster that all tests of this process share. Each test takes a database of its own, and leaves the servers alone.
///
/// # Panics
/// If it cannot be had, with what to do about it: a test that needs a cluster is never passed over.
pub async fn cluster(shards: u8, members: u8) -> Arc<TestCluster> {
    type Shared = HashMap<Shape, Arc<OnceCell<Arc<TestCluster>>>>;
    static SHARED: LazyLock<Mutex<Shared>> = LazyLock::new(Mutex::default);
    let shape = or_panic(Shape::new(shards, members));
    let cell = SHARED.lock().unwrap_or_else(PoisonError::into_inner).entry(shape).or_default().clone();
    let start = || async {
        Arc::new(TestCluster(match std::env::var(EXISTING) {
            Ok(address) if !address.is_empty() => Which::Existing(address),
            _ => Which::Own(or_panic(start(shape, Demands::default()).await)),
        }))
    };
    cell.get_or_init(start).await.clone()
}

/// A cluster for one test, which may break it. Its servers end when it is dropped.
///
/// # Panics
/// If it cannot be had, with what to do about it.
pub async fn private_cluster(shards: u8, members: u8) -> TestCluster {
    guarded_cluster(shards, members, Demands::default()).await
}

/// The same, and it demands something of those who come.
///
/// # Panics
/// If it cannot be had, with what to do about it.
pub async fn guarded_cluster(shards: u8, members: u8, demands: Demands) -> TestCluster {
    TestCluster(Which::Own(or_panic(start(or_panic(Shape::new(shards, members)), demands).await)))
}

async fn start(shape: Shape, demands: Demands) -> Result<Box<OwnCluster>> {
    let say = |line: &str| eprintln!("test cluster: {line}");
    let binaries = binaries::find_or_install(&say)?;
    let mut tries = 0;
    loop {
        tries += 1;
        let janitor = Janitor::hire()?;
        let ports = ports::free(Cluster::names(shape).len())?;
        let security = Security::make(demands, janitor.directory())?;
        let cluster =
            Cluster::new(janitor.directory(), shape, &ports, security, binaries.clone(), Launcher::Bound);
        // Dropped if the start fails or is given up, and the servers with it.
        let own = Box::new(OwnCluster { cluster, _janitor: janitor });
        match own.cluster.start(&|_| ()).await {
            Ok(()) => return Ok(own),
            Err(error) if tries < TRIES => say(&format!("{error}; trying again with other ports")),
            Err(error) => return Err(error),
        }
    }
}

fn or_panic<T>(result: Result<T>) -> T {
    result.unwrap_or_else(|error| {
        panic!("this test needs a MongoDB cluster: {error} (a test can also be given a cluster that is there already: {EXISTING}=mongodb://host:port)")
    })
}

impl TestCluster {
    /// The router's address, without a password.
    #[must_use]
    pub fn uri(&self) -> String {
        match &self.0 {
            Which::Own(own) => own.cluster.uri(),
            Which::Existing(address) => address.clone(),
        }
    }

    /// The same for another database.
    ///
    /// # Panics
    /// If the environment names an existing cluster by something that is no address.
    #[must_use]
    pub fn uri_of(&self, database: &str) -> String {
        match &self.0 {
            Which::Own(own) => own.cluster.uri_of(database),
            Which::Existing(address) => with_database(address, database)
                .unwrap_or_else(|| panic!("{EXISTING} is \"{address}\" and must be mongodb://host:port")),
        }
    }

    /// How to get in as the administrator.
    #[must_use]
    pub fn access(&self) -> Access {
        match &self.0 {
            Which::Own(own) => own.cluster.access(),
            Which::Existing(_) => Access::default(),
        }
    }

    /// Every server, asked now.
    pub async fn members(&self) -> Vec<Member> {
        self.own().members().await
    }

    /// Ends a server at once.
    pub async fn kill(&self, name: &str) {
        or_panic(self.own().kill(name).await);
    }

    /// Makes a server stand still.
    pub async fn pause(&self, name: &str) {
        or_panic(self.own().pause(name).await);
    }

    /// Wakes or starts a server, and waits until it does its part again.
    pub async fn revive(&self, name: &str) {
        or_panic(self.own().revive(name).await);
    }

    fn own(&self) -> &Cluster {
        match &self.0 {
            Which::Own(own) => &own.cluster,
            Which::Existing(address) => {
                panic!(
                    "{address} is not ours to look into; unset {EXISTING}, or take a private_cluster for this test"
                )
            }
        }
    }
}

impl Drop for OwnCluster {
    fn drop(&mut self) {
        self.cluster.abandon();
    }
}

/// The address with its database put in place of the one it names, if any.
fn with_database(address: &str, database: &str) -> Option<String> {
    let rest = address.strip_prefix("mongodb://")?;
    let (rest, options) = rest.split_once('?').map_or((rest, None), |(rest, options)| (rest, Some(options)));
    let hosts = rest.split_once('/').map_or(rest, |(hosts, _)| hosts);
    let options = options.map(|options| format!("?{options}")).unwrap_or_default();
    Some(format!("mongodb://{hosts}/{database}{options}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_takes_another_database() {
        for (address, expected) in [
            ("mongodb://a:1", "mongodb://a:1/x"),
            ("mongodb://a:1/", "mongodb://a:1/x"),
            ("mongodb://u:p@a:1,b:2/y?tls=true", "mongodb://u:p@a:1,b:2/x?tls=true"),
            ("mongodb://a:1?tls=true", "mongodb://a:1/x?tls=true"),
        ] {
            assert_eq!(with_database(address, "x").as_deref(), Some(expected));
        }
        assert_eq!(with_database("a:1", "x"), None);
    }
}
