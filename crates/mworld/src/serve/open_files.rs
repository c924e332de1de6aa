//! How many files, and so how many connections, the process may have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// More than the server's connections and the engine's files together.
const WANTED: u64 = 65_536;

/// Takes as many as the system allows this process without asking anybody. Many systems begin with 1,024, kept so
/// low for programs of another age; `select` is not used here.
pub(crate) fn raise() {
    let limit = getrlimit(Resource::Nofile);
    let Some(current) = limit.current else { return };
    let wanted = limit.maximum.map_or(WANTED, |maximum| maximum.min(WANTED));
    if current >= wanted {
        return;
    }
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum: limit.maximum })
    {
        tracing::warn!(%error, current, wanted, "the number of open files could not be raised");
    }
}
