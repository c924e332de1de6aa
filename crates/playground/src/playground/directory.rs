//! The directory of a playground: what in it is ours, who works in it, what it says.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::plan::Plan;
use crate::Say;
use crate::error::{Result, on_path, wrong_input};
use crate::mongodb::SECURITY_FILES;

/// What is written down.
const PLAN: &str = "playground.json";
const PLAN_UNDER_WAY: &str = "playground.json.new";
const LOCK: &str = "playground.lock";
const MONGODB: &str = "mongodb";

/// A directory that exists, by the one path by which its servers are known.
#[derive(Debug)]
pub(super) struct Directory {
    path: PathBuf,
}

/// As long as it lives, nobody else works in the directory.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

/// Where MongoDB's servers of a playground have their data and logs.
pub(super) fn mongodb_in(path: &Path) -> PathBuf {
    path.join(MONGODB)
}

impl Directory {
    /// Makes the directory if it is not there.
    pub(super) fn create(path: &Path) -> Result<Directory> {
        if path.exists() && !path.is_dir() {
            return Err(wrong_input(format!("{} is no directory; name another with --dir", path.display())));
        }
        fs::create_dir_all(path).map_err(|error| on_path("creating", path, error))?;
        let path = fs::canonicalize(path).map_err(|error| on_path("opening", path, error))?;
        Ok(Directory { path })
    }

    /// The directory, if it is there.
    pub(super) fn existing(path: &Path) -> Result<Option<Directory>> {
        match fs::canonicalize(path) {
            Ok(path) => Ok(path.is_dir().then_some(Directory { path })),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(on_path("opening", path, error)),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn mongodb(&self) -> PathBuf {
        mongodb_in(&self.path)
    }

    /// Waits until nobody else works here; `None` if whoever did has removed it.
    pub(super) fn lock(&self, say: Say<'_>) -> Result<Option<Lock>> {
        let path = self.path.join(LOCK);
        let file = match File::options().create(true).append(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(on_path("creating", &path, error)),
        };
        if file.try_lock().is_err() {
            say(&format!(
                "another `mworld playground` is at work in {}; waiting for it",
                self.path.display()
            ));
            file.lock().map_err(|error| on_path("locking", &path, error))?;
        }
        // A lock on a file that is no longer there keeps nobody out.
        let here = fs::metadata(&path).and_then(|here| Ok(here.ino() == file.metadata()?.ino()));
        Ok(here.unwrap_or(false).then_some(Lock { _file: file }))
    }

    /// What is written down, if anything is.
    pub(super) fn plan(&self) -> Result<Option<Plan>> {
        let path = self.path.join(PLAN);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(on_path("reading", &path, error)),
        };
        let plan = serde_json::from_str(&text);
        plan.map(Some).map_err(|error| {
            wrong_input(format!(
                "{} cannot be understood: {error}; `mworld playground --dir {} down` clears the directory",
                path.display(),
                self.path.display()
            ))
        })
    }

    /// Writes it down, whole or not at all.
    pub(super) fn write(&self, plan: &Plan) -> Result<()> {
        let (new, path) = (self.path.join(PLAN_UNDER_WAY), self.path.join(PLAN));
        let text = serde_json::to_string_pretty(plan).expect("a plan has no map whose keys are no text");
        let written = fs::write(&new, text + "\n").and_then(|()| fs::rename(&new, &path));
        written.map_err(|error| on_path("writing", &path, error))
    }

    /// Whether it is a playground, or what an interrupted `up` left of one that was never written down.
    pub(super) fn is_ours(&self) -> bool {
        let holds = |name| self.path.join(name).exists();
        holds(PLAN) || (holds(LOCK) && self.refuse_strangers().is_ok())
    }

    /// Refuses a directory with other people's things in it: `down` must be able to say what is ours. Before anything is
    /// written down only the first files can be.
    pub(super) fn refuse_strangers(&self) -> Result<()> {
        let entries = fs::read_dir(&self.path).map_err(|error| on_path("reading", &self.path, error))?;
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let is_ours = |name: &String| first_files().any(|ours| ours == name);
        match names.filter(|name| !is_ours(name)).min() {
            None => Ok(()),
            Some(stranger) => Err(wrong_input(format!(
                "{} is no playground and not empty ({stranger} is there); name a new or empty directory with --dir",
                self.path.display()
            ))),
        }
    }

    /// Removes all that is ours, and the directory if nothing else is in it. What is written down goes after the data:
    /// whoever is interrupted here can begin again.
    pub(super) fn clear(&self) -> Result<()> {
        if self.path.join(PLAN).exists() {
            remove(&self.mongodb())?;
            remove(&self.path.join(PLAN))?;
        }
        first_files().filter(|name| *name != LOCK).try_for_each(|name| remove(&self.path.join(name)))?;
        self.leave();
        Ok(())
    }

    /// Removes the directory if nothing is in it but the lock.
    pub(super) fn leave(&self) {
        if !self.path.join(PLAN).exists() {
            // Somebody else's things may be there, and then it stays.
            let _ = fs::remove_file(self.path.join(LOCK));
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// What may be there before anything is written down.
fn first_files() -> impl Iterator<Item = &'static str> {
    [LOCK, PLAN_UNDER_WAY].into_iter().chain(SECURITY_FILES)
}

fn remove(path: &Path) -> Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(on_path("removing", path, error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_peoples_things_are_neither_taken_nor_removed() {
        let folder = tempfile::tempdir().unwrap();
        let directory = Directory::create(folder.path()).unwrap();
        fs::create_dir(folder.path().join(MONGODB)).unwrap();
        assert!(!directory.is_ours());
        assert!(directory.refuse_strangers().unwrap_err().to_string().contains("(mongodb is there)"));
        directory.clear().unwrap();
        assert!(folder.path().join(MONGODB).exists());
    }

    #[test]
    fn a_directory_that_was_left_at_once_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let directory = Directory::create(&folder.path().join("a/b")).unwrap();
        let lock = directory.lock(&|_| ()).unwrap();
        assert!(lock.is_some() && directory.is_ours());
        directory.leave();
        assert!(!directory.path().exists());
        assert!(directory.lock(&|_| ()).unwrap().is_none());
    }
}
