//! The cart.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::shop::{OPERATOR, Shop};

#[tokio::test(flavor = "multi_thread")]
async fn a_cart_that_is_not_there_yet_is_empty() {
    let shop = Shop::open().await;
    let token = shop.guest().await;
    let cart = shop.get("/api/v1/cart").token(&token).send().await.expect(200);
    let expected = json!({
        "id": null, "status": "active", "zone": "msk", "items": [], "total": {"amount": 0, "currency": "RUB"},
        "created_at": null, "updated_at": null, "expires_at": null,
    });
    assert_eq!(cart, expected);
    let path = format!("/api/v1/cart/items/{}", Uuid::now_v7());
    assert_eq!(shop.call("DELETE", &path).token(&token).send().await.expect(200), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_put_sets_the_quantity_and_the_newest_comes_first() {
    let shop = Shop::open().await;
    let (phone, cable) = (shop.product("Phone", 5).await, shop.product_for("Cable", 5, 700).await);
    let token = shop.guest().await;
    shop.put_item(&token, &phone, 5).await.expect(200);
    shop.put_item(&token, &cable, 1).await.expect(200);
    let cart = shop.put_item(&token, &phone, 2).await.expect(200);
    let lines: Vec<_> = cart["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (&line["product_id"], &line["quantity"]))
        .collect();
    assert_eq!(lines, [(&json!(cable), &json!(1)), (&json!(phone), &json!(2))]);
    assert_eq!(cart["total"]["amount"], 200_700);
    for member in ["id", "created_at", "updated_at", "expires_at"] {
        assert!(cart[member].is_string(), "{member} of {cart}");
    }
    let line = &cart["items"][1];
    assert_eq!((&line["name"], &line["category"]), (&json!("Phone"), &json!("electronics")));
    let path = format!("/api/v1/cart/items/{phone}");
    let cart = shop.call("DELETE", &path).token(&token).send().await.expect(200);
    assert_eq!(cart["items"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_category_hint_only_costs() {
    let shop = Shop::open().await;
    let phone = shop.product("Phone", 5).await;
    let token = shop.guest().await;
    for hint in ["electronics", "audio", "nonsense", "не имя", ""] {
        let body = json!({"quantity": 1, "category": hint});
        let put = shop.call("PUT", &format!("/api/v1/cart/items/{phone}")).token(&token).json(&body);
        put.send().await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_put_is_refused_in_words() {
    let shop = Shop::open().await;
    let phone = shop.product("Phone", 5).await;
    let token = shop.guest().await;
    shop.put_item(&token, &Uuid::now_v7().to_string(), 1).await.refused(404, "product_not_found");
    for quantity in [0, 1000] {
        let problem = shop.put_item(&token, &phone, quantity).await.refused(422, "invalid_quantity");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(&quantity.to_string()) && detail.contains("1 to 999"), "{detail}");
    }
    let path = format!("/api/v1/admin/products/{phone}");
    shop.call("DELETE", &path).token(OPERATOR).send().await.expect(204);
    shop.put_item(&token, &phone, 1).await.refused(409, "not_for_sale");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_number_may_be_written_as_a_float() {
    let shop = Shop::open().await;
    let phone = shop.product("Phone", 5).await;
    let token = shop.guest().await;
    let put = shop.call("PUT", &format!("/api/v1/cart/items/{phone}")).token(&token);
    let cart = put.header("content-type", "application/json; charset=utf-8").body(r#"{"quantity": 3.0}"#);
    assert_eq!(cart.send().await.expect(200)["items"][0]["quantity"], 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn carts_of_two_visitors_do_not_mix() {
    let shop = Shop::open().await;
    let phone = shop.product("Phone", 5).await;
    let (one, other) = (shop.guest().await, shop.guest().await);
    shop.put_item(&one, &phone, 1).await.expect(200);
    let cart = shop.get("/api/v1/cart").token(&other).send().await.expect(200);
    assert_eq!(cart["id"], Value::Null);
}
