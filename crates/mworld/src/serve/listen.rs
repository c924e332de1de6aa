//! The address that the store listens on.

use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket};

use crate::failure::{Outcome, failed};

/// Connections that may wait to be accepted. With the usual 128, a few hundred clients that come at once overflow
/// the queue, and some of them are cut off; the system lowers this to its own limit (`net.core.somaxconn`).
const WAITING: u32 = 8192;

/// Listens, or says what to do instead.
pub(super) async fn listen(on: &str) -> Outcome<TcpListener> {
    try_all(on).await.map_err(|error| {
        let next = match error.kind() {
            ErrorKind::AddrInUse => "another process listens there: stop it, or choose another --listen",
            ErrorKind::PermissionDenied => "ports below 1024 need rights: choose a higher one with --listen",
            _ => "choose an address of this machine with --listen, such as 127.0.0.1:8080",
        };
        failed(format!("cannot listen on {on}: {error}; {next}"))
    })
}

/// A name may have several addresses; the first that works is taken.
async fn try_all(on: &str) -> Result<TcpListener> {
    let mut problem = Error::new(ErrorKind::AddrNotAvailable, "the name has no address");
    for address in tokio::net::lookup_host(on).await? {
        match try_one(address) {
            Ok(listener) => return Ok(listener),
            Err(error) => problem = error,
        }
    }
    Err(problem)
}

fn try_one(address: SocketAddr) -> Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // A store that is started again at once must not wait until old connections are forgotten.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING)
}
