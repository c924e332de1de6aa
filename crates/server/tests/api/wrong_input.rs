//! Wrong requests: each hears what is wrong, with the value, the limit and the next step, and changes nothing.

use crate::shop::{OPERATOR, Shop};

/// Who sends it.
#[derive(Clone, Copy, Debug)]
enum As {
    Nobody,
    Guest,
    User,
    Operator,
}
use As::{Guest, Nobody, Operator, User};

/// How a body is labelled.
const JSON: &str = "application/json";

/// Sender, method, path, content type, body → status, code, a part of the detail.
type Case = (As, &'static str, &'static str, &'static str, &'static str, u16, &'static str, &'static str);

/// An id that is well formed and belongs to nothing.
macro_rules! id {
    () => {
        "018f2e9c-6b1a-7c3d-9e4f-5a6b7c8d9e0f"
    };
}

/// A path that ends in that id, or goes on behind it.
macro_rules! at {
    ($before:literal) => {
        concat!("/api/v1", $before, id!())
    };
    ($before:literal, $after:literal) => {
        concat!("/api/v1", $before, id!(), $after)
    };
}

#[rustfmt::skip]
const CASES: &[Case] = &[
    // Queries.
    (Nobody, "GET", "/api/v1/products?colour=red", "", "", 400, "unknown_parameter", "\"colour\"; this path takes q, category"),
    (Nobody, "GET", "/api/v1/products?attr.=red", "", "", 400, "unknown_parameter", "\"attr.\""),
    (Nobody, "GET", "/api/v1/products?limit=0", "", "", 400, "invalid_parameter", "limit: is \"0\"; write a whole number from 1 to 100"),
    (Nobody, "GET", "/api/v1/products?limit=101", "", "", 400, "invalid_parameter", "from 1 to 100"),
    (Nobody, "GET", "/api/v1/products?limit=many", "", "", 400, "invalid_parameter", "\"many\""),
    (Nobody, "GET", "/api/v1/products?limit=1&limit=2", "", "", 400, "invalid_parameter", "limit: comes twice"),
    (Nobody, "GET", "/api/v1/products?sort=cheapest", "", "", 400, "invalid_parameter", "choose price, -price or newest"),
    (Nobody, "GET", "/api/v1/products?min_price=5&max_price=4", "", "", 400, "invalid_parameter", "min_price: 5 is above max_price 4"),
    (Nobody, "GET", "/api/v1/products?min_price=-1", "", "", 400, "invalid_parameter", "min_price: is \"-1\""),
    (Nobody, "GET", "/api/v1/products?max_price=1e3", "", "", 400, "invalid_parameter", "max_price"),
    (Nobody, "GET", "/api/v1/products?max_price=99999999999999999999", "", "", 400, "invalid_parameter", "1000000000000000"),
    (Nobody, "GET", "/api/v1/products?cursor=x", "", "", 400, "bad_cursor", "start again without a cursor"),
    (Nobody, "GET", "/api/v1/products?cursor=AQEBAQEBAQEBAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAA", "", "", 400, "bad_cursor", "does not belong"),
    (Nobody, "GET", "/api/v1/products?category=toys", "", "", 422, "unknown_category", "\"toys\"; choose one of electronics"),
    (Nobody, "GET", "/api/v1/products?zone=mars", "", "", 422, "unknown_zone", "\"mars\"; choose one of msk"),
    (Nobody, "GET", "/api/v1/products?q=%ff", "", "", 400, "invalid_parameter", "UTF-8"),
    (Nobody, "GET", "/api/v1/zones?limit=1", "", "", 400, "unknown_parameter", "takes none"),
    (Nobody, "GET", at!("/products/", "?limit=1"), "", "", 400, "unknown_parameter", "category, zone"),
    (User, "GET", "/api/v1/orders?zone=msk", "", "", 400, "unknown_parameter", "status, from, to, limit, cursor"),
    (User, "GET", "/api/v1/orders?status=lost", "", "", 400, "invalid_parameter", "\"lost\" is no order status; choose one of created"),
    (User, "GET", "/api/v1/orders?from=yesterday", "", "", 400, "invalid_parameter", "from: \"yesterday\" is no time; write RFC 3339"),
    (User, "GET", "/api/v1/orders?to=", "", "", 400, "invalid_parameter", "to: \"\" is no time"),
    (Nobody, "GET", "/api/v1/products?zone=", "", "", 422, "unknown_zone", "\"\"; choose one of msk"),
    (User, "GET", "/api/v1/orders?to=2026-11-27", "", "", 400, "invalid_parameter", "to: \"2026-11-27\""),
    (User, "GET", "/api/v1/orders?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "", "", 400, "invalid_parameter", "is not before to"),
    (User, "GET", "/api/v1/orders?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z", "", "", 400, "invalid_parameter", "is not before to"),
    (User, "GET", "/api/v1/orders?cursor=%20", "", "", 400, "bad_cursor", "start again"),
    (Operator, "GET", "/api/v1/admin/orders?zone=mars", "", "", 422, "unknown_zone", "\"mars\""),
    (Operator, "GET", "/api/v1/admin/events?limit=1000", "", "", 400, "invalid_parameter", "from 1 to 100"),
    (Operator, "GET", "/api/v1/admin/events?cursor=1", "", "", 400, "unknown_parameter", "after, limit"),
    (Operator, "GET", "/api/v1/ops/shards?x=1", "", "", 400, "unknown_parameter", "takes none"),
    // Paths.
    (Nobody, "GET", "/api/v1/products/7", "", "", 400, "invalid_parameter", "\"7\" cannot be the id of a product; write a UUID"),
    (Nobody, "GET", "/api/v1/products/%ff", "", "", 400, "invalid_parameter", "UTF-8"),
    (Nobody, "GET", "/api/v1/products/7/stock", "", "", 400, "invalid_parameter", "\"7\""),
    (Nobody, "GET", at!("/products/"), "", "", 404, "product_not_found", id!()),
    (User, "GET", "/api/v1/orders/latest", "", "", 400, "invalid_parameter", "\"latest\" cannot be the id of an order"),
    (User, "GET", at!("/orders/"), "", "", 404, "order_not_found", id!()),
    (User, "POST", "/api/v1/orders/latest/cancel", "", "", 400, "invalid_parameter", "\"latest\""),
    (User, "POST", at!("/orders/", "/pay"), "", "", 404, "order_not_found", "list the orders"),
    (Operator, "GET", at!("/admin/orders/"), "", "", 404, "order_not_found", id!()),
    (Operator, "DELETE", at!("/admin/products/"), "", "", 404, "product_not_found", "search the catalogue"),
    (Operator, "DELETE", "/api/v1/admin/products/x", "", "", 400, "invalid_parameter", "\"x\""),
    (Guest, "DELETE", "/api/v1/cart/items/x", "", "", 400, "invalid_parameter", "\"x\""),
    (Guest, "GET", "/api/v1/carts", "", "", 404, "not_found", "/api/docs"),
    (Guest, "POST", "/api/v1/cart", "", "", 405, "method_not_allowed", "POST"),
    (Operator, "GET", at!("/admin/products/"), "", "", 405, "method_not_allowed", "Allow"),
    // Bodies that are no JSON, or not labelled so.
    (Guest, "PUT", at!("/cart/items/"), "", "{\"quantity\": 1}", 415, "unsupported_media_type", "no Content-Type; send application/json"),
    (Guest, "PUT", at!("/cart/items/"), "text/plain", "{\"quantity\": 1}", 415, "unsupported_media_type", "\"text/plain\""),
    (Guest, "PUT", at!("/cart/items/"), JSON, "", 400, "invalid_json", "the body is empty"),
    (Guest, "PUT", at!("/cart/items/"), JSON, "{\"quantity\": 1", 400, "invalid_json", "line 1"),
    (Guest, "PUT", at!("/cart/items/"), JSON, "{\"quantity\": 1}}", 400, "invalid_json", "trailing"),
    (Guest, "PUT", at!("/cart/items/"), JSON, "quantity=1", 400, "invalid_json", "line 1"),
    (Nobody, "POST", "/api/v1/sessions", "", "{}", 415, "unsupported_media_type", "no Content-Type"),
    (Nobody, "POST", "/api/v1/sessions", "text/xml", "<zone/>", 415, "unsupported_media_type", "\"text/xml\""),
    // Bodies with wrong fields.
    (Guest, "PUT", at!("/cart/items/"), JSON, "[]", 422, "invalid_body", "the body"),
    (Guest, "PUT", at!("/cart/items/"), JSON, "{}", 422, "invalid_body", "missing field `quantity`"),
    (Guest, "PUT", at!("/cart/items/"), JSON, "{\"quantity\": \"1\"}", 422, "invalid_body", "quantity: invalid type: string"),
    (Guest, "PUT", at!("/cart/items/"), JSON, "{\"quantity\": 1.5}", 422, "invalid_body", "expected a whole number"),
    (Guest, "PUT", at!("/cart/items/"), JSON, "{\"quantity\": 1, \"colour\": 2}", 422, "invalid_body", "unknown field `colour`, expected `quantity` or `category`"),
    (Guest, "PUT", at!("/cart/items/"), JSON, "{\"quantity\": 1, \"quantity\": 2}", 422, "invalid_body", "duplicate field `quantity`"),
    (Guest, "PUT", at!("/cart/items/"), JSON, "{\"quantity\": 0}", 422, "invalid_quantity", "quantity 0 is out of range; ask for 1 to 999"),
    (Guest, "PUT", at!("/cart/items/"), JSON, "{\"quantity\": -5000000000}", 422, "invalid_quantity", "-5000000000"),
    (Nobody, "POST", "/api/v1/sessions", JSON, "{\"zone\": \"mars\"}", 422, "unknown_zone", "\"mars\"; choose one of msk, spb, ekb, kln"),
    (Nobody, "POST", "/api/v1/sessions", JSON, "{\"zone\": 7}", 422, "invalid_body", "zone"),
    (Nobody, "POST", "/api/v1/sessions", JSON, "7", 422, "invalid_body", "the body"),
    (Nobody, "POST", "/api/v1/sessions?zone=msk", "", "", 400, "unknown_parameter", "takes none"),
    (Nobody, "POST", "/api/v1/accounts", JSON, "{\"email\": \"nobody\", \"password\": \"correct horse\"}", 422, "invalid_email", "\"nobody\" is no e-mail address"),
    (Nobody, "POST", "/api/v1/accounts", JSON, "{\"email\": \"a@b.ru\", \"password\": \"short\"}", 422, "weak_password", "has 5 characters; choose at least 8"),
    (Nobody, "POST", "/api/v1/accounts", JSON, "{\"email\": \"a@b.ru\", \"password\": \"correct horse\", \"name\": \"\"}", 422, "invalid_body", "name has 0 characters; write 1 to 100"),
    (Nobody, "POST", "/api/v1/accounts", JSON, "{\"email\": \"a@b.ru\"}", 422, "invalid_body", "missing field `password`"),
    (Nobody, "POST", "/api/v1/accounts", JSON, "{\"email\": \"a@b.ru\", \"password\": \"correct horse\", \"admin\": true}", 422, "invalid_body", "unknown field `admin`"),
    (Guest, "POST", "/api/v1/sessions/current/login", JSON, "{\"email\": \"a@b.ru\", \"password\": \"wrong\"}", 401, "bad_credentials", "check both"),
    (Guest, "POST", "/api/v1/sessions/current/login", JSON, "{\"email\": \"a@b.ru\"}", 422, "invalid_body", "missing field `password`"),
    (Operator, "PUT", at!("/admin/products/"), JSON, "{\"name\": \"\", \"category\": \"audio\", \"price\": {\"amount\": 1, \"currency\": \"RUB\"}}", 422, "invalid_body", "name has 0 characters; write 1 to 200"),
    (Operator, "PUT", at!("/admin/products/"), JSON, "{\"name\": \"x\", \"category\": \"toys\", \"price\": {\"amount\": 1, \"currency\": \"RUB\"}}", 422, "unknown_category", "\"toys\""),
    (Operator, "PUT", at!("/admin/products/"), JSON, "{\"name\": \"x\", \"category\": \"audio\", \"price\": {\"amount\": -1, \"currency\": \"RUB\"}}", 422, "invalid_body", "price: amount -1 is out of range"),
    (Operator, "PUT", at!("/admin/products/"), JSON, "{\"name\": \"x\", \"category\": \"audio\", \"price\": {\"amount\": 10000000001, \"currency\": \"RUB\"}}", 422, "invalid_body", "at most 10000000000 minor units"),
    (Operator, "PUT", at!("/admin/products/"), JSON, "{\"name\": \"x\", \"category\": \"audio\", \"price\": {\"amount\": 1, \"currency\": \"rub\"}}", 422, "invalid_body", "price: \"rub\" is no currency code"),
    (Operator, "PUT", at!("/admin/products/"), JSON, "{\"name\": \"x\", \"category\": \"audio\", \"price\": {\"amount\": 1, \"currency\": \"USD\"}}", 422, "invalid_body", "price is in USD; this store sells in RUB"),
    (Operator, "PUT", at!("/admin/products/"), JSON, "{\"name\": \"x\", \"category\": \"audio\", \"price\": 1}", 422, "invalid_body", "price: invalid type"),
    (Operator, "PUT", at!("/admin/products/"), JSON, "{\"id\": \"x\", \"name\": \"x\"}", 422, "invalid_body", "unknown field `id`"),
    (Operator, "PUT", at!("/admin/products/"), JSON, "{\"name\": \"x\", \"category\": \"audio\", \"price\": {\"amount\": 1, \"currency\": \"RUB\"}, \"stock\": [{\"zone\": \"mars\", \"quantity\": 1}]}", 422, "unknown_zone", "\"mars\""),
    (Operator, "PUT", at!("/admin/products/"), JSON, "{\"name\": \"x\", \"category\": \"audio\", \"price\": {\"amount\": 1, \"currency\": \"RUB\"}, \"stock\": [{\"zone\": \"msk\", \"quantity\": -1}]}", 422, "invalid_stock", "-1 pieces are out of range"),
    (Operator, "PUT", at!("/admin/products/"), JSON, "{\"name\": \"x\", \"category\": \"audio\", \"price\": {\"amount\": 1, \"currency\": \"RUB\"}, \"stock\": [{\"zone\": \"msk\", \"quantity\": 1}, {\"zone\": \"msk\", \"quantity\": 2}]}", 422, "invalid_body", "names zone msk twice"),
    (Operator, "PUT", at!("/admin/products/"), JSON, "{\"name\": \"x\", \"category\": \"audio\", \"price\": {\"amount\": 1, \"currency\": \"RUB\"}, \"attributes\": [{\"key\": \"a\", \"value\": 1}]}", 422, "invalid_body", "attributes[0].value"),
    (Operator, "POST", at!("/admin/products/", "/stock"), JSON, "{\"zone\": \"msk\", \"delta\": 0}", 422, "invalid_body", "delta: 0 changes nothing"),
    (Operator, "POST", at!("/admin/products/", "/stock"), JSON, "{\"zone\": \"msk\", \"delta\": 1}", 404, "product_not_found", id!()),
    (Operator, "POST", at!("/admin/orders/", "/status"), JSON, "{\"status\": \"lost\"}", 422, "invalid_body", "unknown variant `lost`, expected one of `created`"),
    (Operator, "POST", at!("/admin/orders/", "/payment"), JSON, "{\"provider\": \"\", \"reference\": \"r\", \"amount\": {\"amount\": 1, \"currency\": \"RUB\"}}", 422, "invalid_body", "provider: has 0 characters; write 1 to 128"),
    (Operator, "POST", at!("/admin/orders/", "/payment"), JSON, "{\"provider\": \"p\", \"reference\": \"r\", \"amount\": {\"amount\": 1, \"currency\": \"RUB\"}}", 404, "order_not_found", id!()),
    // Authentication is judged before everything else.
    (Nobody, "PUT", "/api/v1/cart/items/x?y=z", "text/plain", "{", 401, "unauthorized", "POST /api/v1/sessions"),
    (Operator, "GET", "/api/v1/cart", "", "", 401, "unauthorized", "not a session's token"),
    (Nobody, "GET", "/api/v1/sessions/current?x=1", "", "", 401, "unauthorized", "there is no token"),
    (Guest, "POST", "/api/v1/orders?x=1", "text/plain", "{", 401, "login_required", "log in at POST"),
    (Guest, "GET", "/api/v1/orders/x", "", "", 401, "login_required", "log in"),
    (Guest, "PUT", "/api/v1/admin/products/x", "text/plain", "{", 403, "operator_only", "operator token"),
    (Nobody, "PUT", "/api/v1/admin/products/x", "text/plain", "{", 401, "unauthorized", "operator token"),
    (User, "GET", "/api/v1/ops/layout", "", "", 403, "operator_only", "operator token"),
    // The key of a checkout comes before its body.
    (User, "POST", "/api/v1/orders", JSON, "{", 400, "idempotency_key_required", "1 to 128 visible ASCII"),
];

#[tokio::test(flavor = "multi_thread")]
async fn each_wrong_request_hears_what_is_wrong() {
    let shop = Shop::open().await;
    let (guest, user) = (shop.guest().await, shop.user("buyer@example.com").await);
    let mut failures = Vec::new();
    for (sender, method, path, content_type, body, status, code, fragment) in CASES {
        let mut call = shop.call(method, path).body(*body);
        if !content_type.is_empty() {
            call = call.header("content-type", content_type);
        }
        let answer = match sender {
            Nobody => call,
            Guest => call.token(&guest),
            User => call.token(&user),
            Operator => call.token(OPERATOR),
        };
        let answer = answer.send().await;
        let detail = answer.body["detail"].as_str().unwrap_or_default();
        let as_expected = answer.status.as_u16() == *status
            && answer.body["code"] == *code
            && detail.contains(fragment)
            && answer.headers["content-type"] == "application/problem+json"
            && !detail.ends_with('.');
        if !as_expected {
            failures.push(format!(
                "{sender:?} {method} {path} {body}\n  expected {status} {code} …{fragment}…\n  got {}",
                answer.text
            ));
        }
    }
    assert!(failures.is_empty(), "{} of {} cases:\n{}", failures.len(), CASES.len(), failures.join("\n"));
    let none = shop.get("/api/v1/products").send().await.expect(200);
    assert_eq!(none["items"].as_array().unwrap().len(), 0, "a wrong request changed something");
}

#[test]
fn the_table_is_long_enough_to_mean_something() {
    assert!(CASES.len() >= 60, "{}", CASES.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn long_values_are_not_echoed_whole() {
    let shop = Shop::open().await;
    let long = "x".repeat(5000);
    for path in [
        format!("/api/v1/products/{long}"),
        format!("/api/v1/products?sort={long}"),
        format!("/api/v1/products?{long}=1"),
        format!("/api/v1/products?zone={long}"),
        format!("/api/v1/products?q={long}"),
        format!("/api/v1/products?attr.{long}=1"),
        format!("/api/v1/products?limit={long}"),
    ] {
        let answer = shop.get(&path).send().await;
        assert!(answer.status.is_client_error(), "{path}");
        assert!(answer.text.len() < 1000, "{}", answer.text);
    }
    let body = format!("{{\"{long}\": \"{long}\"}}");
    let answer = shop.post("/api/v1/sessions").header("content-type", JSON).body(body).send().await;
    assert!(answer.text.len() < 1000, "{}", answer.text);
    answer.refused(422, "invalid_body");
}
