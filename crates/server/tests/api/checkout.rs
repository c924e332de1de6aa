//! Carts into orders.

use serde_json::{Value, json};

use crate::shop::{OPERATOR, Shop, phone};

#[tokio::test(flavor = "multi_thread")]
async fn a_repeat_with_the_same_key_is_the_same_order() {
    let shop = Shop::open().await;
    let product = shop.product("Phone", 5).await;
    let user = shop.user("a@example.com").await;
    shop.put_item(&user, &product, 2).await.expect(200);
    let first = shop.check_out(&user, "k1").await.expect(201);
    let again = shop.check_out(&user, "k1").await.expect(200);
    assert_eq!(first, again);
    assert_eq!(shop.stock(&product).await, 3);
    shop.check_out(&user, "k2").await.refused(409, "cart_empty");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_with_another_body_is_refused() {
    let shop = Shop::open().await;
    let product = shop.product("Phone", 5).await;
    let user = shop.user("a@example.com").await;
    shop.put_item(&user, &product, 1).await.expect(200);
    shop.check_out(&user, "k1").await.expect(201);
    let other = shop.post("/api/v1/orders").token(&user).header("idempotency-key", "k1");
    other.json(&json!({"zone": "spb"})).send().await.refused(422, "idempotency_mismatch");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_at_once_with_one_key_make_one_order() {
    let shop = std::sync::Arc::new(Shop::open().await);
    let product = shop.product("Phone", 50).await;
    let user = shop.user("a@example.com").await;
    shop.put_item(&user, &product, 1).await.expect(200);
    let tries = (0..16).map(|_| {
        let (shop, user) = (std::sync::Arc::clone(&shop), user.clone());
        tokio::spawn(async move { shop.check_out(&user, "k1").await })
    });
    let mut created = 0;
    let mut orders = std::collections::BTreeSet::new();
    for one in tries.collect::<Vec<_>>() {
        let answer = one.await.unwrap();
        created += u32::from(answer.status == 201);
        assert!(answer.status.is_success(), "{}", answer.text);
        orders.insert(answer.body["id"].as_str().unwrap().to_owned());
    }
    assert_eq!((created, orders.len()), (1, 1));
    assert_eq!(shop.stock(&product).await, 49);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shortage_names_what_is_left_and_does_not_use_the_key_up() {
    let shop = Shop::open().await;
    let product = shop.product("Phone", 2).await;
    let user = shop.user("a@example.com").await;
    shop.put_item(&user, &product, 3).await.expect(200);
    let problem = shop.check_out(&user, "k1").await.refused(409, "insufficient_stock");
    assert_eq!(problem["items"], json!([{"product_id": product, "requested": 3, "available": 2}]));
    assert_eq!(shop.stock(&product).await, 2);
    shop.put_item(&user, &product, 2).await.expect(200);
    shop.check_out(&user, "k1").await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_price_is_said_before_anything_is_sold() {
    let shop = Shop::open().await;
    let product = shop.product("Phone", 5).await;
    let user = shop.user("a@example.com").await;
    let cart = shop.put_item(&user, &product, 1).await.expect(200);
    shop.put_product(&product, &phone("Phone", 120_000)).await.expect(200);
    let order = async |total: &Value| {
        let call = shop.post("/api/v1/orders").token(&user).header("idempotency-key", "k1");
        call.json(&json!({"zone": "msk", "expect_total": total})).send().await
    };
    let problem = order(&cart["total"]).await.refused(409, "price_changed");
    assert_eq!(problem["total"], json!({"amount": 120_000, "currency": "RUB"}));
    let placed = order(&problem["total"]).await.expect(201);
    assert_eq!(placed["total"], problem["total"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_check_out_and_with_what() {
    let shop = Shop::open().await;
    let guest = shop.guest().await;
    shop.check_out(&guest, "k1").await.refused(401, "login_required");
    let user = shop.user("a@example.com").await;
    let keyless = shop.post("/api/v1/orders").token(&user).json(&json!({"zone": "msk"}));
    keyless.send().await.refused(400, "idempotency_key_required");
    for key in ["", "with space", "ключ", &"k".repeat(129)] {
        shop.check_out(&user, key).await.refused(400, "idempotency_key_required");
    }
    shop.check_out(&user, "k1").await.refused(409, "cart_empty");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawn_product_is_not_sold() {
    let shop = Shop::open().await;
    let product = shop.product("Phone", 5).await;
    let user = shop.user("a@example.com").await;
    shop.put_item(&user, &product, 1).await.expect(200);
    let path = format!("/api/v1/admin/products/{product}");
    shop.call("DELETE", &path).token(OPERATOR).send().await.expect(204);
    shop.check_out(&user, "k1").await.refused(409, "not_for_sale");
}
