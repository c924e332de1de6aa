//! One buyer, from the first look to the last order.

use serde_json::json;

use crate::shop::{OPERATOR, Shop};

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_becomes_a_buyer() {
    let shop = Shop::open().await;
    let phone = shop.product("Телефон Заря 5", 10).await;
    let cable = shop.product_for("Cable Type-C", 10, 5_000).await;

    // Looks around without a name.
    let found = shop.get("/api/v1/products?q=%D0%B7%D0%B0%D1%80%D1%8F&zone=msk").send().await.expect(200);
    assert_eq!(found["items"][0]["id"], phone.as_str());
    assert_eq!(found["next"], serde_json::Value::Null);

    // Puts things into the cart, on two devices.
    shop.post("/api/v1/accounts")
        .json(&json!({"email": "Anna@Example.com", "password": "correct horse", "name": "Анна"}))
        .send()
        .await
        .expect(201);
    let laptop = shop.guest().await;
    shop.put_item(&laptop, &cable, 1).await.expect(200);
    let laptop = shop.log_in(&laptop, "anna@example.com").await;
    let mobile = shop.guest().await;
    shop.put_item(&mobile, &phone, 2).await.expect(200);
    shop.put_item(&mobile, &cable, 3).await.expect(200);

    // Logs in on the second: both carts are one, quantities added.
    let login = shop
        .post("/api/v1/sessions/current/login")
        .token(&mobile)
        .json(&json!({"email": "anna@example.com", "password": "correct horse"}))
        .send()
        .await
        .expect(200);
    assert_eq!(login["capped"], json!([]));
    let cart = &login["cart"];
    assert_eq!(cart["total"], json!({"amount": 220_000, "currency": "RUB"}));
    assert_eq!(cart["items"].as_array().unwrap().len(), 2);
    let mobile = login["token"].as_str().unwrap();
    let seen = shop.get("/api/v1/cart").token(&laptop).send().await.expect(200);
    assert_eq!(&seen, cart);

    // Checks out at the total that was shown, pays, finds it in the history.
    let order = shop
        .post("/api/v1/orders")
        .token(mobile)
        .header("Idempotency-Key", "anna-1")
        .json(&json!({"zone": "msk", "expect_total": cart["total"]}))
        .send()
        .await
        .expect(201);
    assert_eq!(order["status"], "created");
    assert_eq!(order["user_id"], login["user_id"]);
    assert_eq!(shop.stock(&phone).await, 8);
    let path = format!("/api/v1/orders/{}", order["id"].as_str().unwrap());
    let paid = shop.post(&format!("{path}/pay")).token(mobile).send().await.expect(200);
    assert_eq!(paid["status"], "paid");
    let history = shop.get("/api/v1/orders?status=paid").token(&laptop).send().await.expect(200);
    assert_eq!(history["items"], json!([paid]));
    assert_eq!(shop.get("/api/v1/cart").token(mobile).send().await.expect(200)["items"], json!([]));

    // Changes her mind: the stock comes back, once.
    let cancelled = shop.post(&format!("{path}/cancel")).token(mobile).send().await.expect(200);
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(shop.stock(&phone).await, 10);
    shop.post(&format!("{path}/cancel")).token(mobile).send().await.refused(409, "illegal_transition");
    assert_eq!(shop.stock(&phone).await, 10);

    // The operator's feed tells the same story.
    let events = shop.get("/api/v1/admin/events?limit=100").token(OPERATOR).send().await.expect(200);
    let of_order =
        events["items"].as_array().unwrap().iter().filter(|event| event["order_id"] == order["id"]);
    let statuses: Vec<_> = of_order.map(|event| event["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["created", "paid", "cancelled"]);
}
