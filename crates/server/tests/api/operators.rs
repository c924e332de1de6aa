//! What an operator does.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::shop::{Answer, OPERATOR, Shop, phone};

#[tokio::test(flavor = "multi_thread")]
async fn a_product_is_made_and_changed() {
    let shop = Shop::open().await;
    let id = Uuid::new_v4().to_string();
    let made = shop.put_product(&id, &phone("Phone", 100)).await.expect(201);
    assert_eq!((&made["id"], &made["version"]), (&json!(id), &json!(1)));
    let mut changed = phone("Phone", 200);
    changed["category"] = json!("audio");
    changed["stock"] = json!([{"zone": "spb", "quantity": 4}]);
    let changed = shop.put_product(&id, &changed).await.expect(200);
    assert_eq!((&changed["category"], &changed["price"]["amount"]), (&json!("audio"), &json!(200)));
    assert_eq!(changed["stock"][1], json!({"zone": "spb", "quantity": 4}));
    let minimal = json!({"name": "Phone", "category": "audio", "price": {"amount": 1, "currency": "RUB"}});
    let minimal = shop.put_product(&id, &minimal).await.expect(200);
    assert_eq!((&minimal["subcategory"], &minimal["description"]), (&Value::Null, &json!("")));
    assert_eq!(minimal["stock"][1]["quantity"], 4);
}

