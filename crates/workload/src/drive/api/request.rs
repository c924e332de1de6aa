//! From what is asked to the bytes that ask it.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::drive::http::Request;
use crate::plan::Search;
use crate::record::Asked;
use crate::scenario::Cast;
use crate::stage::{ProductNo, Stage, ZoneNo};

/// How many products a page of a search has: what a shop shows on a screen.
const SEARCH_PAGE: u32 = 24;

/// All that a request can need beside what is asked.
#[derive(Clone, Copy)]
pub(in crate::drive) struct Words<'a> {
    pub(in crate::drive) host: &'a str,
    pub(in crate::drive) stage: &'a Stage,
    pub(in crate::drive) cast: &'a Cast,
    /// The password of every account of the run.
    pub(in crate::drive) password: &'a str,
    /// Of the session or of the operator.
    pub(in crate::drive) token: Option<&'a str>,
    /// The zone of the journey.
    pub(in crate::drive) zone: ZoneNo,
    /// What a search looks for.
    pub(in crate::drive) search: Option<&'a Search>,
}

/// The request that asks this.
pub(in crate::drive) fn request(asked: &Asked, words: &Words<'_>) -> Request {
    let product = |product: &ProductNo| &words.stage.products[product.0 as usize];
    let zone = |zone: &ZoneNo| words.stage.zones[zone.0 as usize].as_str();
    let page_of = |number: &ProductNo| {
        let product = product(number);
        format!("{}?category={}", product.id, encoded(&product.category))
    };
    match asked {
        Asked::Search => words.get(&format!("/products?{}", query(words.search, zone(&words.zone)))),
        Asked::Product(number) => words.get(&format!("/products/{}", page_of(number))),
        Asked::Stock(number) => {
            let product = product(number);
            words.get(&format!("/products/{}/stock?category={}", product.id, encoded(&product.category)))
        }
        Asked::Open => words.send("POST", "/sessions", None, Some(json!({"zone": zone(&words.zone)}))),
        Asked::Login(user) => {
            let email = &words.stage.users[user.0 as usize].email;
            let body = json!({"email": email, "password": words.password});
            words.send("POST", "/sessions/current/login", None, Some(body))
        }
        Asked::Cart => words.get("/cart"),
        Asked::Put { product: number, quantity } => {
            let product = product(number);
            let body = json!({"quantity": quantity, "category": product.category});
            words.send("PUT", &format!("/cart/items/{}", product.id), None, Some(body))
        }
        Asked::Remove(number) => {
            words.send("DELETE", &format!("/cart/items/{}", product(number).id), None, None)
        }
        Asked::Place { key, zone: number, expect_total } => {
            let mut body = json!({"zone": zone(number)});
            if let Some(amount) = expect_total {
                body["expect_total"] = json!({"amount": amount, "currency": words.stage.currency});
            }
            words.send("POST", "/orders", Some(key), Some(body))
        }
        Asked::Pay(order) => words.send("POST", &format!("/orders/{order}/pay"), None, None),
        Asked::Cancel(order) => words.send("POST", &format!("/orders/{order}/cancel"), None, None),
        Asked::Order(order) => words.get(&format!("/orders/{order}")),
        Asked::History { limit, cursor } => {
            let cursor = cursor.as_ref().map(|cursor| format!("&cursor={}", encoded(cursor)));
            words.get(&format!("/orders?limit={limit}{}", cursor.unwrap_or_default()))
        }
        Asked::Reprice { product: number, price } => {
            let path = format!("/admin/products/{}", product(number).id);
            words.send("PUT", &path, None, Some(product_body(words, *number, *price)))
        }
        Asked::Restock { product: number, zone: place, units } => {
            let body = json!({"zone": zone(place), "delta": units});
            words.send("POST", &format!("/admin/products/{}/stock", product(number).id), None, Some(body))
        }
    }
}

/// A product as an operator writes it, without its stock: what a zone has is left as it is.
fn product_body(words: &Words<'_>, number: ProductNo, price: i64) -> Value {
    let product = &words.stage.products[number.0 as usize];
    json!({
        "name": product.name,
        "category": product.category,
        "subcategory": words.cast.products[number.0 as usize].subcategory,
        "price": {"amount": price, "currency": words.stage.currency},
    })
}

fn query(search: Option<&Search>, zone: &str) -> String {
    let mut query = format!("limit={SEARCH_PAGE}");
    let Some(search) = search else { return query };
    let mut add = |name: &str, value: &str| {
        query.push_str(&format!("&{name}={}", encoded(value)));
    };
    add("category", &search.category);
    if search.in_zone {
        add("zone", zone);
    }
    if let Some(price) = search.min_price {
        add("min_price", &price.to_string());
    }
    if let Some(price) = search.max_price {
        add("max_price", &price.to_string());
    }
    add("sort", search.sort);
    query
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

impl Words<'_> {
    /// A request that only reads.
    pub(in crate::drive) fn get(&self, path: &str) -> Request {
        Request { reads_only: true, ..self.send("GET", path, None, None) }
    }

    /// A request that may change something. `path` is below `/api/v1`.
    pub(in crate::drive) fn send(
        &self,
        method: &str,
        path: &str,
        key: Option<&str>,
        body: Option<Value>,
    ) -> Request {
        let mut head = format!("{method} /api/v1{path} HTTP/1.1\r\nhost: {}\r\n", self.host);
        let mut header = |name: &str, value: &str| {
            head.extend([name, ": ", value, "\r\n"]);
        };
        if let Some(token) = self.token {
            header("authorization", &format!("Bearer {token}"));
        }
        if let Some(key) = key {
            header("idempotency-key", key);
        }
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        if !body.is_empty() {
            header("content-type", "application/json");
        }
        if method != "GET" {
            header("content-length", &body.len().to_string());
        }
        head.push_str("\r\n");
        head.push_str(&body);
        Request { bytes: head.into_bytes(), reads_only: false }
    }
}
