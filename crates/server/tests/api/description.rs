//! The OpenAPI description is complete.

use serde_json::{Map, Value};

use crate::shop::Shop;

/// Every path under `/api/v1` that this server answers, with its methods.
const PATHS: &[(&str, &[&str])] = &[
    ("/api/v1/sessions", &["post"]),
    ("/api/v1/sessions/current", &["get", "delete"]),
    ("/api/v1/sessions/current/login", &["post"]),
    ("/api/v1/sessions/current/logout", &["post"]),
    ("/api/v1/accounts", &["post"]),
    ("/api/v1/categories", &["get"]),
    ("/api/v1/zones", &["get"]),
    ("/api/v1/products", &["get"]),
    ("/api/v1/products/{id}", &["get"]),
    ("/api/v1/products/{id}/stock", &["get"]),
    ("/api/v1/cart", &["get"]),
    ("/api/v1/cart/items/{product_id}", &["put", "delete"]),
    ("/api/v1/orders", &["get", "post"]),
    ("/api/v1/orders/{id}", &["get"]),
    ("/api/v1/orders/{id}/pay", &["post"]),
    ("/api/v1/orders/{id}/cancel", &["post"]),
    ("/api/v1/admin/orders", &["get"]),
    ("/api/v1/admin/orders/{id}", &["get"]),
    ("/api/v1/admin/orders/{id}/status", &["post"]),
    ("/api/v1/admin/orders/{id}/payment", &["post"]),
    ("/api/v1/admin/products/{id}", &["put", "delete"]),
    ("/api/v1/admin/products/{id}/stock", &["post"]),
    ("/api/v1/admin/events", &["get"]),
    ("/api/v1/ops/shards", &["get"]),
    ("/api/v1/ops/layout", &["get"]),
];

async fn description() -> Value {
    Shop::open().await.get("/api/openapi.json").send().await.expect(200)
}

fn operations(description: &Value) -> impl Iterator<Item = (String, &Map<String, Value>)> {
    let paths = description["paths"].as_object().unwrap().iter();
    paths.flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        methods.map(move |(method, operation)| (format!("{method} {path}"), operation.as_object().unwrap()))
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn every_path_is_described() {
    let description = description().await;
    let mut described: Vec<_> = operations(&description).map(|(name, _)| name).collect();
    let mut expected: Vec<_> = PATHS
        .iter()
        .flat_map(|(path, methods)| methods.iter().map(move |method| format!("{method} {path}")))
        .chain(["get /healthz".to_owned(), "get /readyz".to_owned()])
        .collect();
    described.sort();
    expected.sort();
    assert_eq!(described, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_describes_its_errors() {
    let description = description().await;
    for (name, operation) in operations(&description) {
        let answers = operation["responses"].as_object().unwrap();
        let has = |status: &str| answers.contains_key(status);
        assert!(has("400") && has("500") && has("503"), "{name}");
        if operation.contains_key("security") {
            assert!(has("401") && has("429"), "{name}");
        }
        if name.contains("/admin/") || name.contains("/ops/") {
            assert!(operation.contains_key("security") && has("403"), "{name}");
        }
        if operation.contains_key("requestBody") {
            assert!(has("413") && has("415") && has("422"), "{name}");
        }
        for (status, answer) in answers {
            if status.as_str() >= "400" {
                let shape = &answer["content"]["application/problem+json"]["schema"]["$ref"];
                assert_eq!(shape, "#/components/schemas/Problem", "{name} {status}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_reference_leads_somewhere() {
    let description = description().await;
    let mut references = Vec::new();
    collect_references(&description, &mut references);
    assert!(references.len() > 50);
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(description.pointer(pointer).is_some(), "{reference}");
    }
}

fn collect_references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str));
            members.values().for_each(|member| collect_references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, found)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_clients_send_are_closed() {
    let description = description().await;
    let schemas = description["components"]["schemas"].as_object().unwrap();
    let bodies: Vec<_> = schemas.iter().filter(|(name, _)| name.ends_with("Body")).collect();
    assert!(bodies.len() >= 9, "{:?}", schemas.keys());
    for (name, schema) in bodies {
        assert_eq!(schema["additionalProperties"], false, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_two_kinds_of_tokens_are_described() {
    let description = description().await;
    for scheme in ["session", "operator"] {
        let scheme = &description["components"]["securitySchemes"][scheme];
        assert_eq!((&scheme["type"], &scheme["scheme"]), (&"http".into(), &"bearer".into()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn zones_and_categories_are_those_of_this_store() {
    let description = description().await;
    let schemas = &description["components"]["schemas"];
    assert_eq!(schemas["ZoneName"]["enum"], serde_json::json!(["msk", "spb", "ekb", "kln"]));
    assert_eq!(schemas["CategoryName"]["enum"][0], "electronics");
}
