//! How much one process takes on before it says no.

use std::time::Duration;

/// Limits of the server. Each bounds memory or time, so that overload is an early answer and never a fall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The largest body, in bytes.
    pub body_bytes: usize,
    /// Requests worked on at once. Bodies are read only by these, so bodies take at most
    /// `in_flight × body_bytes` of memory.
    pub in_flight: usize,
    /// Requests that may wait for one of those places; one more is answered 503 at once.
    pub queue: usize,
    /// How long a request waits for a place before it is answered 503.
    pub queue_wait: Duration,
    /// Connections open at once; further ones wait in the listener's backlog.
    pub connections: usize,
    /// Requests a second with one token; zero = no limit.
    pub per_token_per_second: u32,
    /// Failed logins a minute for one e-mail; zero = no limit.
    pub login_failures_per_minute: u32,
    /// Threads that hash passwords. One hash takes 19 MiB and tens of milliseconds of a core.
    pub password_threads: usize,
    /// How long a client may take to send a request's head, and to stay silent between two requests.
    pub header_wait: Duration,
    /// How long a client may take to send a body, while it holds one of the places.
    pub body_wait: Duration,
    /// How long a shutdown waits for what it has accepted.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            body_bytes: 64 * 1024,
            in_flight: 512,
            queue: 2048,
            queue_wait: Duration::from_secs(2),
            connections: 8192,
            per_token_per_second: 2000,
            login_failures_per_minute: 10,
            password_threads: 2,
            header_wait: Duration::from_secs(60),
            body_wait: Duration::from_secs(10),
            drain: Duration::from_secs(10),
        }
    }
}
