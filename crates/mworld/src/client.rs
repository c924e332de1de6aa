//! A small HTTP client of a running store.

use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::{Method, Request, StatusCode, Uri};
use hyper_util::client::legacy::Client as Pool;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use secrecy::{ExposeSecret, SecretString};

use crate::failure::{Failure, Outcome, failed, wrong_input};

/// How long one answer may take.
const ANSWER: Duration = Duration::from_secs(30);

/// How long an overloaded store is waited for before the work is given up.
const PATIENCE: Duration = Duration::from_secs(120);

/// The longest answer that is read: a page of 100 products at their longest is far below it.
const LONGEST_ANSWER: usize = 16 << 20;

/// One store.
#[derive(Clone)]
pub(crate) struct Client {
    pool: Pool<HttpConnector, Full<Bytes>>,
    /// `http://host:port`, without a slash at the end.
    base: String,
    authorization: Option<HeaderValue>,
}

/// What the store said.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) body: Bytes,
}

impl Client {
    /// A client of the store at that address, with the operator's token if the work needs it.
    pub(crate) fn new(url: &str, token: Option<&SecretString>) -> Outcome<Client> {
        let form = |why: &str| wrong_input(format!("--url {url:?} {why}; write http://host:port"));
        let uri: Uri = url.parse().map_err(|error| form(&format!("is no address ({error})")))?;
        match uri.scheme_str() {
            Some("http") => {}
            Some("https") => return Err(form("asks for TLS, which this command does not speak")),
            _ => return Err(form("does not begin with http://")),
        }
        let authority = uri.authority().ok_or_else(|| form("names no host"))?;
        if authority.as_str().contains('@') {
            return Err(wrong_input("--url has a user or a password in it; write http://host:port"));
        }
        if !matches!(uri.path(), "" | "/") || uri.query().is_some() {
            return Err(form("has a path"));
        }
        let authorization = token.map(bearer).transpose()?;
        let pool = Pool::builder(TokioExecutor::new()).build_http();
        Ok(Client { pool, base: format!("http://{authority}"), authorization })
    }

    /// The store's address.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// Sends a request until the store has time for it. `path` begins with a slash.
    pub(crate) async fn send(&self, method: Method, path: &str, body: Bytes) -> Outcome<Answer> {
        let started = Instant::now();
        loop {
            let (answer, retry_after) = self.send_once(method.clone(), path, body.clone()).await?;
            let busy =
                matches!(answer.status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS);
            if !busy || started.elapsed() + retry_after > PATIENCE {
                return Ok(answer);
            }
            tokio::time::sleep(retry_after).await;
        }
    }

    async fn send_once(&self, method: Method, path: &str, body: Bytes) -> Outcome<(Answer, Duration)> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization);
        }
        if !body.is_empty() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        let request = request.body(Full::new(body)).expect("method, address and headers were checked before");
        let call = async {
            let response = self.pool.request(request).await.map_err(|error| self.unreachable(&error))?;
            let (head, body) = response.into_parts();
            let body = Limited::new(body, LONGEST_ANSWER).collect().await;
            let body = body.map_err(|error| self.unreachable(error.as_ref()))?.to_bytes();
            let seconds = head.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
            let retry_after =
                Duration::from_secs(seconds.unwrap_or(1)).clamp(Duration::from_millis(100), PATIENCE);
            Ok((Answer { status: head.status, body }, retry_after))
        };
        match tokio::time::timeout(ANSWER, call).await {
            Ok(answer) => answer,
            Err(_) => Err(failed(format!(
                "the store at {} did not answer within {} s; see whether it is overloaded, then run the same command again",
                self.base,
                ANSWER.as_secs()
            ))),
        }
    }

    fn unreachable(&self, error: &(dyn std::error::Error + 'static)) -> Failure {
        let cause = std::iter::successors(Some(error), |error| error.source()).last().unwrap_or(error);
        failed(format!(
            "the store at {} cannot be reached: {cause}; start it with `mworld serve` or name another with --url",
            self.base
        ))
    }
}

impl Answer {
    /// What a refusal says: the problem's code and detail, or the bare status.
    pub(crate) fn complaint(&self) -> String {
        let problem: Option<serde_json::Value> = serde_json::from_slice(&self.body).ok();
        let text = |key: &str| problem.as_ref()?.get(key)?.as_str().map(str::to_owned);
        match (text("code"), text("detail")) {
            (Some(code), Some(detail)) => format!("{} {code}: {detail}", self.status.as_u16()),
            _ => format!("{}", self.status),
        }
    }
}

fn bearer(token: &SecretString) -> Outcome<HeaderValue> {
    let text = format!("Bearer {}", token.expose_secret());
    let mut value = HeaderValue::from_str(&text).map_err(|_| {
        wrong_input("the operator token has characters that no header may have; write visible ASCII")
    })?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    /// Answers one connection after another with these heads, whatever is asked.
    async fn answering(heads: &'static [&'static str]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            for head in heads {
                let (mut stream, _) = listener.accept().await.unwrap();
                let _ = stream.read(&mut [0; 4096]).await.unwrap();
                let answer = format!("HTTP/1.1 {head}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}");
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        });
        format!("http://{address}")
    }

    #[tokio::test]
    async fn a_store_without_time_is_asked_again_when_it_says() {
        let url = answering(&["503 Busy\r\nretry-after: 1", "429 Slowly", "200 OK"]).await;
        let client = Client::new(&url, None).unwrap();
        let started = Instant::now();
        let answer = client.send(Method::GET, "/", Bytes::new()).await.unwrap();
        assert_eq!(answer.status, StatusCode::OK);
        assert!(started.elapsed() >= Duration::from_secs(2), "one second as told, one where nothing is told");
    }

    #[tokio::test]
    async fn what_is_refused_for_a_reason_is_not_asked_again() {
        let url = answering(&["422 No", "200 OK"]).await;
        let client = Client::new(&url, None).unwrap();
        let answer = client.send(Method::PUT, "/", Bytes::from_static(b"{}")).await.unwrap();
        assert_eq!(answer.complaint(), "422 Unprocessable Entity");
    }
}
