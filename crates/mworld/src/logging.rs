//! What the store tells of itself while it runs, on standard error.

use std::io::IsTerminal;

use tracing_subscriber::filter::LevelFilter;

use crate::config::{Log, LogFormat, LogLevel};

/// Starts telling. Called once; a second call changes nothing.
pub(crate) fn start(log: Log) {
    let builder = tracing_subscriber::fmt()
        .with_max_level(level(log.level))
        .with_writer(std::io::stderr)
        // A log that cannot be written must not stop the store: tracing would panic over a broken stream.
        .log_internal_errors(false)
        .with_ansi(std::io::stderr().is_terminal());
    // An error here means that a subscriber is there already, which is as good.
    let _ = match log.format {
        LogFormat::Text => builder.with_target(false).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
}

const fn level(level: LogLevel) -> LevelFilter {
    match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    }
}
