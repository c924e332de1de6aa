//! A buyer's own orders.

use serde_json::Value;
use uuid::Uuid;

use crate::shop::Shop;

#[tokio::test(flavor = "multi_thread")]
async fn history_pages_newest_first_and_a_cursor_is_ones_own() {
    let shop = Shop::open().await;
    let product = shop.product("Phone", 50).await;
    let user = shop.user("a@example.com").await;
    let mut placed = Vec::new();
    for n in 0..5 {
        shop.put_item(&user, &product, 1).await.expect(200);
        let order = shop.check_out(&user, &format!("k{n}")).await.expect(201);
        placed.insert(0, order["id"].as_str().unwrap().to_owned());
    }
    let mut seen = Vec::new();
    let mut path = "/api/v1/orders?limit=2".to_owned();
    let mut second = None;
    loop {
        let page = shop.get(&path).token(&user).send().await.expect(200);
        let ids =
            page["items"].as_array().unwrap().iter().map(|order| order["id"].as_str().unwrap().to_owned());
        seen.extend(ids);
        let Some(next) = page["next"].as_str() else { break };
        second.get_or_insert(next.to_owned());
        path = format!("/api/v1/orders?limit=2&cursor={next}");
    }
    assert_eq!(seen, placed);

    let cursor = second.unwrap();
    let other = shop.user("b@example.com").await;
    for path in [format!("/api/v1/orders?status=paid&cursor={cursor}"), "/api/v1/orders?cursor=x".to_owned()]
    {
        shop.get(&path).token(&user).send().await.refused(400, "bad_cursor");
    }
    let stolen = format!("/api/v1/orders?cursor={cursor}");
    shop.get(&stolen).token(&other).send().await.refused(400, "bad_cursor");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_period_is_half_open() {
    let shop = Shop::open().await;
    let product = shop.product("Phone", 50).await;
    let user = shop.user("a@example.com").await;
    shop.put_item(&user, &product, 1).await.expect(200);
    let order = shop.check_out(&user, "k").await.expect(201);
    let placed_at = order["created_at"].as_str().unwrap();
    let count = async |query: &str| {
        let page = shop.get(&format!("/api/v1/orders?{query}")).token(&user).send().await.expect(200);
        page["items"].as_array().unwrap().len()
    };
    assert_eq!(count(&format!("from={placed_at}")).await, 1);
    assert_eq!(count(&format!("to={placed_at}")).await, 0);
    assert_eq!(count(&format!("from=2020-01-01T00:00:00Z&to={placed_at}")).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_buyers_order_is_not_there() {
    let shop = Shop::open().await;
    let product = shop.product("Phone", 50).await;
    let (anna, boris) = (shop.user("a@example.com").await, shop.user("b@example.com").await);
    shop.put_item(&anna, &product, 1).await.expect(200);
    let order = shop.check_out(&anna, "k").await.expect(201);
    let path = format!("/api/v1/orders/{}", order["id"].as_str().unwrap());
    assert_eq!(shop.get(&path).token(&anna).send().await.expect(200), order);
    shop.get(&path).token(&boris).send().await.refused(404, "order_not_found");
    for step in ["pay", "cancel"] {
        let step = format!("{path}/{step}");
        shop.post(&step).token(&boris).send().await.refused(404, "order_not_found");
    }
    let nobodys = format!("/api/v1/orders/{}", Uuid::now_v7());
    shop.get(&nobodys).token(&anna).send().await.refused(404, "order_not_found");
    let none = shop.get("/api/v1/orders").token(&boris).send().await.expect(200);
    assert_eq!((none["items"].as_array().unwrap().len(), &none["next"]), (0, &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_paid_once() {
    let shop = Shop::open().await;
    let product = shop.product("Phone", 50).await;
    let user = shop.user("a@example.com").await;
    shop.put_item(&user, &product, 1).await.expect(200);
    let order = shop.check_out(&user, "k").await.expect(201);
    let pay = format!("/api/v1/orders/{}/pay", order["id"].as_str().unwrap());
    assert_eq!(shop.post(&pay).token(&user).send().await.expect(200)["status"], "paid");
    let problem = shop.post(&pay).token(&user).send().await.refused(409, "illegal_transition");
    assert!(problem["detail"].as_str().unwrap().contains("shipped or cancelled"), "{problem}");
}
