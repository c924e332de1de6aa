//! Behind the proxy: the real store, asked for the client or behind the client's back.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::http::{request, response};
use hyper::{Method, Request, StatusCode, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

use crate::process::OPERATOR;
use crate::proxy::Cut;

/// A request of the client.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) head: request::Parts,
    pub(crate) body: Bytes,
}

/// What the client is told.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) head: response::Parts,
    pub(crate) body: Bytes,
}

impl Ask {
    /// The path below the API's prefix, and the method before it: `PUT /cart/items/…`.
    pub(crate) fn line(&self) -> String {
        let path = self.head.uri.path();
        format!("{} {}", self.head.method, path.strip_prefix("/api/v1").unwrap_or(path))
    }

    /// The token of whoever asks.
    pub(crate) fn token(&self) -> String {
        let header = self.head.headers.get("authorization").and_then(|value| value.to_str().ok());
        header.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default().to_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }
}

impl Reply {
    /// An answer that the store never gave.
    pub(crate) fn invented(status: StatusCode, body: &Value) -> Reply {
        let (mut head, ()) = hyper::Response::new(()).into_parts();
        head.status = status;
        head.headers.insert("content-type", "application/json".parse().expect("a legal value"));
        Reply { head, body: body.to_string().into() }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The same answer with another body.
    pub(crate) fn with(mut self, body: &Value) -> Reply {
        self.body = body.to_string().into();
        self
    }
}

/// The way to the store.
#[derive(Clone)]
pub(crate) struct Backstage {
    client: Client<HttpConnector, Full<Bytes>>,
    store: SocketAddr,
}

impl Backstage {
    pub(crate) fn new(store: SocketAddr) -> Backstage {
        Backstage { client: Client::builder(TokioExecutor::new()).build_http(), store }
    }

    /// Sends the client's request on and brings back the answer.
    pub(crate) async fn forward(&self, ask: Ask) -> Result<Reply, Cut> {
        let Ask { head, body } = ask;
        let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = head.method;
        *request.uri_mut() = self.uri(path);
        for name in ["authorization", "content-type", "idempotency-key"] {
            if let Some(value) = head.headers.get(name) {
                request.headers_mut().insert(name, value.clone());
            }
        }
        self.send(request).await
    }

    fn uri(&self, path: &str) -> Uri {
        format!("http://{}{path}", self.store).parse().expect("a path that came in goes out")
    }

    async fn send(&self, request: Request<Full<Bytes>>) -> Result<Reply, Cut> {
        let (head, body) = self.client.request(request).await.map_err(|_| Cut)?.into_parts();
        let body = body.collect().await.map_err(|_| Cut)?.to_bytes();
        Ok(Reply { head, body })
    }

    /// Asks something that the client knows nothing of.
    pub(crate) async fn ask(&self, method: Method, path: &str, token: &str, body: &Value) -> (u16, Value) {
        let body = if body.is_null() { Bytes::new() } else { body.to_string().into() };
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method;
        *request.uri_mut() = self.uri(&format!("/api/v1{path}"));
        let headers = request.headers_mut();
        headers.insert("authorization", format!("Bearer {token}").parse().expect("a token is a legal value"));
        headers.insert("content-type", "application/json".parse().expect("a legal value"));
        let key = uuid::Uuid::new_v4().to_string();
        headers.insert("idempotency-key", key.parse().expect("a UUID is a legal value"));
        match self.send(request).await {
            Ok(reply) => (reply.head.status.as_u16(), reply.json()),
            Err(Cut) => (0, Value::Null),
        }
    }

    /// The same with the operator's rights.
    pub(crate) async fn operate(&self, path: &str, body: &Value) -> u16 {
        self.ask(Method::POST, path, OPERATOR, body).await.0
    }
}
