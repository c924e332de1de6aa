//! The pool against servers that behave badly, each in its own way.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/// Serves one connection after another, each by its own list: for every request that comes the next text is written,
/// and after the last one the connection is closed.
async fn serving(connections: &'static [&'static [&'static str]]) -> Pool {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        for answers in connections {
            let (mut stream, _) = listener.accept().await.unwrap();
            for answer in *answers {
                let _ = stream.read(&mut [0; 1024]).await.unwrap();
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
            // The client must have written its next request before it hears of the end.
            if answers.last() == Some(&OK) {
                let _ = stream.read(&mut [0; 1024]).await;
            }
        }
    });
    Pool::new(vec![address], Duration::from_secs(5))
}

fn request(reads_only: bool) -> Request {
    let method = if reads_only { "GET" } else { "POST" };
    Request { bytes: format!("{method} / HTTP/1.1\r\nhost: x\r\n\r\n").into_bytes(), reads_only }
}

async fn send(pool: &Pool, reads_only: bool) -> Result<u16, Why> {
    pool.send(&request(reads_only)).await.outcome.map(|answer| answer.status)
}

#[tokio::test]
async fn a_connection_is_used_again() {
    let pool = serving(&[&[OK, OK, OK]]).await;
    for _ in 0..3 {
        assert_eq!(send(&pool, false).await, Ok(200));
    }
}

#[tokio::test]
async fn a_read_survives_a_stale_connection_and_a_write_is_not_sent_twice() {
    let pool = serving(&[&[OK], &[OK]]).await;
    assert_eq!(send(&pool, true).await, Ok(200));
    assert_eq!(send(&pool, true).await, Ok(200), "the first connection was closed without an answer");

    let pool = serving(&[&[OK], &[OK]]).await;
    assert_eq!(send(&pool, false).await, Ok(200));
    assert_eq!(send(&pool, false).await, Err(Why::Cut), "nobody knows what became of it");
    assert_eq!(send(&pool, false).await, Ok(200));
}

#[tokio::test]
async fn each_way_to_lose_an_answer_has_its_name() {
    let pool = serving(&[&["HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"]]).await;
    assert_eq!(send(&pool, true).await, Err(Why::Cut));

    let pool = serving(&[&["what?\r\n\r\n"]]).await;
    assert_eq!(send(&pool, true).await, Err(Why::Garbled));

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let silent = Pool::new(vec![address], Duration::from_millis(50));
    assert_eq!(send(&silent, true).await, Err(Why::TimedOut));
    drop(listener);
    assert_eq!(send(&silent, true).await, Err(Why::NotConnected));
}

#[tokio::test]
async fn the_first_poll_writes_the_request_if_a_connection_is_idle() {
    let pool = serving(&[&[OK, OK]]).await;
    assert_eq!(send(&pool, false).await, Ok(200));
    let before = Instant::now();
    let request = request(false);
    let mut sending = Box::pin(pool.send(&request));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(sending.as_mut().poll(&mut context).is_pending());
    let after = Instant::now();
    // Polled again much later, by another waker: the answer is not missed, and the moment of sending is the first.
    tokio::time::sleep(Duration::from_millis(20)).await;
    let exchange = sending.await;
    assert!(exchange.outcome.is_ok());
    assert!((before..=after).contains(&exchange.sent));
}

#[tokio::test]
async fn a_body_may_come_in_chunks_or_end_with_the_connection() {
    let pool = serving(&[
        &["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"],
        &["HTTP/1.1 200 OK\r\n\r\nall"],
    ])
    .await;
    let body = async || pool.send(&request(true)).await.outcome.map(|answer| answer.body);
    assert_eq!(body().await, Ok(b"ab".to_vec()));
    assert_eq!(body().await, Ok(b"all".to_vec()));
}
