//! Sessions, accounts, tokens.

use mworld_server::{Limits, Probe};
use serde_json::{Value, json};

use crate::shop::{OPERATOR, Shop};

#[tokio::test(flavor = "multi_thread")]
async fn a_session_says_what_it_is() {
    let shop = Shop::open().await;
    let opened = shop.post("/api/v1/sessions").json(&json!({"zone": "spb"})).send().await;
    assert_eq!(opened.header("cache-control"), "no-store");
    let opened = opened.expect(201);
    assert_eq!(opened["zone"], "spb");
    let token = opened["token"].as_str().unwrap();
    let current = shop.get("/api/v1/sessions/current").token(token).send().await.expect(200);
    assert_eq!(current["session_id"], opened["session_id"]);
    assert_eq!(current["user_id"], Value::Null);
    assert_eq!(current["status"], "active");
    assert_eq!(current["expires_at"], opened["expires_at"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_zone_defaults_to_the_first() {
    let shop = Shop::open().await;
    assert_eq!(shop.post("/api/v1/sessions").send().await.expect(201)["zone"], "msk");
    assert_eq!(shop.post("/api/v1/sessions").json(&Value::Null).send().await.expect(201)["zone"], "msk");
    assert_eq!(shop.post("/api/v1/sessions").json(&json!({})).send().await.expect(201)["zone"], "msk");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_old_token_dies_at_login() {
    let shop = Shop::open().await;
    shop.user("a@example.com").await;
    let old = shop.guest().await;
    let new = shop.log_in(&old, "a@example.com").await;
    assert_ne!(old, new);
    shop.get("/api/v1/cart").token(&old).send().await.refused(401, "unauthorized");
    let current = shop.get("/api/v1/sessions/current").token(&new).send().await.expect(200);
    assert!(current["user_id"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn logout_and_delete_kill_the_token() {
    let shop = Shop::open().await;
    for (method, path) in
        [("POST", "/api/v1/sessions/current/logout"), ("DELETE", "/api/v1/sessions/current")]
    {
        let token = shop.guest().await;
        shop.call(method, path).token(&token).send().await.expect(204);
        let after = shop.get("/api/v1/sessions/current").token(&token).send().await;
        assert_eq!(after.header("www-authenticate"), "Bearer");
        after.refused(401, "unauthorized");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cookie_is_as_good_as_the_header() {
    let shop = Shop::open().await;
    let token = shop.guest().await;
    let cookie = format!("theme=dark; mworld_session={token}");
    shop.get("/api/v1/cart").header("cookie", &cookie).send().await.expect(200);
    shop.get("/api/v1/cart")
        .header("cookie", "mworld_session=nonsense")
        .send()
        .await
        .refused(401, "unauthorized");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_secret_for_a_known_session_opens_nothing() {
    let shop = Shop::open().await;
    let (mine, other) = (shop.guest().await, shop.guest().await);
    // The first 21 characters hold the id and no part of the secret; the 22nd holds bits of both.
    let forged = format!("{}{}", &mine[..22], &other[22..]);
    shop.get("/api/v1/cart").token(&forged).send().await.refused(401, "unauthorized");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_has_one_account_however_it_is_spelt() {
    let shop = Shop::open().await;
    shop.user("anna@example.com").await;
    let again = json!({"email": "  ANNA@example.COM ", "password": "another one"});
    shop.post("/api/v1/accounts").json(&again).send().await.refused(409, "email_taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_and_an_unknown_email_sound_alike() {
    let shop = Shop::open().await;
    shop.user("anna@example.com").await;
    let token = shop.guest().await;
    let attempt = async |email: &str| {
        let credentials = json!({"email": email, "password": "wrong horse"});
        let login = shop.post("/api/v1/sessions/current/login").token(&token).json(&credentials);
        login.send().await.refused(401, "bad_credentials")
    };
    let known = attempt("anna@example.com").await;
    assert_eq!(known, attempt("nobody@example.com").await);
    assert_eq!(known, attempt("not an address").await);
    shop.get("/api/v1/cart").token(&token).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_is_slowed_down_for_known_and_unknown_emails_alike() {
    let limits = Limits { login_failures_per_minute: 3, ..Limits::default() };
    let shop = Shop::open_with(limits, Probe::Absent).await;
    shop.user("anna@example.com").await;
    let token = shop.guest().await;
    for email in ["anna@example.com", "nobody@example.com"] {
        let attempt = async |password: &str| {
            let credentials = json!({"email": email, "password": password});
            shop.post("/api/v1/sessions/current/login").token(&token).json(&credentials).send().await
        };
        for _ in 0..3 {
            attempt("wrong horse").await.refused(401, "bad_credentials");
        }
        let refused = attempt("correct horse").await;
        let wait: u64 = refused.header("retry-after").parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
        refused.refused(429, "too_many_requests");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_merge_says_what_did_not_fit() {
    let shop = Shop::open().await;
    let phone = shop.product("Phone", 10).await;
    let user = shop.user("anna@example.com").await;
    shop.put_item(&user, &phone, 700).await.expect(200);
    let guest = shop.guest().await;
    shop.put_item(&guest, &phone, 400).await.expect(200);
    let credentials = json!({"email": "anna@example.com", "password": "correct horse"});
    let login = shop.post("/api/v1/sessions/current/login").token(&guest).json(&credentials);
    let login = login.send().await.expect(200);
    assert_eq!(login["cart"]["items"][0]["quantity"], 999);
    let capped = json!([{"product_id": phone, "wanted": 1100, "kept": 999, "why": "quantity"}]);
    assert_eq!(login["capped"], capped);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_token_may_send_so_many_a_second() {
    let limits = Limits { per_token_per_second: 20, ..Limits::default() };
    let shop = Shop::open_with(limits, Probe::Absent).await;
    let (greedy, modest) = (shop.guest().await, shop.guest().await);
    let mut refused = None;
    for _ in 0..200 {
        let answer = shop.get("/api/v1/cart").token(&greedy).send().await;
        if answer.status == 429 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("200 requests in a row are faster than 20 a second");
    assert_eq!(refused.header("retry-after"), "1");
    refused.refused(429, "too_many_requests");
    shop.get("/api/v1/cart").token(&modest).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_kind_of_token_opens_its_own_doors() {
    let shop = Shop::open().await;
    let guest = shop.guest().await;
    let operator_path = "/api/v1/admin/orders";
    shop.get(operator_path).token(&guest).send().await.refused(403, "operator_only");
    shop.get(operator_path).send().await.refused(401, "unauthorized");
    shop.get(operator_path).token("guess").send().await.refused(401, "unauthorized");
    shop.get(operator_path).token(&"A".repeat(64)).send().await.refused(401, "unauthorized");
    shop.get(operator_path).token(OPERATOR).send().await.expect(200);
    shop.get("/api/v1/cart").token(OPERATOR).send().await.refused(401, "unauthorized");
    shop.get("/api/v1/orders").token(&guest).send().await.refused(401, "login_required");
}
