//! `mworld backup` and `mworld restore`: the embedded store as one file, and back.

use mworld_embedded::BackupError;

use crate::cli::{Backup, Restore};
use crate::config::{self, Flags};
use crate::failure::{Failure, Outcome, failed, wrong_input};
use crate::output;
use crate::progress::{Progress, Unit};

/// Copies the store, also while it sells.
pub(crate) fn backup(command: &Backup) -> Outcome {
    let flags = Flags { data: command.data.clone(), ..Flags::default() };
    let data = config::load(&flags, std::env::vars_os())?.config.data;
    let mut progress = Progress::new("copying", Unit::Pages, None);
    let copied =
        mworld_embedded::backup(&data, &command.file, |copied| progress.reach_of(copied.done, copied.total));
    progress.finish();
    copied.map_err(|error| in_words(&error))?;
    output::result(&format!("{} is copied to {}\n", data.display(), command.file.display()));
    Ok(())
}

/// Makes a new data directory from a copy.
pub(crate) fn restore(command: &Restore) -> Outcome {
    mworld_embedded::restore(&command.file, &command.data).map_err(|error| in_words(&error))?;
    let data = command.data.display();
    output::result(&format!(
        "{} is restored to {data}; start it with `mworld serve --data {data}`\n",
        command.file.display()
    ));
    Ok(())
}

/// What the person named is at fault, or the disk.
fn in_words(error: &BackupError) -> Failure {
    match error {
        BackupError::NoStore(_)
        | BackupError::Exists(_)
        | BackupError::NotEmpty(_)
        | BackupError::Unsound { .. }
        | BackupError::NewerSchema { .. } => wrong_input(error.to_string()),
        BackupError::Io { .. } => failed(error.to_string()),
    }
}
