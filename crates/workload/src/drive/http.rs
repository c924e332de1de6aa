//! A keep-alive pool of HTTP/1.1 connections to one store.
//!
//! It is written for a load driver. A request is one buffer and one write, made by the thread that polls first, so the
//! clock decides when the first byte leaves. A request is never repeated behind the caller's back unless nothing can
//! have come of it: what the store did is the very thing that is asked afterwards.

mod connection;
mod head;
mod within;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::net::TcpStream;

use self::connection::{Broken, Connection};
use self::within::{Timer, within};
use crate::record::Why;

/// A store closes a connection that was silent for a minute. One that was silent for half of that is let go before it
/// breaks under a request.
const LONGEST_IDLE: Duration = Duration::from_secs(30);

/// A request as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    /// Head and body.
    pub(super) bytes: Vec<u8>,
    /// Whether it can be sent twice without anybody noticing: it only reads.
    pub(super) reads_only: bool,
}

/// What the store said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) retry_after: Option<Duration>,
    pub(super) body: Vec<u8>,
}

/// One request and what came back.
#[derive(Debug)]
pub(super) struct Exchange {
    /// Just before the first byte; without a connection, when one was first wanted.
    pub(super) sent: Instant,
    pub(super) ended: Instant,
    /// Whether a connection had to be made for it.
    pub(super) connected: bool,
    pub(super) outcome: Result<Answer, Why>,
}

/// How far a request has come.
#[derive(Debug, Default)]
struct Way {
    sent: Option<Instant>,
    connected: bool,
}

/// Connections to one store.
pub(super) struct Pool {
    addresses: Vec<SocketAddr>,
    /// The one that was used last lies on top and is used first, so that no more stay alive than are needed.
    idle: Mutex<Vec<(Connection, Instant)>>,
    timeout: Duration,
}

impl Pool {
    /// Connections to any of these addresses, the first that accepts. An answer may take as long as `timeout`.
    pub(super) fn new(addresses: Vec<SocketAddr>, timeout: Duration) -> Pool {
        Pool { addresses, idle: Mutex::new(Vec::new()), timeout }
    }

    /// How long an answer may take.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Sends a request and waits for its answer. If a connection is idle, the first poll writes the request.
    pub(super) async fn send(&self, request: &Request) -> Exchange {
        self.send_with(request, Timer::AtOnce).await
    }

    /// The same, for a first poll that is not made by the runtime; it must be polled again soon, woken or not.
    pub(super) async fn send_from_clock(&self, request: &Request) -> Exchange {
        self.send_with(request, Timer::AtSecondPoll).await
    }

    async fn send_with(&self, request: &Request, timer: Timer) -> Exchange {
        let wanted = Instant::now();
        let mut way = Way::default();
        let outcome = match within(self.timeout, timer, self.exchange(request, &mut way)).await {
            Some(outcome) => outcome,
            None if way.sent.is_none() => Err(Why::NotConnected),
            None => Err(Why::TimedOut),
        };
        let sent = way.sent.unwrap_or(wanted);
        Exchange { sent, ended: Instant::now(), connected: way.connected, outcome }
    }

    async fn exchange(&self, request: &Request, way: &mut Way) -> Result<Answer, Why> {
        if let Some(mut connection) = self.idle() {
            way.sent = Some(Instant::now());
            match connection.exchange(&request.bytes).await {
                Ok(answer) => return Ok(self.keep(connection, answer)),
                // A store may close an idle connection at the very moment that it is used again. What was not sent, or
                // only reads, is sent once more; of anything else nobody knows whether the store has seen it.
                Err(Broken::Unsent) => {}
                Err(Broken::Cut) if request.reads_only => {}
                Err(broken) => return Err(broken.why()),
            }
        }
        *way = Way { sent: None, connected: true };
        let mut connection = self.connect().await.map_err(|_| Why::NotConnected)?;
        way.sent = Some(Instant::now());
        match connection.exchange(&request.bytes).await {
            Ok(answer) => Ok(self.keep(connection, answer)),
            Err(broken) => Err(broken.why()),
        }
    }

    async fn connect(&self) -> std::io::Result<Connection> {
        let stream = TcpStream::connect(&self.addresses[..]).await?;
        stream.set_nodelay(true)?;
        Ok(Connection::new(stream))
    }

    fn idle(&self) -> Option<Connection> {
        let mut idle = self.idle.lock();
        while let Some((connection, since)) = idle.pop() {
            if since.elapsed() > LONGEST_IDLE {
                // Everything below it has been idle for longer still.
                idle.clear();
                return None;
            }
            if connection.is_quiet() {
                return Some(connection);
            }
        }
        None
    }

    fn keep(&self, connection: Connection, answer: connection::Complete) -> Answer {
        if answer.reusable {
            self.idle.lock().push((connection, Instant::now()));
        }
        answer.answer
    }
}

impl Broken {
    fn why(self) -> Why {
        match self {
            Broken::Unsent => Why::NotConnected,
            Broken::Cut => Why::Cut,
            Broken::Garbled => Why::Garbled,
        }
    }
}

#[cfg(test)]
mod tests;
