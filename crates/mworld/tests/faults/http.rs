//! A client that speaks just enough HTTP/1.1: one connection, kept alive, one request at a time. Unlike a pool it
//! never repeats a request by itself, so a lost answer is seen as a lost answer.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// No answer may take longer; a store that is silent for so long hangs.
const LONGEST_ANSWER: Duration = Duration::from_secs(30);

/// A request.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    method: &'static str,
    path: String,
    token: Option<String>,
    key: Option<String>,
    body: Option<Value>,
}

impl Call {
    pub(crate) fn new(method: &'static str, path: impl Into<String>) -> Call {
        Call { method, path: path.into(), token: None, key: None, body: None }
    }

    pub(crate) fn get(path: impl Into<String>) -> Call {
        Call::new("GET", path)
    }

    pub(crate) fn token(mut self, token: &str) -> Call {
        self.token = Some(token.to_owned());
        self
    }

    pub(crate) fn key(mut self, key: &str) -> Call {
        self.key = Some(key.to_owned());
        self
    }

    pub(crate) fn body(mut self, body: Value) -> Call {
        self.body = Some(body);
        self
    }

    /// The head and the body as they are sent.
    pub(crate) fn bytes(&self) -> (Vec<u8>, Vec<u8>) {
        let body = self.body.as_ref().map(Value::to_string).unwrap_or_default().into_bytes();
        let mut head = format!("{} {} HTTP/1.1\r\nhost: store\r\n", self.method, self.path);
        let mut header = |name: &str, value: &str| head.push_str(&format!("{name}: {value}\r\n"));
        if let Some(token) = &self.token {
            header("authorization", &format!("Bearer {token}"));
        }
        if let Some(key) = &self.key {
            header("idempotency-key", key);
        }
        if !body.is_empty() {
            header("content-type", "application/json");
        }
        header("content-length", &body.len().to_string());
        head.push_str("\r\n");
        (head.into_bytes(), body)
    }
}

/// What the store said.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, wanted: &str) -> Option<&str> {
        let fields = self.head.lines().filter_map(|line| line.split_once(':'));
        fields.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.trim())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The stable code of a problem; empty if it is none.
    pub(crate) fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// One connection to a store.
pub(crate) struct Connection {
    stream: TcpStream,
    unread: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> io::Result<Connection> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream, unread: Vec::new() })
    }

    /// Sends a request and waits for its answer. An error means that no answer came, whatever happened.
    pub(crate) async fn send(&mut self, call: &Call) -> io::Result<Answer> {
        let (mut bytes, body) = call.bytes();
        bytes.extend(body);
        self.write(&bytes).await?;
        self.answer().await
    }

    /// Sends some bytes of a request.
    pub(crate) async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await
    }

    /// Waits for one answer.
    pub(crate) async fn answer(&mut self) -> io::Result<Answer> {
        match tokio::time::timeout(LONGEST_ANSWER, self.read_answer()).await {
            Ok(answer) => answer,
            Err(_) => panic!("the store was silent for {LONGEST_ANSWER:?}; it must answer, if only with 503"),
        }
    }

    async fn read_answer(&mut self) -> io::Result<Answer> {
        let head_end = loop {
            if let Some(at) = self.unread.windows(4).position(|four| four == b"\r\n\r\n") {
                break at + 4;
            }
            self.read_more().await?;
        };
        let head = String::from_utf8_lossy(&self.unread[..head_end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status line: {head:?}"));
        let mut answer = Answer { status, head, body: Vec::new() };
        let length = match answer.header("content-length") {
            Some(length) => length.parse().expect("a content-length is a number"),
            None => 0,
        };
        while self.unread.len() < head_end + length {
            self.read_more().await?;
        }
        answer.body = self.unread[head_end..head_end + length].to_vec();
        self.unread.drain(..head_end + length);
        Ok(answer)
    }

    async fn read_more(&mut self) -> io::Result<()> {
        let mut buffer = [0; 16 * 1024];
        let count = self.stream.read(&mut buffer).await?;
        if count == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.unread.extend_from_slice(&buffer[..count]);
        Ok(())
    }
}
