//! Asking a server how it is, again and again until it is as it should be.

use std::time::{Duration, Instant};

use mworld_mongo::admin::{Access, AdminError, Direct, Document, doc};

use super::{Cluster, Server, flags};
use crate::error::{PlaygroundError, Result, failed};

/// Between two questions.
const PAUSE: Duration = Duration::from_millis(20);

/// How long a single answer may take. A server that stands still never gives one.
pub(super) const ANSWER: Duration = Duration::from_secs(2);

/// A process has no command line, by which it is known, for a moment while it becomes another program. One that was not
/// seen for so long is gone.
const UNSEEN: Duration = Duration::from_secs(1);

/// How long a server may take for anything. Twenty times what it takes on a quiet machine: only a server that will
/// never do it should be given up.
pub(super) const PATIENCE: Duration = Duration::from_secs(90);

/// A connection to one server, which may take so long to answer.
pub(super) fn connect(server: &Server, access: &Access, patience: Duration) -> Result<Direct> {
    Direct::new("127.0.0.1", server.port(), access, patience)
        .map_err(|error| failed(format!("{} cannot be spoken to: {error}", server.name())))
}

/// What a server says of itself, if it answers soon.
pub(super) async fn hello(direct: &Direct) -> Option<Document> {
    // The answer is waited for on a task: a question that was begun is never dropped half-way.
    let direct = direct.clone();
    let asked = tokio::spawn(async move { direct.run("admin", doc! { "hello": 1 }).await.ok() });
    tokio::time::timeout(ANSWER, asked).await.ok()?.ok()?
}

/// Whether a server takes part in its set.
pub(super) fn takes_part(hello: &Document) -> bool {
    is_primary(hello) || hello.get_bool("secondary").unwrap_or(false)
}

/// Whether a server leads its set. A router says so of itself, too: it takes writes.
pub(super) fn is_primary(hello: &Document) -> bool {
    hello.get_bool("isWritablePrimary").unwrap_or(false)
}

/// Asks until there is an answer; the question itself may fail for good. `what` says what is waited for.
pub(super) async fn until<T>(what: &str, mut question: impl AsyncFnMut() -> Result<Option<T>>) -> Result<T> {
    let asked = Instant::now();
    loop {
        if let Some(answer) = question().await? {
            return Ok(answer);
        }
        if asked.elapsed() > PATIENCE {
            return Err(failed(format!(
                "{what} did not happen within {} s; the machine may be too busy",
                PATIENCE.as_secs()
            )));
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Waits until a server can be connected to; one that has ended is an error.
pub(super) async fn listening(cluster: &Cluster, server: &Server) -> Result<()> {
    let waited_for = format!("{} listening on {}", server.name(), server.address());
    let (begun, mut process) = (Instant::now(), None);
    until(&waited_for, async || {
        process = process.take().or_else(|| cluster.process(server));
        match &process {
            // Somebody else on the port, who would take a connection too, does not count.
            Some(process) if process.listens_on(server.port()) => Ok(Some(())),
            Some(process) if process.has_ended() => Err(ended(cluster, server)),
            None if begun.elapsed() > UNSEEN => Err(ended(cluster, server)),
            _ => Ok(None),
        }
    })
    .await
}

/// Why a server that was started is not there.
pub(super) fn ended(cluster: &Cluster, server: &Server) -> PlaygroundError {
    let log = cluster.log(server);
    let logged = std::fs::read_to_string(&log).unwrap_or_default();
    let said = std::fs::read_to_string(flags::words(cluster, server)).unwrap_or_default();
    let why =
        last_complaint(&logged).or_else(|| last_complaint(&said)).unwrap_or_else(|| said.trim().to_owned());
    let next_step = if why.contains("Address already in use") {
        "; end who listens there, or run `down`: the next `up` takes other ports"
    } else {
        ""
    };
    failed(format!(
        "{} ended while it started: {why}; its log is {}{next_step}",
        server.name(),
        log.display()
    ))
}

/// The last line of a log that is an error or worse. MongoDB writes a JSON document a line.
fn last_complaint(log: &str) -> Option<String> {
    let complaint = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).ok()?;
        matches!(line["s"].as_str()?, "E" | "F").then(|| format!("{} {}", line["msg"], line["attr"]))
    };
    log.lines().rev().find_map(complaint)
}

/// A command that failed, with who was told what.
pub(super) fn refused(server: &Server, what: &str, error: &AdminError) -> PlaygroundError {
    failed(format!("{} did not {what}: {error}", server.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_error_of_a_log_is_found() {
        let log = r#"{"s":"I","msg":"starting"}
{"s":"E","msg":"Failed to bind","attr":{"error":"Address already in use"}}
{"s":"I","msg":"bye"}
not JSON"#;
        assert_eq!(
            last_complaint(log).as_deref(),
            Some(r#""Failed to bind" {"error":"Address already in use"}"#)
        );
        assert_eq!(last_complaint("{}"), None);
    }
}
