//! A server that does nothing and answers everything: what is left when the store costs nothing.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const ID: &str = "0190b7a5-0000-7000-8000-000000000001";

/// Starts one on a thread of its own, which ends with the process.
pub(crate) fn start() -> SocketAddr {
    let (address, started) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            address.send(listener.local_addr().unwrap()).unwrap();
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream));
            }
        });
    });
    started.recv().unwrap()
}

/// One request after another; each of the driver's comes in one piece.
async fn serve(mut stream: TcpStream) {
    stream.set_nodelay(true).unwrap();
    let mut request = [0; 4096];
    while let Ok(length @ 1..) = stream.read(&mut request).await {
        let text = String::from_utf8_lossy(&request[..length]);
        let mut words = text.split(' ');
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let (status, body) = answer(method, path);
        let head = format!("HTTP/1.1 {status} Yes\r\ncontent-length: {}\r\n\r\n", body.len());
        if stream.write_all((head + &body).as_bytes()).await.is_err() {
            return;
        }
    }
}

fn answer(method: &str, path: &str) -> (u16, String) {
    let path = path.split('?').next().unwrap_or_default();
    let money = r#"{"amount":1,"currency":"RUB"}"#;
    let cart = format!(r#"{{"items":[],"total":{money}}}"#);
    let order = format!(
        r#"{{"id":"{ID}","status":"created","zone":"msk","items":[],"total":{money},"created_at":""}}"#
    );
    match (method, path.trim_start_matches("/api/v1")) {
        (_, "/zones") => (200, r#"{"items":[{"id":"msk"},{"id":"spb"}]}"#.to_owned()),
        (_, "/categories") => (200, r#"{"items":[{"id":"electronics"},{"id":"audio"}]}"#.to_owned()),
        (_, "/sessions") => (201, r#"{"token":"t"}"#.to_owned()),
        (_, "/accounts") => (201, "{}".to_owned()),
        (_, "/sessions/current/login") => (200, format!(r#"{{"user_id":"{ID}","token":"t","cart":{cart}}}"#)),
        ("GET", "/orders") | (_, "/products") => (200, r#"{"items":[],"next":null}"#.to_owned()),
        ("POST", "/orders") => (201, order),
        (_, path) if path.starts_with("/orders") => (200, order),
        (_, path) if path.starts_with("/cart") => (200, cart),
        _ => (200, format!(r#"{{"price":{money},"stock":[]}}"#)),
    }
}
