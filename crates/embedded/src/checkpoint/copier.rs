//! The thread that copies: without a sync of SQLite's, then page by page onto the disk, then one sync.
//!
//! SQLite thinks a page is safe once it has copied it, and would let the writer overwrite the log. It is safe only
//! after the sync here. Between the two, an open read transaction (the pin) keeps the log from starting again. A
//! process that dies in between leaves the whole log, and opening copies all of it anew.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};

use rusqlite::Connection;

use super::write_back::write_back;
use super::{Done, LOG_KEPT, Round, checkpoint, keep_log_on_close};
use crate::writer::configure;

pub(super) struct Copier {
    /// Copies, and never syncs.
    copying: Connection,
    /// Reads, so that the log cannot start again.
    pin: Connection,
    /// The store's file, to sync it.
    file: Arc<File>,
}

impl Copier {
    pub(super) fn open(path: &Path, file: Arc<File>) -> rusqlite::Result<Copier> {
        let (copying, pin) = (Connection::open(path)?, Connection::open(path)?);
        configure(&copying)?;
        copying.execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -64;")?;
        configure(&pin)?;
        pin.execute_batch("PRAGMA cache_size = -64;")?;
        keep_log_on_close(&copying)?;
        keep_log_on_close(&pin)?;
        Ok(Copier { copying, pin, file })
    }

    /// Does one round after the other, until nobody asks any more or the disk fails.
    pub(super) fn work(self, wanted: &Receiver<Round>, ended: &SyncSender<Done>) {
        while let Ok(round) = wanted.recv() {
            if let Err(error) = self.round(round) {
                // What was copied may not be on the disk, so the log must never start again. The open read transaction
                // sees to that until the process ends; then opening copies the whole log anew. The file stays open
                // with it, because closing it would take the transaction's lock away.
                std::mem::forget((self.pin, self.file));
                tracing::error!(%error, "{LOG_KEPT}");
                let _ = ended.send(Done::Failed);
                return;
            }
            let _ = ended.send(Done::Copied);
        }
    }

    fn round(&self, round: Round) -> std::io::Result<()> {
        match self.copy() {
            Ok(()) => {
                write_back(&self.file, round)?;
                self.file.sync_data()?;
            }
            Err(error) => tracing::warn!(%error, "the log was not copied this time; it is tried again"),
        }
        let _ = self.pin.execute_batch("ROLLBACK");
        Ok(())
    }

    /// Copies what is in the log, and holds the log. A full disk usually fails here, before SQLite believes that
    /// anything was copied.
    fn copy(&self) -> rusqlite::Result<()> {
        // Reading anything begins the transaction.
        self.pin.execute_batch("BEGIN; PRAGMA user_version;")?;
        checkpoint(&self.copying, "PASSIVE").map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_copied_but_not_synced_keeps_the_log_from_starting_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("store");
        let writer = Connection::open(&path).unwrap();
        configure(&writer).unwrap();
        writer.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1);").unwrap();
        let copier = Copier::open(&path, Arc::new(File::open(&path).unwrap())).unwrap();
        copier.copy().unwrap();
        let copied = checkpoint(&writer, "NOOP").unwrap();
        assert_eq!(copied.left(), 0, "SQLite would start the log again with the next commit");
        writer.execute_batch("INSERT INTO t VALUES (2)").unwrap();
        assert!(checkpoint(&writer, "NOOP").unwrap().pages > copied.pages, "but it must go on");
        copier.pin.execute_batch("ROLLBACK").unwrap();
        copier.round(Round { pages: 2, at_once: 2 }).unwrap();
        writer.execute_batch("INSERT INTO t VALUES (3)").unwrap();
        assert!(
            checkpoint(&writer, "NOOP").unwrap().pages < copied.pages,
            "after a whole round it starts again"
        );
    }
}
