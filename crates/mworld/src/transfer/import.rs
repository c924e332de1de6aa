//! `mworld import FILE`

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::stream::{self, StreamExt};
use hyper::{Method, StatusCode};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::lines::{Lines, Numbered};
use crate::cli::Transfer;
use crate::client::Client;
use crate::config::OPERATOR_TOKEN;
use crate::failure::{Failure, Outcome, failed, wrong_input};
use crate::note::{NoteFile, beside};
use crate::output;
use crate::progress::{Progress, Unit};

/// Requests under way at once. The store commits what it finds waiting in one go, so a few are worth much more than
/// one, and many more would only stand in its queue.
const AT_ONCE: usize = 16;

/// What the note beside the file says.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    /// The store's address.
    store: String,
    /// Lines of the file that the store has.
    lines_done: u64,
    /// The product on the last of them: another one there means another file.
    last_product: Option<Uuid>,
}

/// Writes every line of the file into the store, in order, and remembers how far it came.
pub(crate) async fn import(command: &Transfer) -> Outcome {
    let Ok(token) = std::env::var(OPERATOR_TOKEN) else {
        return Err(wrong_input(format!(
            "{OPERATOR_TOKEN} is not set; set it to the operator token, which `mworld serve` printed at its start"
        )));
    };
    let client = Client::new(&command.url, Some(&SecretString::from(token)))?;
    let file = std::fs::File::open(&command.file).map_err(|error| unreadable(&command.file, &error))?;
    let file_bytes = file.metadata().map_err(|error| unreadable(&command.file, &error))?.len();
    let sidecar = NoteFile::new(beside(&command.file, "progress"));
    let (begun, last_product) = begun(&sidecar, &command.file, client.base())?;
    if begun > 0 {
        output::notice(&format!(
            "going on after line {begun}, where the last import of this file was stopped\n"
        ));
    }
    let mut import = Import {
        sidecar,
        store: client.base().to_owned(),
        last_product,
        lines_done: begun,
        bytes_done: 0,
        noted: Instant::now(),
        progress: Progress::new("importing", Unit::Bytes, Some(file_bytes)),
    };
    let ended = import.run(&client, BufReader::new(file)).await;
    let lines_done = import.lines_done;
    match ended {
        Ok(products) => {
            import.sidecar.remove()?;
            import.progress.finish();
            output::result(&format!("imported {products} products into {}\n", client.base()));
            Ok(())
        }
        Err(stopped) => {
            // Where nothing was done there is nothing to go on with.
            if lines_done > 0 {
                import.note()?;
            }
            import.progress.finish();
            Err(stopped.into_failure(lines_done, &command.file))
        }
    }
}

/// The line after which to go on, and the product on it. A note of another store or another file is not followed:
/// writing a product again changes nothing, leaving one out would.
fn begun(sidecar: &NoteFile, file: &Path, store: &str) -> Outcome<(u64, Option<Uuid>)> {
    let Some(note) = sidecar.read::<Note>()? else {
        return Ok((0, None));
    };
    let reader = std::fs::File::open(file).map_err(|error| unreadable(file, &error))?;
    let done =
        Lines::new(BufReader::new(reader)).take(usize::try_from(note.lines_done).unwrap_or(usize::MAX));
    let last_product = done.flatten().filter_map(|line| product(&line)).last();
    if note.store == store && note.last_product == last_product {
        return Ok((note.lines_done, last_product));
    }
    output::notice("the note of progress is of another store or another file; beginning with line 1\n");
    Ok((0, None))
}

/// The product on a line, if it holds one.
fn product(line: &Numbered) -> Option<Uuid> {
    line.line.as_ref()?.as_ref().ok().map(|line| line.id.uuid())
}

/// Why an import ended early.
enum Stopped {
    /// The line is at fault.
    BadLine { number: u64, reason: String },
    /// The store or the network is.
    Broken(Failure),
}

impl Stopped {
    fn into_failure(self, lines_done: u64, file: &Path) -> Failure {
        let file = file.display();
        match self {
            Stopped::BadLine { number, reason } => wrong_input(format!(
                "{file}:{number}: {reason}\nlines 1 to {lines_done} are imported; mend line {number} and run the same command again, it goes on there"
            )),
            Stopped::Broken(Failure::Failed(reason)) => failed(format!(
                "{reason}\nlines 1 to {lines_done} of {file} are imported; run the same command again to go on"
            )),
            Stopped::Broken(other) => other,
        }
    }
}

/// An import under way.
struct Import {
    sidecar: NoteFile,
    store: String,
    last_product: Option<Uuid>,
    lines_done: u64,
    bytes_done: u64,
    noted: Instant,
    progress: Progress,
}

impl Import {
    /// How many products were written.
    async fn run(&mut self, client: &Client, reader: impl BufRead) -> Result<u64, Stopped> {
        let after = self.lines_done;
        let mut products = 0;
        let lines = Lines::new(reader);
        let sent = stream::iter(lines).map(|numbered| send(client, numbered, after)).buffered(AT_ONCE);
        let mut sent = std::pin::pin!(sent);
        // Answers come in the order of the lines, so what is noted as done has no hole.
        while let Some(done) = sent.next().await {
            let done = done?;
            self.bytes_done += done.bytes;
            if done.number > after {
                self.lines_done = done.number;
                products += u64::from(done.line.is_some());
                self.last_product = product(&done).or(self.last_product);
            }
            self.progress.reach(self.bytes_done);
            if self.noted.elapsed() >= Duration::from_secs(1) {
                self.note().map_err(Stopped::Broken)?;
            }
        }
        Ok(products)
    }

    fn note(&mut self) -> Outcome {
        self.noted = Instant::now();
        let (store, last_product) = (self.store.clone(), self.last_product);
        self.sidecar.write(&Note { store, lines_done: self.lines_done, last_product })
    }
}

/// Writes one line into the store, unless it is blank or was done before.
async fn send(client: &Client, numbered: std::io::Result<Numbered>, after: u64) -> Result<Numbered, Stopped> {
    let unread = |error| Stopped::Broken(failed(format!("the file cannot be read on: {error}")));
    let numbered = numbered.map_err(unread)?;
    let bad = |reason: String| Stopped::BadLine { number: numbered.number, reason };
    if numbered.number <= after {
        return Ok(numbered);
    }
    let line = match &numbered.line {
        None => return Ok(numbered),
        Some(Ok(line)) => line,
        Some(Err(reason)) => return Err(bad(reason.clone())),
    };
    let path = format!("/api/v1/admin/products/{}", line.id);
    let body: Bytes = line.body.clone();
    let answer = client.send(Method::PUT, &path, body).await.map_err(Stopped::Broken)?;
    match answer.status {
        StatusCode::OK | StatusCode::CREATED => Ok(numbered),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(Stopped::Broken(failed(format!(
            "the store at {} does not take this operator token ({}); set {OPERATOR_TOKEN} to its own",
            client.base(),
            answer.complaint()
        )))),
        status if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS => {
            Err(bad(format!("product {}: {}", line.id, answer.complaint())))
        }
        _ => Err(Stopped::Broken(failed(format!(
            "the store did not take product {}: {}",
            line.id,
            answer.complaint()
        )))),
    }
}

fn unreadable(file: &Path, error: &std::io::Error) -> Failure {
    wrong_input(format!("{} cannot be read: {error}; name a file with one product a line", file.display()))
}
