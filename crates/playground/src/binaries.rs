//! MongoDB's programs: found on this machine, or installed into a cache of our own.
//!
//! Looked for in this order: `MONGODB_HOME`, `PATH`, the cache; then they are installed there. The cache is
//! `MWORLD_ENGINES`, or `mworld/engines` in the user's cache folder.

mod cache;
mod install;
mod integrity;
mod libssl;
mod step;
mod version;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::Say;
use crate::error::{Result, failed, wrong_input};

pub use self::version::Version;

/// The oldest MongoDB that the store is written for.
const OLDEST: u32 = 7;

/// What to do when MongoDB can neither be found nor installed.
const NEXT_STEP: &str = "install MongoDB 7 or newer (mongod and mongos), or set MONGODB_HOME to the folder that holds it, \
                         or use a cluster that you have already: `mworld serve --mongodb URI`";

/// `mongod` and `mongos`, in one folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binaries {
    folder: PathBuf,
    version: Version,
}

impl Binaries {
    /// The database server.
    #[must_use]
    pub fn mongod(&self) -> PathBuf {
        self.folder.join("mongod")
    }

    /// The router.
    #[must_use]
    pub fn mongos(&self) -> PathBuf {
        self.folder.join("mongos")
    }

    /// The folder that holds both.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// As it says itself.
    #[must_use]
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// Those that were found before; whether they are still there shows when they are run.
    pub(crate) fn known(folder: &Path, version: Version) -> Binaries {
        Binaries { folder: folder.to_owned(), version }
    }

    /// Those of a folder, if they run.
    pub fn in_folder(folder: &Path) -> Result<Binaries> {
        let version = version::ask(&folder.join("mongod"))?;
        version::ask(&folder.join("mongos"))?;
        if version.major() < OLDEST {
            return Err(failed(format!(
                "MongoDB in {} is {version}, and {OLDEST}.0 is the oldest that will do",
                folder.display()
            )));
        }
        Ok(Binaries { folder: folder.to_owned(), version })
    }
}

/// Finds MongoDB on this machine, or installs it. Blocks: an installation takes as long as a download of 130 MB.
pub fn find_or_install(say: Say<'_>) -> Result<Binaries> {
    if let Some(home) = std::env::var_os("MONGODB_HOME").filter(|home| !home.is_empty()) {
        return at_home(Path::new(&home));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    for folder in folders_with_both(&path) {
        match Binaries::in_folder(&folder) {
            Ok(found) => return Ok(found),
            Err(error) => say(&format!("passing over MongoDB on PATH: {error}")),
        }
    }
    let cache = cache::folder()?;
    install::cached_or_new(&cache, say).map_err(|error| {
        failed(format!(
            "there is no MongoDB on this machine (MONGODB_HOME is not set, PATH has none that will do, {} neither), and it \
             could not be installed: {error}. Next: {NEXT_STEP}",
            cache.display()
        ))
    })
}

/// What the person named must be right: looking elsewhere would hide the slip.
fn at_home(home: &Path) -> Result<Binaries> {
    let folder = [home.join("bin"), home.to_owned()].into_iter().find(|folder| holds_both(folder));
    let folder = folder.ok_or_else(|| {
        wrong_input(format!(
            "MONGODB_HOME is \"{}\", but neither it nor its folder bin holds mongod and mongos; correct it or unset it",
            home.display()
        ))
    })?;
    Binaries::in_folder(&folder).map_err(|error| {
        wrong_input(format!("MONGODB_HOME is \"{}\": {error}; correct it or unset it", home.display()))
    })
}

fn folders_with_both(path: &OsStr) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(path).filter(|folder| holds_both(folder))
}

fn holds_both(folder: &Path) -> bool {
    folder.join("mongod").is_file() && folder.join("mongos").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_without_the_programs_is_refused_by_name() {
        let home = tempfile::tempdir().unwrap();
        let refused = at_home(home.path()).unwrap_err();
        assert_eq!(refused.kind(), crate::Kind::WrongInput);
        assert!(refused.to_string().contains(home.path().to_str().unwrap()), "{refused}");
    }

    #[test]
    fn a_folder_counts_only_with_both_programs() {
        let (one, both) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for file in [one.path().join("mongod"), both.path().join("mongod"), both.path().join("mongos")] {
            std::fs::write(file, "").unwrap();
        }
        let path = std::env::join_paths([one.path(), both.path()]).unwrap();
        assert_eq!(folders_with_both(&path).collect::<Vec<_>>(), [both.path()]);
    }
}
