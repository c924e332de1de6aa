//! Products for the tests, and what is left of them.

use serde_json::json;
use uuid::Uuid;

use crate::http::{Call, Connection};
use crate::process::{OPERATOR, Store};

/// The zone in which everything is sold.
pub(crate) const ZONE: &str = "msk";

/// A product and the pieces that it began with.
#[derive(Debug, Clone)]
pub(crate) struct Good {
    pub(crate) id: String,
    pub(crate) pieces: u64,
}

/// Lists so many products with so many pieces each.
pub(crate) async fn list(store: &Store, products: usize, pieces: u64) -> Vec<Good> {
    let mut connection = store.connect().await;
    let mut goods = Vec::new();
    for n in 0..products {
        let id = Uuid::new_v4().to_string();
        let category = ["electronics", "audio", "appliances", "accessories"][n % 4];
        let product = json!({
            "name": format!("Phone {n}"),
            "category": category,
            "price": { "amount": 100_000 + 100 * n, "currency": "RUB" },
            "stock": [{ "zone": ZONE, "quantity": pieces }],
        });
        let call = Call::new("PUT", format!("/api/v1/admin/products/{id}")).token(OPERATOR).body(product);
        let answer = connection.send(&call).await.expect("the store answers");
        assert_eq!(answer.status, 201, "{}", answer.json());
        goods.push(Good { id, pieces });
    }
    goods
}

/// The exact pieces that are left.
pub(crate) async fn left(connection: &mut Connection, good: &Good) -> u64 {
    let answer = connection.send(&Call::get(format!("/api/v1/products/{}/stock", good.id))).await;
    let answer = answer.expect("the store answers").json();
    let zones = answer["stock"].as_array().unwrap_or_else(|| panic!("no stock in {answer}"));
    let here = zones.iter().find(|stock| stock["zone"] == ZONE).expect("the zone has a record");
    here["quantity"].as_u64().expect("a quantity is a whole number")
}