async fn adjust(shop: &Shop, product: &str, zone: &str, delta: i64) -> Answer {
    let path = format!("/api/v1/admin/products/{product}/stock");
    shop.post(&path).token(OPERATOR).json(&json!({"zone": zone, "delta": delta})).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn stock_is_adjusted_but_never_below_zero() {
    let shop = Shop::open().await;
    let product = shop.product("Phone", 5).await;
    let more = adjust(&shop, &product, "msk", 3).await.expect(200);
    assert_eq!(more["stock"][0]["quantity"], 8);
    let problem = adjust(&shop, &product, "msk", -9).await.refused(409, "insufficient_stock");
    assert_eq!(problem["items"], json!([{"product_id": product, "requested": 9, "available": 8}]));
    assert_eq!(shop.stock(&product).await, 8);
    adjust(&shop, &product, "msk", -8).await.expect(200);
    adjust(&shop, &product, "msk", 0).await.refused(422, "invalid_body");
    adjust(&shop, &product, "msk", 1_000_000_001).await.refused(422, "invalid_stock");
    adjust(&shop, &product, "xxx", 1).await.refused(422, "unknown_zone");
    adjust(&shop, &Uuid::now_v7().to_string(), "msk", 1).await.refused(404, "product_not_found");
}

/// An order of one phone, as its buyer sees it.
async fn ordered(shop: &Shop, email: &str) -> (String, Value) {
    let product = shop.product("Phone", 5).await;
    let user = shop.user(email).await;
    shop.put_item(&user, &product, 1).await.expect(200);
    let order = shop.check_out(&user, "k").await.expect(201);
    (user, order)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_takes_its_steps_in_order() {
    let shop = Shop::open().await;
    let (_, order) = ordered(&shop, "a@example.com").await;
    let path = format!("/api/v1/admin/orders/{}", order["id"].as_str().unwrap());
    let step = async |status: &str| {
        let call = shop.post(&format!("{path}/status")).token(OPERATOR);
        call.json(&json!({"status": status})).send().await
    };
    step("shipped").await.refused(409, "illegal_transition");
    for status in ["paid", "shipped", "delivered"] {
        assert_eq!(step(status).await.expect(200)["status"], status);
    }
    step("cancelled").await.refused(409, "illegal_transition");
    assert_eq!(shop.get(&path).token(OPERATOR).send().await.expect(200)["status"], "delivered");
    let nobody = format!("/api/v1/admin/orders/{}", Uuid::now_v7());
    shop.get(&nobody).token(OPERATOR).send().await.refused(404, "order_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_counts_once_and_a_late_one_is_a_refund_due() {
    let shop = Shop::open().await;
    let (user, order) = ordered(&shop, "a@example.com").await;
    let path = format!("/api/v1/admin/orders/{}/payment", order["id"].as_str().unwrap());
    let pay = async |path: &str, reference: &str, amount: u64| {
        let amount = json!({"amount": amount, "currency": "RUB"});
        let body = json!({"provider": "bank", "reference": reference, "amount": amount});
        shop.post(path).token(OPERATOR).json(&body).send().await
    };
    pay(&path, "r1", 1).await.refused(409, "wrong_amount");
    for _ in 0..2 {
        assert_eq!(pay(&path, "r1", 100_000).await.expect(200)["status"], "paid");
    }
    let cancel = format!("/api/v1/orders/{}/cancel", order["id"].as_str().unwrap());
    shop.post(&cancel).token(&user).send().await.expect(200);

    let (user, order) = ordered(&shop, "b@example.com").await;
    let id = order["id"].as_str().unwrap();
    shop.post(&format!("/api/v1/orders/{id}/cancel")).token(&user).send().await.expect(200);
    let path = format!("/api/v1/admin/orders/{id}/payment");
    pay(&path, "r2", 100_000).await.refused(409, "order_cancelled");
    let events = shop.get("/api/v1/admin/events?limit=100").token(OPERATOR).send().await.expect(200);
    let due: Vec<_> =
        events["items"].as_array().unwrap().iter().filter(|event| event["type"] == "refund_due").collect();
    assert_eq!(due.len(), 1, "{due:?}");
    assert_eq!((&due[0]["order_id"], &due[0]["payment"]["reference"]), (&json!(id), &json!("r2")));
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_of_everybody_are_listed_by_zone_and_status() {
    let shop = Shop::open().await;
    let (_, first) = ordered(&shop, "a@example.com").await;
    let (_, second) = ordered(&shop, "b@example.com").await;
    let list = async |query: &str| {
        let page =
            shop.get(&format!("/api/v1/admin/orders?{query}")).token(OPERATOR).send().await.expect(200);
        page["items"].as_array().unwrap().iter().map(|order| order["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(list("zone=msk&status=created").await, [second["id"].clone(), first["id"].clone()]);
    assert!(list("zone=spb").await.is_empty());
    assert!(list("status=paid").await.is_empty());
    let page = shop.get("/api/v1/admin/orders?limit=1").token(OPERATOR).send().await.expect(200);
    let cursor = page["next"].as_str().unwrap();
    assert_eq!(list(&format!("limit=1&cursor={cursor}")).await, [first["id"].clone()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_feed_is_paged_and_may_be_read_again() {
    let shop = Shop::open().await;
    let product = shop.product("Phone", 5).await;
    for _ in 0..4 {
        adjust(&shop, &product, "msk", 1).await.expect(200);
    }
    let read =
        async |query: &str| shop.get(&format!("/api/v1/admin/events?{query}")).token(OPERATOR).send().await;
    let all = read("limit=100").await.expect(200);
    let all = all["items"].as_array().unwrap();
    assert_eq!(all.last().unwrap()["quantity"], 9);
    assert_eq!(all.last().unwrap()["type"], "stock");
    let mut seen = Vec::new();
    let mut path = "limit=2".to_owned();
    loop {
        let page = read(&path).await.expect(200);
        let items = page["items"].as_array().unwrap();
        let Some(last) = items.last() else { break };
        path = format!("limit=2&after={}", last["id"].as_str().unwrap());
        seen.extend(items.iter().cloned());
    }
    assert_eq!(&seen, all);
    read("after=nonsense").await.refused(400, "bad_cursor");
}

#[tokio::test(flavor = "multi_thread")]
async fn shards_and_layout_are_shown_to_operators_only() {
    let shop = Shop::open().await;
    let shards = shop.get("/api/v1/ops/shards").token(OPERATOR).send().await.expect(200);
    assert_eq!(shards["items"].as_array().unwrap().len(), 4);
    let layout = shop.get("/api/v1/ops/layout").token(OPERATOR).send().await.expect(200);
    assert_eq!(layout["name"], "category-spread");
    let guest = shop.guest().await;
    for path in ["/api/v1/ops/shards", "/api/v1/ops/layout", "/api/v1/admin/events"] {
        shop.get(path).send().await.refused(401, "unauthorized");
        shop.get(path).token(&guest).send().await.refused(403, "operator_only");
    }
}
