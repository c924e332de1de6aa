//! `mworld export FILE`

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::{Method, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::cli::Transfer;
use crate::client::Client;
use crate::failure::{Outcome, failed, wrong_input};
use crate::note::{NoteFile, beside, cannot};
use crate::output;
use crate::progress::{Progress, Unit};

/// What the note beside the file says.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Note {
    /// The store that the cursor belongs to.
    store: String,
    /// Where the next page begins.
    cursor: Option<String>,
    /// How much of FILE.part belongs to the pages before it.
    bytes: u64,
    products: u64,
}

/// One page of the list. Products are copied as the store wrote them.
#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    items: Vec<&'a RawValue>,
    next: Option<String>,
}

/// Saves every product, newest first, an order in which nothing moves while the store is being edited.
pub(crate) async fn export(command: &Transfer) -> Outcome {
    let client = Client::new(&command.url, None)?;
    let part = beside(&command.file, "part");
    let sidecar = NoteFile::new(beside(&command.file, "cursor"));
    let note = sidecar.read::<Note>()?.filter(|note| note.store == client.base() && part.exists());
    if let Some(note) = &note {
        output::notice(&format!(
            "going on after {} products, where the last export was stopped\n",
            note.products
        ));
    }
    let note = note.unwrap_or_else(|| Note { store: client.base().to_owned(), ..Note::default() });
    let file = open_part(&part, note.bytes)?;
    let mut export = Export {
        part: &part,
        file,
        sidecar,
        note,
        noted: Instant::now(),
        progress: Progress::new("exporting", Unit::Products, None),
    };
    if let Err(failure) = export.run(&client).await {
        export.stop()?;
        return Err(failure);
    }
    export.file.sync_all().map_err(|error| cannot("write", &part, &error))?;
    std::fs::rename(&part, &command.file).map_err(|error| cannot("write", &command.file, &error))?;
    export.sidecar.remove()?;
    export.progress.finish();
    output::result(&format!("exported {} products to {}\n", export.note.products, command.file.display()));
    Ok(())
}

/// FILE.part, cut to what the note vouches for.
fn open_part(part: &Path, bytes: u64) -> Outcome<File> {
    let open = || -> std::io::Result<File> {
        let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(part)?;
        file.set_len(bytes)?;
        file.seek(SeekFrom::Start(bytes))?;
        Ok(file)
    };
    open().map_err(|error| {
        wrong_input(format!(
            "{} cannot be written: {error}; name a file in a directory that you may write",
            part.display()
        ))
    })
}

struct Export<'a> {
    part: &'a Path,
    file: File,
    sidecar: NoteFile,
    note: Note,
    noted: Instant,
    progress: Progress,
}

impl Export<'_> {
    async fn run(&mut self, client: &Client) -> Outcome {
        loop {
            let cursor =
                self.note.cursor.as_ref().map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
            let path = format!("/api/v1/products?sort=newest&limit=100{cursor}");
            let answer = client.send(Method::GET, &path, Bytes::new()).await?;
            if answer.status != StatusCode::OK {
                return Err(failed(format!(
                    "the store at {} did not give the next page: {}; delete {} to start from the beginning, or run the same command again",
                    client.base(),
                    answer.complaint(),
                    self.sidecar.path().display(),
                )));
            }
            let page: Page<'_> = serde_json::from_slice(&answer.body).map_err(|error| {
                failed(format!(
                    "{} does not answer as a store does ({error}); see what listens there",
                    client.base()
                ))
            })?;
            self.take(&page)?;
            match page.next {
                Some(next) => self.note.cursor = Some(next),
                None => return Ok(()),
            }
            if self.noted.elapsed() >= Duration::from_secs(1) {
                self.write_note()?;
            }
        }
    }

    fn take(&mut self, page: &Page<'_>) -> Outcome {
        let mut lines = Vec::new();
        for item in &page.items {
            lines.extend_from_slice(item.get().as_bytes());
            lines.push(b'\n');
        }
        self.file.write_all(&lines).map_err(|error| cannot("write", self.part, &error))?;
        self.note.bytes += lines.len() as u64;
        self.note.products += page.items.len() as u64;
        self.progress.reach(self.note.products);
        Ok(())
    }

    /// Leaves what the next run goes on with, and nothing if there is nothing.
    fn stop(&mut self) -> Outcome {
        if self.note.products > 0 {
            return self.write_note();
        }
        std::fs::remove_file(self.part).map_err(|error| cannot("delete", self.part, &error))
    }

    /// The pages must be on disk before the note that vouches for them.
    fn write_note(&mut self) -> Outcome {
        self.noted = Instant::now();
        self.file.sync_data().map_err(|error| cannot("write", self.part, &error))?;
        self.sidecar.write(&self.note)
    }
}
