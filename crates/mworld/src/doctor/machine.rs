//! What the machine offers: the port, open files, the time.

use std::net::TcpListener;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::process::{Resource, getrlimit};

use super::finding::Finding;
use crate::config::Config;

/// The server keeps up to 8,192 connections open, and the engine some dozens of files beside.
const OPEN_FILES: u64 = 10_000;

/// Whether the address can be listened on; a store of ours that has it already is as good.
pub(super) fn port(config: &Config) -> Finding {
    let listen = &config.listen;
    match TcpListener::bind(listen) {
        Ok(_) => Finding::good(format!("{listen} is free")),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            match mworld_embedded::holder(&config.data) {
                Some(_) => {
                    Finding::good(format!("{listen} is taken, as it should be while the store is open"))
                }
                None => Finding::wrong(
                    format!("{listen} is taken by another process"),
                    "stop that process, or choose another address with --listen",
                ),
            }
        }
        Err(error) => Finding::wrong(
            format!("{listen} cannot be listened on: {error}"),
            "choose an address of this machine and a port from 1024 up",
        ),
    }
}

/// Whether the process may open as many files as it may have connections.
pub(super) fn open_files() -> Finding {
    // A start raises its own limit as far as the system lets it, so the upper bound is what counts.
    let Some(limit) = getrlimit(Resource::Nofile).maximum else {
        return Finding::good("any number of files may be open at once");
    };
    if limit >= OPEN_FILES {
        return Finding::good(format!("{limit} files may be open at once"));
    }
    Finding::doubtful(
        format!("only {limit} files may be open at once; more connections than that are refused"),
        format!("raise the hard limit to {OPEN_FILES}: limits.conf, or LimitNOFILE= in a systemd unit"),
    )
}

/// Whether the clock can be believed: ids and expiry times are made of it.
pub(super) fn clock() -> Finding {
    const YEAR: u64 = 31_557_600;
    let year = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |age| 1970 + age.as_secs() / YEAR);
    if (2025..2100).contains(&year) {
        Finding::good(format!("the clock says {year}"))
    } else {
        Finding::wrong(format!("the clock says {year}"), "set the machine's clock; NTP keeps it right")
    }
}
