//! The flags that make servers small and quick.

use std::ffi::OsString;
use std::path::PathBuf;

use super::{Cluster, Part, Server};
use crate::process::MARK;

/// What every `mongod` gets. Sizes: the least that MongoDB takes without complaint. Delays: ranges that were moved are
/// deleted after a second instead of an hour, expired documents are looked for every second instead of every minute, and
/// an idle shard lets a change stream pass after a second instead of ten.
const MONGOD: [&str; 14] = [
    "--wiredTigerCacheSizeGB=0.25",
    "--oplogSize=50",
    "--wiredTigerEngineConfigString=log=(prealloc=false,file_max=10MB)",
    "--setParameter=orphanCleanupDelaySecs=1",
    "--setParameter=ttlMonitorSleepSecs=1",
    "--setParameter=periodicNoopIntervalSecs=1",
    "--setParameter=shutdownTimeoutMillisForSignaledShutdown=100",
    "--setParameter=diagnosticDataCollectionEnabled=false",
    "--setParameter=enableTestCommands=1",
    "--bind_ip=127.0.0.1",
    "--nounixsocket",
    "--logappend",
    "--timeStampFormat=iso8601-utc",
    "--quiet",
];

/// What the config server gets besides: a change of a shard key may be over in a second instead of five minutes.
const CONFIG: &str = "--setParameter=reshardingMinimumOperationDurationMillis=1000";

const MONGOS: [&str; 7] = [
    "--setParameter=mongosShutdownTimeoutMillisForSignaledShutdown=100",
    "--setParameter=diagnosticDataCollectionEnabled=false",
    "--setParameter=enableTestCommands=1",
    "--bind_ip=127.0.0.1",
    "--nounixsocket",
    "--logappend",
    "--timeStampFormat=iso8601-utc",
];

/// The command line of a server, without the program.
pub(super) fn of(cluster: &Cluster, server: &Server) -> Vec<OsString> {
    let mut flags = Flags(Vec::new());
    flags.pair(MARK, cluster.log(server)).pair("--port", server.port().to_string());
    match server.part() {
        Part::Config => flags.each(&MONGOD).each(&["--configsvr", CONFIG]),
        Part::Shard(_) => flags.each(&MONGOD).each(&["--shardsvr"]),
        Part::Router => {
            let config: Vec<String> = cluster.of_part(Part::Config).map(Server::address).collect();
            let set = Part::Config.set().unwrap_or_default();
            flags.each(&MONGOS).pair("--configdb", format!("{set}/{}", config.join(",")))
        }
    };
    if let Some(set) = server.part().set() {
        flags.pair("--replSet", set).pair("--dbpath", data(cluster, server));
    }
    if let Some(auth) = &cluster.security().auth {
        flags.pair("--keyFile", &auth.key_file);
    }
    if let Some(tls) = &cluster.security().tls {
        flags.each(&["--tlsMode=requireTLS", "--tlsAllowConnectionsWithoutCertificates"]);
        flags.pair("--tlsCertificateKeyFile", &tls.certificate_file).pair("--tlsCAFile", &tls.ca_file);
    }
    flags.0
}

/// Where a server keeps its data.
pub(super) fn data(cluster: &Cluster, server: &Server) -> PathBuf {
    cluster.home.join(server.name())
}

/// What a server said before it had a log.
pub(super) fn words(cluster: &Cluster, server: &Server) -> PathBuf {
    cluster.home.join(format!("{}.out", server.name()))
}

struct Flags(Vec<OsString>);

impl Flags {
    fn pair(&mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> &mut Flags {
        self.0.push(name.into());
        self.0.push(value.as_ref().to_owned());
        self
    }

    fn each(&mut self, flags: &[&str]) -> &mut Flags {
        self.0.extend(flags.iter().map(OsString::from));
        self
    }
}
