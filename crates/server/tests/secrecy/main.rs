//! Passwords and tokens appear in no log, at any level. A process of its own: the log is captured for all of it.

// A test that unwraps what is not there fails, which is what it is for; helpers of tests are no exception.
#![allow(clippy::unwrap_used)]

#[path = "../api/shop.rs"]
mod shop;

use std::io::Write;
use std::sync::{Arc, Mutex};

use serde_json::json;
use tracing_subscriber::fmt::MakeWriter;

use crate::shop::{OPERATOR, Shop};

/// Everything that was ever logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Log;

    fn make_writer(&'a self) -> Log {
        self.clone()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_are_in_no_log() {
    let log = Log::default();
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(log.clone())
        .init();
    let shop = Shop::open().await;
    let product = shop.product("Phone", 5).await;

    // One of everything that carries a secret, done right and done wrong.
    let guest = shop.guest().await;
    let right = json!({"email": "anna@example.com", "password": "a quite secret phrase"});
    shop.post("/api/v1/accounts").json(&right).send().await.expect(201);
    shop.post("/api/v1/accounts").json(&right).send().await.refused(409, "email_taken");
    let broken = r#"{"email": "anna@example.com", "password": "a broken secret"#;
    let call = shop.post("/api/v1/accounts").header("content-type", "application/json").body(broken);
    let answer = call.send().await;
    assert!(!answer.text.contains("broken secret"), "{}", answer.text);
    let extra = json!({"email": "a@b.ru", "password": "a surplus secret", "x": 1});
    shop.post("/api/v1/accounts").json(&extra).send().await.refused(422, "invalid_body");
    let login = shop.post("/api/v1/sessions/current/login");
    let wrong = json!({"email": "anna@example.com", "password": "a wrong secret"});
    login.token(&guest).json(&wrong).send().await.refused(401, "bad_credentials");
    let login = shop.post("/api/v1/sessions/current/login").token(&guest).json(&right);
    let user = login.send().await.expect(200)["token"].as_str().unwrap().to_owned();
    shop.put_item(&user, &product, 1).await.expect(200);
    shop.check_out(&user, "a-key").await.expect(201);
    let cookie = format!("mworld_session={user}");
    shop.get("/api/v1/cart").header("cookie", &cookie).send().await.expect(200);
    let misplaced = format!("/api/v1/products?token={user}");
    shop.get(&misplaced).send().await.refused(400, "unknown_parameter");
    shop.get("/api/v1/cart").token("a-guessed-token").send().await.refused(401, "unauthorized");
    shop.post("/api/v1/sessions/current/logout").token(&user).send().await.expect(204);

    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(
        text.contains("request done") && text.contains("/api/v1/orders"),
        "the log was captured:\n{text}"
    );
    let secrets = [
        &guest[22..],
        &user[22..],
        OPERATOR,
        "secret phrase",
        "broken secret",
        "surplus secret",
        "wrong secret",
        "a-guessed-token",
        "argon2id",
    ];
    for secret in secrets {
        assert!(!text.contains(secret), "{secret} was logged");
    }
}
