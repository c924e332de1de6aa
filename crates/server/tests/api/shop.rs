//! A shop of a test's own: engine in a temporary directory, server on a free port, and a client.

// Each test binary uses a part of this.
#![allow(dead_code)]

use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{HeaderMap, Request, StatusCode};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use mworld_embedded::{Engine, Options};
use mworld_placement::layout::load_shipped;
use mworld_server::{App, AppConfig, Drained, Limits, Metrics, Probe, ShardInfo, ShardOperations, Views};
use mworld_shop::{Settings, Store, SystemClock};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use uuid::Uuid;

pub(crate) const OPERATOR: &str = "the-operator-token-of-this-test";

/// A running shop. Dropping it leaves the server to the end of the test's runtime.
pub(crate) struct Shop {
    pub(crate) address: SocketAddr,
    client: Client<HttpConnector, Full<Bytes>>,
    stop: oneshot::Sender<()>,
    served: JoinHandle<Drained>,
    _dir: tempfile::TempDir,
}

impl Shop {
    pub(crate) async fn open() -> Shop {
        Shop::open_with(Limits::default(), Probe::Absent).await
    }

    pub(crate) async fn open_with(limits: Limits, probe: Probe) -> Shop {
        let dir = tempfile::tempdir().unwrap();
        let settings = Arc::new(Settings::default());
        let clock = Arc::new(SystemClock::default());
        let engine = Engine::open(Options {
            dir: dir.path().to_owned(),
            layout: load_shipped("category-spread").unwrap().layout,
            shards: 4,
            settings: Arc::clone(&settings),
            clock: clock.clone(),
            observer: None,
        })
        .unwrap();
        let app = App::new(AppConfig {
            store: Store::new(engine.parts(), settings, clock),
            views: Arc::new(Window(engine)),
            operator_token: OPERATOR.to_owned().into(),
            limits,
            metrics: Metrics::new(),
            probe,
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let served = tokio::spawn(mworld_server::serve(listener, app, async {
            let _ = stopped.await;
        }));
        let client = Client::builder(TokioExecutor::new()).build_http();
        Shop { address, client, stop, served, _dir: dir }
    }

    /// Tells the server to stop; the answer is how it ended.
    pub(crate) fn close(self) -> JoinHandle<Drained> {
        self.stop.send(()).unwrap();
        self.served
    }

    pub(crate) fn call(&self, method: &str, path: &str) -> Call<'_> {
        let request = Request::builder().method(method).uri(format!("http://{}{path}", self.address));
        Call { shop: self, request, body: Bytes::new() }
    }

    pub(crate) fn get(&self, path: &str) -> Call<'_> {
        self.call("GET", path)
    }

    pub(crate) fn post(&self, path: &str) -> Call<'_> {
        self.call("POST", path)
    }

    /// A guest's token.
    pub(crate) async fn guest(&self) -> String {
        let opened = self.post("/api/v1/sessions").send().await.expect(201);
        opened["token"].as_str().unwrap().to_owned()
    }

    /// A user's token, of a new account.
    pub(crate) async fn user(&self, email: &str) -> String {
        let account = json!({"email": email, "password": "correct horse"});
        self.post("/api/v1/accounts").json(&account).send().await.expect(201);
        self.log_in(&self.guest().await, email).await
    }

    pub(crate) async fn log_in(&self, token: &str, email: &str) -> String {
        let credentials = json!({"email": email, "password": "correct horse"});
        let login = self.post("/api/v1/sessions/current/login").token(token).json(&credentials);
        login.send().await.expect(200)["token"].as_str().unwrap().to_owned()
    }

    /// A product for 1,000.00 with so many pieces in msk.
    pub(crate) async fn product(&self, name: &str, pieces: u32) -> String {
        self.product_for(name, pieces, 100_000).await
    }

    pub(crate) async fn product_for(&self, name: &str, pieces: u32, amount: u64) -> String {
        let id = Uuid::now_v7().to_string();
        let mut body = phone(name, amount);
        body["stock"] = json!([{"zone": "msk", "quantity": pieces}]);
        self.put_product(&id, &body).await.expect(201);
        id
    }

    pub(crate) async fn put_product(&self, id: &str, body: &Value) -> Answer {
        self.call("PUT", &format!("/api/v1/admin/products/{id}")).token(OPERATOR).json(body).send().await
    }

    pub(crate) async fn put_item(&self, token: &str, product: &str, quantity: u32) -> Answer {
        let path = format!("/api/v1/cart/items/{product}");
        self.call("PUT", &path).token(token).json(&json!({"quantity": quantity})).send().await
    }

    pub(crate) async fn check_out(&self, token: &str, key: &str) -> Answer {
        let order = self.post("/api/v1/orders").token(token).header("idempotency-key", key);
        order.json(&json!({"zone": "msk"})).send().await
    }

    /// Pieces of a product in msk.
    pub(crate) async fn stock(&self, product: &str) -> u64 {
        let stock = self.get(&format!("/api/v1/products/{product}/stock")).send().await.expect(200);
        let zones = stock["stock"].as_array().unwrap();
        zones.iter().find(|zone| zone["zone"] == "msk").unwrap()["quantity"].as_u64().unwrap()
    }
}

