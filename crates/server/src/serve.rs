//! The accept loop: keep-alive, time-outs, a cap on connections, and an end that finishes what it began.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tower::ServiceExt as _;

use crate::app::App;
use crate::input::Peer;
use crate::limits::Limits;
use crate::router::router;

/// How a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct Drained {
    /// Connections that were still busy when the time for finishing was over. Their requests were cut off.
    pub unfinished: usize,
}

/// How often samples are folded into buckets.
const FOLD_EVERY: Duration = Duration::from_secs(5);

/// Serves until `shutdown` is ready, then stops accepting, finishes what it has accepted (for at most
/// [`crate::Limits::drain`]), and returns.
pub async fn serve(listener: TcpListener, app: App, shutdown: impl Future<Output = ()>) -> Drained {
    let connections = app.0.limits.connections.clamp(1, Semaphore::MAX_PERMITS.min(u32::MAX as usize));
    let places = Arc::new(Semaphore::new(connections));
    let (stop, stopped) = watch::channel(false);
    let folding = tokio::spawn(fold_samples(app.clone()));
    let server =
        Server { connection: connection_settings(&app.0.limits), router: router(app.clone()), stopped };
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => break,
            (stream, peer, place) = accept(&listener, &places) => server.handle(stream, peer, place),
        }
    }
    drop(listener);
    folding.abort();
    // Connections that are idle close now; busy ones after their answer.
    let _ = stop.send(true);
    let everyone = u32::try_from(connections).expect("the number was limited to 32 bits above");
    let _ = tokio::time::timeout(app.0.limits.drain, places.acquire_many(everyone)).await;
    Drained { unfinished: connections - places.available_permits() }
}

async fn fold_samples(app: App) {
    loop {
        tokio::time::sleep(FOLD_EVERY).await;
        app.0.metrics.fold_samples();
    }
}

fn connection_settings(limits: &Limits) -> http1::Builder {
    let mut settings = http1::Builder::new();
    settings
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_wait)
        .keep_alive(true)
        .pipeline_flush(true)
        // A head of 32 KiB holds every real one, and thousands of connections stay small.
        .max_buf_size(32 * 1024);
    settings
}

/// The next connection, once there is a place for it.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, OwnedSemaphorePermit) {
    let place = Arc::clone(places).acquire_owned().await.expect("the places are never closed");
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (stream, peer, place),
            // A client that gave up is nothing; no more file handles is something, and passes as others close.
            Err(error) if is_clients_affair(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept connections; trying again");
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
    }
}

fn is_clients_affair(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

struct Server {
    connection: http1::Builder,
    router: Router,
    stopped: watch::Receiver<bool>,
}

impl Server {
    /// Lets one connection live on a task of its own, which holds its place until it ends.
    fn handle(&self, stream: TcpStream, peer: SocketAddr, place: OwnedSemaphorePermit) {
        // Answers are one write each; waiting for more only delays them. It fails for a closed socket only.
        let _ = stream.set_nodelay(true);
        let router = self.router.clone();
        let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            router.clone().oneshot(request)
        });
        let connection = self.connection.serve_connection(TokioIo::new(stream), service);
        let mut stopped = self.stopped.clone();
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = async { drop(stopped.wait_for(|stopped| *stopped).await) } => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::trace!(%error, "connection ended early");
            }
            drop(place);
        });
    }
}
