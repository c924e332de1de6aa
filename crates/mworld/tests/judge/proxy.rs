//! A proxy on a free port of 127.0.0.1.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::awkward::Awkward;
use crate::backstage::{Ask, Backstage, Reply};
use crate::liar::Liar;

/// Who stands between.
#[derive(Clone)]
pub(crate) enum Middleman {
    Liar(Arc<Liar>),
    Awkward(Awkward),
}

/// The connection is cut instead of an answer.
#[derive(Debug)]
pub(crate) struct Cut;

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the proxy cuts the connection")
    }
}

impl std::error::Error for Cut {}

/// A running proxy; it ends when it is dropped.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    accepting: JoinHandle<Infallible>,
}

impl Proxy {
    pub(crate) async fn start(store: SocketAddr, middleman: Middleman) -> Proxy {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let backstage = Backstage::new(store);
        let accepting = tokio::spawn(async move {
            loop {
                if let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(serve(stream, middleman.clone(), backstage.clone()));
                }
            }
        });
        Proxy { address, accepting }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn serve(stream: TcpStream, middleman: Middleman, backstage: Backstage) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request: Request<Incoming>| {
        let (middleman, backstage) = (middleman.clone(), backstage.clone());
        async move { answer(request, middleman, backstage).await }
    });
    // An error is a connection that one of both sides has cut.
    let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

async fn answer(
    request: Request<Incoming>,
    middleman: Middleman,
    backstage: Backstage,
) -> Result<Response<Full<Bytes>>, Cut> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(|_| Cut)?.to_bytes();
    let ask = Ask { head, body };
    let Reply { head, body } = match middleman {
        Middleman::Liar(liar) => liar.answer(&backstage, ask).await?,
        Middleman::Awkward(awkward) => awkward.answer(&backstage, ask).await?,
    };
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = head.status;
    if let Some(kind) = head.headers.get("content-type") {
        response.headers_mut().insert("content-type", kind.clone());
    }
    if let Some(again) = head.headers.get("retry-after") {
        response.headers_mut().insert("retry-after", again.clone());
    }
    Ok(response)
}
