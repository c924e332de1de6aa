//! What stands beside the API.

use mworld_server::{Limits, Probe};
use serde_json::json;

use crate::shop::{OPERATOR, Shop};

#[tokio::test(flavor = "multi_thread")]
async fn the_front_page_needs_nothing_from_elsewhere() {
    let shop = Shop::open().await;
    let page = shop.get("/").send().await;
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    for link in ["/api/docs/", "/api/openapi.json", "/metrics"] {
        assert!(page.text.contains(&format!("href=\"{link}\"")), "{}", page.text);
        assert_eq!(shop.get(link).send().await.status, 200, "{link}");
    }
    assert!(!page.text.contains("http://") && !page.text.contains("https://"), "{}", page.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_readiness_need_no_token() {
    let shop = Shop::open().await;
    assert_eq!(shop.get("/healthz").send().await.expect(200), json!({"status": "ok"}));
    assert_eq!(shop.get("/readyz").send().await.expect(200), json!({"status": "ready"}));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documentation_page_is_served_whole() {
    let shop = Shop::open().await;
    assert_eq!(shop.get("/api/docs").send().await.status, 303);
    let page = shop.get("/api/docs/").send().await;
    assert!(page.text.contains("swagger-ui-bundle.js"), "{}", page.text);
    assert!(!page.text.contains("https://"), "{}", page.text);
    for asset in ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-initializer.js"] {
        let asset = shop.get(&format!("/api/docs/{asset}")).send().await;
        assert_eq!(asset.status, 200);
        assert!(!asset.text.is_empty());
    }
    shop.get("/api/docs/nothing.js").send().await.refused(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_count_operations_by_outcome() {
    let shop = Shop::open().await;
    let user = shop.user("a@example.com").await;
    shop.check_out(&user, "k").await.refused(409, "cart_empty");
    let product = shop.product("Phone", 1).await;
    shop.put_item(&user, &product, 1).await.expect(200);
    shop.check_out(&user, "k").await.expect(201);
    let page = shop.get("/metrics").send().await;
    assert!(page.header("content-type").starts_with("text/plain"));
    for line in [
        "mworld_operations_total{op=\"order.place\",outcome=\"ok\"} 1\n",
        "mworld_operations_total{op=\"order.place\",outcome=\"refused\"} 1\n",
        "mworld_operations_total{op=\"account.create\",outcome=\"ok\"} 1\n",
        "mworld_operations_total{op=\"session.login\",outcome=\"ok\"} 1\n",
        "mworld_operations_total{op=\"catalog.search\",outcome=\"ok\"} 0\n",
        "mworld_operation_seconds_count{op=\"order.place\"} 2\n",
        "# TYPE mworld_operation_seconds histogram\n",
        "mworld_shard_operations_total{engine=\"embedded\",entity=\"orders\"",
        "mworld_queue_depth 0\n",
    ] {
        assert!(page.text.contains(line), "{line} is missing in\n{}", page.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_that_is_not_there_and_a_method_that_is_not_taken_are_problems() {
    let shop = Shop::open().await;
    for path in
        ["/nowhere", "/api/v1", "/api/v1/products/", "/API/V1/zones", "/api/v1/zones/", "/bench/empty"]
    {
        shop.get(path).send().await.refused(404, "not_found");
    }
    let refused = shop.call("DELETE", "/api/v1/products").send().await;
    assert_eq!(refused.header("allow"), "GET,HEAD");
    refused.refused(405, "method_not_allowed");
    for method in ["POST", "PATCH", "OPTIONS", "TRACE", "FOO"] {
        let refused = shop.call(method, "/api/v1/cart").send().await;
        assert_eq!(refused.header("allow"), "GET,HEAD", "{method}");
        refused.refused(405, "method_not_allowed");
    }
    shop.post("/metrics").send().await.refused(405, "method_not_allowed");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_a_name() {
    let shop = Shop::open().await;
    let mine = shop.get("/healthz").header("x-request-id", "my-own.7").send().await;
    assert_eq!(mine.header("x-request-id"), "my-own.7");
    let strange = shop.get("/nowhere").header("x-request-id", "no spaces, please").send().await;
    assert_ne!(strange.header("x-request-id"), "no spaces, please");
    let one = shop.get("/healthz").send().await;
    let two = shop.get("/healthz").send().await;
    assert_ne!(one.header("x-request-id"), two.header("x-request-id"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_probe_is_there_when_asked_for_and_described_nowhere() {
    let shop = Shop::open_with(Limits::default(), Probe::Present).await;
    shop.get("/bench/empty").send().await.expect(204);
    assert!(!shop.get("/api/openapi.json").send().await.text.contains("bench"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_request_has_no_body() {
    let shop = Shop::open().await;
    let head = shop.call("HEAD", "/api/v1/zones").token(OPERATOR).send().await;
    assert_eq!((head.status.as_u16(), head.text.as_str()), (200, ""));
}
