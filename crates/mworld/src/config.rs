//! The configuration: defaults, then `mworld.toml`, then the environment, then flags; the later wins.
//!
//! One table, [`keys`], holds every setting with its checks, so that a value is refused in the same words wherever
//! it was written, and the help cannot lag behind.

mod environment;
mod fault;
mod file;
mod given;
mod help;
mod keys;
mod layers;

use std::path::PathBuf;

use mworld_shop::Settings;

#[cfg(feature = "mongo")]
pub(crate) use self::environment::MONGODB_PASSWORD;
pub(crate) use self::environment::OPERATOR_TOKEN;
pub(crate) use self::help::help;
pub(crate) use self::layers::{Flags, load};

/// What a store runs with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Config {
    /// Where the API listens, `host:port`.
    pub(crate) listen: String,
    /// The directory of the embedded engine.
    pub(crate) data: PathBuf,
    /// The name of a shipped layout, or a file.
    pub(crate) layout: String,
    /// How many shards a new store has.
    pub(crate) shards: u32,
    /// The MongoDB cluster that the store lives on, if it does.
    pub(crate) mongodb: Option<String>,
    /// A file whose text is the operator token.
    pub(crate) operator_token_file: Option<PathBuf>,
    /// `[shop]`
    pub(crate) shop: Settings,
    /// `[limits]`
    pub(crate) limits: Limits,
    /// `[log]`
    pub(crate) log: Log,
}

/// `[limits]`: how much one process takes on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Limits {
    /// The largest request body.
    pub(crate) body_bytes: usize,
    /// Requests worked on at once.
    pub(crate) in_flight: usize,
    /// Requests that may wait.
    pub(crate) queue: usize,
    /// Requests a second with one token; zero = any number.
    pub(crate) per_token_per_second: u32,
    /// Failed logins a minute for one e-mail; zero = any number.
    pub(crate) login_failures_per_minute: u32,
}

/// `[log]`: what is told on standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Log {
    pub(crate) format: LogFormat,
    pub(crate) level: LogLevel,
}

/// How a log line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// For programs: one object a line.
    Json,
}

/// The least grave thing that is still told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            listen: "127.0.0.1:8080".to_owned(),
            data: PathBuf::from("./mworld-data"),
            layout: "category-spread".to_owned(),
            shards: 4,
            mongodb: None,
            operator_token_file: None,
            shop: Settings::default(),
            limits: Limits {
                body_bytes: 64 * 1024,
                in_flight: 512,
                queue: 2_048,
                per_token_per_second: 2_000,
                login_failures_per_minute: 10,
            },
            log: Log { format: LogFormat::Text, level: LogLevel::Info },
        }
    }
}

#[cfg(test)]
mod tests;
