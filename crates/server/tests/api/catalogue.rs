//! The catalogue as visitors see it.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::shop::{OPERATOR, Shop, phone};

fn names(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|product| product["name"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_product_reads_as_promised() {
    let shop = Shop::open().await;
    let id = shop.product("Телефон", 7).await;
    let shown = shop.get(&format!("/api/v1/products/{id}")).send().await.expect(200);
    let updated_at = shown["updated_at"].clone();
    assert!(updated_at.as_str().unwrap().ends_with('Z'), "{updated_at}");
    let expected = json!({
        "id": id, "name": "Телефон", "description": "A telephone", "category": "electronics",
        "subcategory": "phone", "price": {"amount": 100_000, "currency": "RUB"},
        "attributes": [{"key": "color", "value": "black"}],
        "stock": [{"zone": "msk", "quantity": 7}, {"zone": "spb", "quantity": 0},
                  {"zone": "ekb", "quantity": 0}, {"zone": "kln", "quantity": 0}],
        "updated_at": updated_at, "version": 1,
    });
    assert_eq!(shown, expected);
    let stock = shop.get(&format!("/api/v1/products/{id}/stock")).send().await.expect(200);
    assert_eq!(stock, json!({"product_id": id, "stock": expected["stock"]}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_hint_only_costs() {
    let shop = Shop::open().await;
    let id = shop.product("Phone", 7).await;
    for hints in
        ["category=electronics&zone=msk", "category=audio", "zone=nowhere", "category=%D0%B0", "zone="]
    {
        shop.get(&format!("/api/v1/products/{id}?{hints}")).send().await.expect(200);
        shop.get(&format!("/api/v1/products/{id}/stock?{hints}")).send().await.expect(200);
    }
    let nobody = Uuid::now_v7();
    shop.get(&format!("/api/v1/products/{nobody}")).send().await.refused(404, "product_not_found");
    shop.get(&format!("/api/v1/products/{nobody}/stock")).send().await.refused(404, "product_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_narrow_and_bounds_are_inclusive() {
    let shop = Shop::open().await;
    shop.product_for("Cheap phone", 1, 100).await;
    shop.product_for("Middle phone", 0, 200).await;
    shop.product_for("Dear phone", 1, 300).await;
    let search = async |query: &str| shop.get(&format!("/api/v1/products?{query}")).send().await.expect(200);
    assert_eq!(names(&search("sort=price").await), ["Cheap phone", "Middle phone", "Dear phone"]);
    assert_eq!(
        names(&search("sort=-price&min_price=100&max_price=200").await),
        ["Middle phone", "Cheap phone"]
    );
    assert_eq!(names(&search("zone=msk&sort=price").await), ["Cheap phone", "Dear phone"]);
    assert_eq!(names(&search("q=phone+dea").await), ["Dear phone"]);
    assert_eq!(names(&search("q=!!!&limit=1").await), ["Dear phone"]);
    assert_eq!(names(&search("attr.color=black&q=cheap").await), ["Cheap phone"]);
    assert!(names(&search("attr.color=red").await).is_empty());
    assert!(names(&search("attr.color=black&attr.size=5").await).is_empty());
    assert!(names(&search("category=audio").await).is_empty());
    assert_eq!(names(&search("category=electronics&subcategory=phone&limit=100").await).len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_join_without_gaps_and_a_cursor_fits_its_own_query_only() {
    let shop = Shop::open().await;
    for n in 0..7 {
        shop.product_for(&format!("Phone {n}"), 1, 100 + n % 3).await;
    }
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = shop
            .get(&format!("/api/v1/products?sort=price&limit=3&cursor={cursor}"))
            .send()
            .await
            .expect(200);
        seen.extend(names(&page).into_iter().map(str::to_owned));
        match page["next"].as_str() {
            Some(next) => next.clone_into(&mut cursor),
            None => break,
        }
    }
    let all = shop.get("/api/v1/products?sort=price").send().await.expect(200);
    assert_eq!(seen, names(&all));
    assert_eq!(seen.len(), 7);
    for other in ["sort=-price", "sort=price&q=phone", "sort=price&zone=msk", "sort=price&min_price=1"] {
        let path = format!("/api/v1/products?{other}&cursor={cursor}");
        shop.get(&path).send().await.refused(400, "bad_cursor");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawn_product_is_gone_until_it_is_written_again() {
    let shop = Shop::open().await;
    let id = shop.product("Phone", 7).await;
    let admin = format!("/api/v1/admin/products/{id}");
    shop.call("DELETE", &admin).token(OPERATOR).send().await.expect(204);
    shop.get(&format!("/api/v1/products/{id}")).send().await.refused(404, "product_not_found");
    assert!(names(&shop.get("/api/v1/products").send().await.expect(200)).is_empty());
    shop.put_product(&id, &phone("Phone again", 1)).await.expect(200);
    let shown = shop.get(&format!("/api/v1/products/{id}")).send().await.expect(200);
    assert_eq!((&shown["name"], &shown["stock"][0]["quantity"]), (&json!("Phone again"), &json!(7)));
}

#[tokio::test(flavor = "multi_thread")]
async fn zones_and_categories_are_listed() {
    let shop = Shop::open().await;
    let zones = shop.get("/api/v1/zones").send().await.expect(200);
    assert_eq!(zones["items"][0], json!({"id": "msk", "name": "Москва"}));
    let categories = shop.get("/api/v1/categories").send().await.expect(200);
    assert_eq!(categories["items"].as_array().unwrap().len(), 4);
}
