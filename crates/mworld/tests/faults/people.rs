//! Buyers: an account, a session, and what they do with them.

use std::io;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::goods::{Good, ZONE};
use crate::http::{Answer, Call, Connection};
use crate::process::Store;

/// Somebody who is logged in. The token outlives the process that gave it.
#[derive(Debug, Clone)]
pub(crate) struct Buyer {
    pub(crate) token: String,
}

impl Buyer {
    /// Makes an account and logs in.
    pub(crate) async fn register(store: &Store) -> Buyer {
        let mut connection = store.connect().await;
        let credentials =
            json!({ "email": format!("{}@example.org", Uuid::new_v4()), "password": "correct horse" });
        let account = Call::new("POST", "/api/v1/accounts").body(credentials.clone());
        told(connection.send(&account).await, 201);
        let session = told(connection.send(&Call::new("POST", "/api/v1/sessions")).await, 201);
        let guest = session["token"].as_str().expect("a session has a token").to_owned();
        let login = Call::new("POST", "/api/v1/sessions/current/login").token(&guest).body(credentials);
        let user = told(connection.send(&login).await, 200);
        Buyer { token: user["token"].as_str().expect("a login gives a token").to_owned() }
    }

    /// So many of them, made at the same time.
    pub(crate) async fn crowd(store: &Store, count: usize) -> Vec<Buyer> {
        futures_util::future::join_all((0..count).map(|_| Buyer::register(store))).await
    }

    /// Puts pieces of a product into the cart.
    pub(crate) async fn put(
        &self,
        connection: &mut Connection,
        good: &Good,
        pieces: u64,
    ) -> io::Result<Answer> {
        let path = format!("/api/v1/cart/items/{}", good.id);
        connection.send(&Call::new("PUT", path).token(&self.token).body(json!({ "quantity": pieces }))).await
    }

    /// The request that orders what is in the cart.
    pub(crate) fn order_call(&self, key: &str) -> Call {
        Call::new("POST", "/api/v1/orders").token(&self.token).key(key).body(json!({ "zone": ZONE }))
    }

    /// Orders what is in the cart.
    pub(crate) async fn order(&self, connection: &mut Connection, key: &str) -> io::Result<Answer> {
        connection.send(&self.order_call(key)).await
    }

    /// One order, as its buyer sees it.
    pub(crate) async fn shown(&self, connection: &mut Connection, id: &str) -> Answer {
        let call = Call::get(format!("/api/v1/orders/{id}")).token(&self.token);
        connection.send(&call).await.expect("the store answers")
    }

    /// The whole history, page by page.
    pub(crate) async fn history(&self, connection: &mut Connection) -> Vec<Value> {
        all_pages(connection, "/api/v1/orders?limit=100", &self.token).await
    }
}

/// Every item of a list.
pub(crate) async fn all_pages(connection: &mut Connection, path: &str, token: &str) -> Vec<Value> {
    let (mut items, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = connection.send(&Call::get(format!("{path}{cursor}")).token(token)).await;
        let page = told(page, 200);
        items.extend(page["items"].as_array().expect("a list has items").iter().cloned());
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return items,
        }
    }
}

/// The body of an answer that must have this status.
fn told(answer: io::Result<Answer>, status: u16) -> Value {
    let answer = answer.expect("the store answers");
    assert_eq!(answer.status, status, "{}", answer.json());
    answer.json()
}
