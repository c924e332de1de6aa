//! Overload, slowness, and the end.

use std::time::Duration;

use mworld_server::{Drained, Limits, Probe};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::shop::Shop;

/// A client that has sent the head of a request and keeps its body back: the request is at work until it ends.
async fn slow_client(shop: &Shop) -> TcpStream {
    let mut stream = TcpStream::connect(shop.address).await.unwrap();
    let head = "POST /api/v1/sessions HTTP/1.1\r\nhost: shop\r\ncontent-type: application/json\r\n\
                content-length: 2\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

async fn status_line(stream: &mut TcpStream) -> String {
    let mut bytes = [0; 12];
    let read = tokio::time::timeout(Duration::from_secs(20), stream.read_exact(&mut bytes)).await;
    read.expect("an answer in time").unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Waits until the metrics say that so many requests wait.
async fn until_waiting(shop: &Shop, requests: u32) {
    let line = format!("mworld_queue_depth {requests}\n");
    while !shop.get("/metrics").send().await.text.contains(&line) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_house_says_so_at_once_and_recovers() {
    let limits = Limits { in_flight: 2, queue: 2, queue_wait: Duration::from_secs(30), ..Limits::default() };
    let shop = Shop::open_with(limits, Probe::Absent).await;
    let mut clients = Vec::new();
    for _ in 0..2 {
        clients.push(slow_client(&shop).await);
    }
    // Two at work; the next two wait.
    for _ in 0..2 {
        clients.push(slow_client(&shop).await);
    }
    until_waiting(&shop, 2).await;
    for _ in 0..20 {
        let refused = shop.get("/api/v1/zones").send().await;
        assert_eq!(refused.header("retry-after"), "1");
        refused.refused(503, "overloaded");
        shop.get("/healthz").send().await.expect(200);
    }
    for client in &mut clients {
        client.write_all(b"{}").await.unwrap();
    }
    for client in &mut clients {
        assert_eq!(status_line(client).await, "HTTP/1.1 201");
    }
    shop.get("/api/v1/zones").send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_longer_than_the_limit() {
    let limits =
        Limits { in_flight: 1, queue: 9, queue_wait: Duration::from_millis(50), ..Limits::default() };
    let shop = Shop::open_with(limits, Probe::Absent).await;
    let mut busy = slow_client(&shop).await;
    let mut refused = false;
    // The slow client may come to its place a moment later than its first bytes left.
    for _ in 0..100 {
        refused = shop.get("/api/v1/zones").send().await.status == 503;
        if refused {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(refused);
    busy.write_all(b"{}").await.unwrap();
    assert_eq!(status_line(&mut busy).await, "HTTP/1.1 201");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_does_not_come_gives_its_place_back() {
    let limits = Limits { body_wait: Duration::from_millis(50), ..Limits::default() };
    let shop = Shop::open_with(limits, Probe::Absent).await;
    let mut slow = slow_client(&shop).await;
    assert_eq!(status_line(&mut slow).await, "HTTP/1.1 408");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_connection_is_closed() {
    let limits = Limits { header_wait: Duration::from_millis(50), ..Limits::default() };
    let shop = Shop::open_with(limits, Probe::Absent).await;
    let mut silent = TcpStream::connect(shop.address).await.unwrap();
    silent.write_all(b"GET /healthz HTTP/1.1\r\n").await.unwrap();
    let mut rest = Vec::new();
    let closed = tokio::time::timeout(Duration::from_secs(10), silent.read_to_end(&mut rest)).await;
    assert!(closed.is_ok(), "the connection is still open");
}

#[tokio::test(flavor = "multi_thread")]
async fn pipelined_requests_are_answered_in_order() {
    let shop = Shop::open().await;
    let mut stream = TcpStream::connect(shop.address).await.unwrap();
    let request = |path: &str, rest: &str| format!("GET {path} HTTP/1.1\r\nhost: shop\r\n{rest}\r\n");
    let both = request("/healthz", "") + &request("/nowhere", "connection: close\r\n");
    stream.write_all(both.as_bytes()).await.unwrap();
    let mut answers = String::new();
    stream.read_to_string(&mut answers).await.unwrap();
    let first = answers.find("HTTP/1.1 200").unwrap();
    let second = answers.find("HTTP/1.1 404").unwrap();
    assert!(first < second, "{answers}");
}

/// A shop with one client at work and one waiting behind it, both certainly accepted.
async fn busy_shop(drain: Duration) -> (Shop, [TcpStream; 2]) {
    let limits = Limits { in_flight: 1, drain, queue_wait: Duration::from_secs(30), ..Limits::default() };
    let shop = Shop::open_with(limits, Probe::Absent).await;
    let clients = [slow_client(&shop).await, slow_client(&shop).await];
    until_waiting(&shop, 1).await;
    (shop, clients)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shutdown_finishes_what_was_accepted() {
    let (shop, mut clients) = busy_shop(Duration::from_secs(30)).await;
    let mut idle = TcpStream::connect(shop.address).await.unwrap();
    let address = shop.address;
    let served = shop.close();
    // The listener closes first.
    while TcpStream::connect(address).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    for client in &mut clients {
        client.write_all(b"{}").await.unwrap();
    }
    for client in &mut clients {
        assert_eq!(status_line(client).await, "HTTP/1.1 201");
    }
    assert_eq!(served.await.unwrap(), Drained { unfinished: 0 });
    assert_eq!(idle.read(&mut [0; 1]).await.unwrap_or(0), 0, "an idle connection is closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shutdown_does_not_wait_for_ever() {
    let (shop, _clients) = busy_shop(Duration::from_millis(100)).await;
    assert_eq!(shop.close().await.unwrap(), Drained { unfinished: 2 });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_has_a_limit_announced_or_not() {
    let shop = Shop::open_with(Limits { body_bytes: 100, ..Limits::default() }, Probe::Absent).await;
    let long = format!("{{\"zone\": \"{}\"}}", "x".repeat(200));
    let call = shop.post("/api/v1/sessions").header("content-type", "application/json").body(long.clone());
    call.send().await.refused(413, "body_too_large");

    let mut stream = TcpStream::connect(shop.address).await.unwrap();
    let head = "POST /api/v1/sessions HTTP/1.1\r\nhost: shop\r\ncontent-type: application/json\r\n\
                transfer-encoding: chunked\r\n\r\n";
    let chunk = format!("{:x}\r\n{long}\r\n0\r\n\r\n", long.len());
    stream.write_all(format!("{head}{chunk}").as_bytes()).await.unwrap();
    assert_eq!(status_line(&mut stream).await, "HTTP/1.1 413");
}