/// A product as an operator writes it.
pub(crate) fn phone(name: &str, amount: u64) -> Value {
    json!({
        "name": name,
        "description": "A telephone",
        "category": "electronics",
        "subcategory": "phone",
        "price": {"amount": amount, "currency": "RUB"},
        "attributes": [{"key": "color", "value": "black"}],
    })
}

/// A request on its way.
pub(crate) struct Call<'a> {
    shop: &'a Shop,
    request: hyper::http::request::Builder,
    body: Bytes,
}

impl Call<'_> {
    pub(crate) fn token(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.request = self.request.header(name, value);
        self
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json").body(body.to_string())
    }

    pub(crate) fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    pub(crate) async fn send(self) -> Answer {
        let request = self.request.body(Full::new(self.body)).unwrap();
        let (head, body) = self.shop.client.request(request).await.unwrap().into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Answer { status: head.status, headers: head.headers, body, text }
    }
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
    pub(crate) text: String,
}

impl Answer {
    /// The body of an answer with this status.
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        self.body
    }

    /// The problem of an answer with this status and code.
    #[track_caller]
    pub(crate) fn refused(self, status: u16, code: &str) -> Value {
        assert_eq!((self.status.as_u16(), self.body["code"].as_str()), (status, Some(code)), "{}", self.text);
        assert_eq!(self.headers["content-type"], "application/problem+json");
        assert_eq!(self.body["status"], status);
        for member in ["type", "title", "detail"] {
            assert!(self.body[member].as_str().is_some_and(|text| !text.is_empty()), "{}", self.text);
        }
        self.body
    }

    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.unwrap_or_else(|| panic!("there is no {name} in {:?}", self.headers)).to_str().unwrap()
    }
}

/// What an operator may see of the test's engine.
struct Window(Engine);

impl Views for Window {
    fn ready(&self) -> Result<(), String> {
        self.0.ping().map_err(|error| error.to_string())
    }

    fn shards(&self) -> Vec<ShardInfo> {
        let shard = |shard: u32| ShardInfo {
            engine: "embedded".to_owned(),
            shard: shard.to_string(),
            entities: Vec::new(),
        };
        (0..4).map(shard).collect()
    }

    fn layout(&self) -> Value {
        json!({"name": "category-spread"})
    }

    fn shard_operations(&self) -> Vec<ShardOperations> {
        let counted = |(touch, count): (mworld_embedded::Touch, u64)| ShardOperations {
            engine: "embedded".to_owned(),
            entity: touch.area.to_string(),
            shard: touch.shard.0.to_string(),
            kind: touch.kind.name().to_owned(),
            count,
        };
        self.0.touches().into_iter().map(counted).collect()
    }

    fn queue_depth(&self) -> usize {
        self.0.queue_depth()
    }
}
