//! The small file that remembers how far a long piece of work has come.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::{Outcome, failed, wrong_input};

/// The text of a file that somebody named. What is too long is not read to its end: it may have none.
pub(crate) fn text_of(file: &Path, longest: u64) -> std::io::Result<String> {
    let invalid = |why: String| std::io::Error::new(std::io::ErrorKind::InvalidData, why);
    let mut bytes = Vec::new();
    std::fs::File::open(file)?.take(longest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > longest {
        return Err(invalid(format!("it is longer than {longest} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        invalid(format!("byte {} is no UTF-8; save it as UTF-8", error.utf8_error().valid_up_to()))
    })
}

/// A place for one small record, replaced as a whole: a crash leaves the old one or the new one, never half of one.
pub(crate) struct NoteFile {
    path: PathBuf,
}

impl NoteFile {
    /// At that path.
    pub(crate) fn new(path: PathBuf) -> NoteFile {
        NoteFile { path }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What was noted, if there is a note.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Outcome<Option<T>> {
        let text = match std::fs::read(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(cannot("read", &self.path, &error)),
        };
        serde_json::from_slice(&text).map(Some).map_err(|error| {
            wrong_input(format!(
                "{} does not read as a note of progress ({error}); delete it to start from the beginning",
                self.path.display()
            ))
        })
    }

    /// Notes this instead of what was there.
    pub(crate) fn write(&self, note: &impl Serialize) -> Outcome {
        let text = serde_json::to_vec(note).expect("a note of progress is plain data");
        let new = beside(&self.path, "new");
        let write = || -> std::io::Result<()> {
            if let Some(directory) = self.path.parent() {
                std::fs::create_dir_all(directory)?;
            }
            let mut file = std::fs::File::create(&new)?;
            file.write_all(&text)?;
            file.sync_all()?;
            std::fs::rename(&new, &self.path)
        };
        write().map_err(|error| cannot("write", &self.path, &error))
    }

    /// The work is done.
    pub(crate) fn remove(&self) -> Outcome {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(cannot("delete", &self.path, &error))
            }
            _ => Ok(()),
        }
    }
}

/// `FILE.ending`, beside the file.
pub(crate) fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// A file that cannot be used, in words.
pub(crate) fn cannot(what: &str, path: &Path, error: &std::io::Error) -> crate::failure::Failure {
    failed(format!("cannot {what} {}: {error}; see to its directory's rights and space", path.display()))
}
