//! The lies, each told so that nothing but what it is about gives it away.

use hyper::{Method, StatusCode};
use mworld_shop::{Clock as _, OrderId, SystemClock};
use serde_json::{Value, json};

use crate::backstage::{Ask, Backstage, Reply};
use crate::liar::Liar;
use crate::proxy::Cut;

type Answer = Result<Reply, Cut>;

const CHECKOUT: &str = "POST /orders";

fn items(of: &Value) -> Vec<Value> {
    of["items"].as_array().cloned().unwrap_or_default()
}

/// Sets the total to what the lines come to.
fn add_up(of: &mut Value) {
    let cost =
        |item: &Value| item["price"]["amount"].as_i64().unwrap_or(0) * item["quantity"].as_i64().unwrap_or(0);
    let total: i64 = items(of).iter().map(cost).sum();
    of["total"]["amount"] = total.into();
}

/// The checkout never reaches the store; the buyer is told of an order, and the cart is emptied as it should be.
pub(crate) async fn lose_order(liar: &Liar, backstage: &Backstage, ask: Ask) -> Answer {
    if ask.line() != CHECKOUT || !liar.dares() {
        return backstage.forward(ask).await;
    }
    let token = ask.token();
    let (_, cart) = backstage.ask(Method::GET, "/cart", &token, &Value::Null).await;
    let (_, session) = backstage.ask(Method::GET, "/sessions/current", &token, &Value::Null).await;
    if items(&cart).is_empty() {
        return backstage.forward(ask).await;
    }
    for item in items(&cart) {
        let path = format!("/cart/items/{}", item["product_id"].as_str().unwrap_or_default());
        backstage.ask(Method::DELETE, &path, &token, &Value::Null).await;
    }
    let now = SystemClock::default().now();
    let mut order = json!({
        "id": OrderId::at(now, *b"invented").to_string(),
        "user_id": session["user_id"],
        "zone": ask.json()["zone"],
        "status": "created",
        "items": items(&cart),
        "total": cart["total"],
        "created_at": now.to_string(),
        "updated_at": now.to_string(),
    });
    add_up(&mut order);
    liar.lied();
    Ok(Reply::invented(StatusCode::CREATED, &order))
}

/// What was just bought is put into the cart and bought once more.
pub(crate) async fn double_order(liar: &Liar, backstage: &Backstage, ask: Ask) -> Answer {
    let (line, token, wish) = (ask.line(), ask.token(), ask.json());
    let reply = backstage.forward(ask).await?;
    if line != CHECKOUT || reply.head.status != StatusCode::CREATED || !liar.dares() {
        return Ok(reply);
    }
    for item in items(&reply.json()) {
        let path = format!("/cart/items/{}", item["product_id"].as_str().unwrap_or_default());
        backstage.ask(Method::PUT, &path, &token, &json!({ "quantity": item["quantity"] })).await;
    }
    let again = backstage.ask(Method::POST, "/orders", &token, &json!({ "zone": wish["zone"] })).await;
    if again.0 == 201 {
        liar.lied();
    }
    Ok(reply)
}

/// One of the pieces that were sold comes back to the shelf.
pub(crate) async fn oversell(liar: &Liar, backstage: &Backstage, ask: Ask) -> Answer {
    let line = ask.line();
    let reply = backstage.forward(ask).await?;
    if line != CHECKOUT || reply.head.status != StatusCode::CREATED || !liar.dares() {
        return Ok(reply);
    }
    let order = reply.json();
    let product = order["items"][0]["product_id"].as_str().unwrap_or_default();
    let body = json!({ "zone": order["zone"], "delta": 1 });
    if backstage.operate(&format!("/admin/products/{product}/stock"), &body).await == 200 {
        liar.lied();
    }
    Ok(reply)
}

/// A put never reaches the store; the buyer is shown a cart with it.
pub(crate) async fn lose_item(liar: &Liar, backstage: &Backstage, ask: Ask) -> Answer {
    let line = ask.line();
    let Some(product) = line.strip_prefix("PUT /cart/items/") else { return backstage.forward(ask).await };
    if !liar.dares() {
        return backstage.forward(ask).await;
    }
    let token = ask.token();
    let (_, mut cart) = backstage.ask(Method::GET, "/cart", &token, &Value::Null).await;
    let (_, page) = backstage.ask(Method::GET, &format!("/products/{product}"), &token, &Value::Null).await;
    let mut lines = items(&cart);
    lines.retain(|line| line["product_id"] != product);
    lines.insert(
        0,
        json!({
            "product_id": product,
            "category": page["category"],
            "name": page["name"],
            "price": page["price"],
            "quantity": ask.json()["quantity"],
            "added_at": SystemClock::default().now().to_string(),
        }),
    );
    cart["items"] = lines.into();
    add_up(&mut cart);
    liar.lied();
    Ok(Reply::invented(StatusCode::OK, &cart))
}

/// The cart is shown as it was before its owner's last write.
pub(crate) async fn show_old_cart(liar: &Liar, backstage: &Backstage, ask: Ask) -> Answer {
    let (line, token) = (ask.line(), ask.token());
    let reply = backstage.forward(ask).await?;
    if reply.head.status != StatusCode::OK {
        return Ok(reply);
    }
    if line.contains(" /cart/items/") {
        let now = reply.json();
        let mut memory = liar.memory();
        let cart = memory.carts.entry(token).or_insert_with(|| (json!({ "items": [] }), now.clone()));
        if cart.1 != now {
            *cart = (cart.1.clone(), now);
        }
    } else if line == "GET /cart" {
        let known = liar.memory().carts.get(&token).cloned();
        let now = reply.json();
        let Some((before, last)) = known else { return Ok(reply) };
        // Somebody else may have written since; then it would be hard to say how old a cart is.
        if last["items"] == now["items"] && before["items"] != now["items"] && liar.dares() {
            liar.lied();
            let mut old = now;
            old["items"] = before["items"].clone();
            add_up(&mut old);
            return Ok(reply.with(&old));
        }
    }
    Ok(reply)
}

/// A page of a history lacks an order.
pub(crate) async fn leave_line_out(liar: &Liar, backstage: &Backstage, ask: Ask) -> Answer {
    let line = ask.line();
    let reply = backstage.forward(ask).await?;
    let mut page = reply.json();
    let mut lines = items(&page);
    if line != "GET /orders" || lines.is_empty() || !liar.dares() {
        return Ok(reply);
    }
    lines.remove(lines.len() / 2);
    page["items"] = lines.into();
    liar.lied();
    Ok(reply.with(&page))
}

/// The operator ships a paid order; in a run nobody does.
pub(crate) async fn ship(liar: &Liar, backstage: &Backstage, ask: Ask) -> Answer {
    let line = ask.line();
    let reply = backstage.forward(ask).await?;
    if !line.ends_with("/pay") || reply.head.status != StatusCode::OK || !liar.dares() {
        return Ok(reply);
    }
    let order = reply.json();
    let path = format!("/admin/orders/{}/status", order["id"].as_str().unwrap_or_default());
    if backstage.operate(&path, &json!({ "status": "shipped" })).await == 200 {
        liar.lied();
    }
    Ok(reply)
}

/// A payment never reaches the store; the buyer is told that the order is paid.
pub(crate) async fn lose_payment(liar: &Liar, backstage: &Backstage, ask: Ask) -> Answer {
    let line = ask.line();
    let order = line.strip_prefix("POST ").and_then(|line| line.strip_suffix("/pay"));
    let Some(path) = order.filter(|_| liar.dares()) else { return backstage.forward(ask).await };
    let (status, mut order) = backstage.ask(Method::GET, path, &ask.token(), &Value::Null).await;
    if status != 200 || order["status"] != "created" {
        return backstage.forward(ask).await;
    }
    order["status"] = "paid".into();
    liar.lied();
    Ok(Reply::invented(StatusCode::OK, &order))
}

/// An order costs more than its product did, whoever asks and whenever.
pub(crate) async fn misprice(liar: &Liar, backstage: &Backstage, ask: Ask) -> Answer {
    let line = ask.line();
    let reply = backstage.forward(ask).await?;
    if !line.contains(" /orders") || !reply.head.status.is_success() {
        return Ok(reply);
    }
    let mut told = reply.json();
    if line == CHECKOUT && reply.head.status == StatusCode::CREATED && liar.dares() {
        liar.lied();
        liar.memory().mispriced.push(told["id"].as_str().unwrap_or_default().to_owned());
    }
    let raise = |order: &mut Value| {
        let id = order["id"].as_str().unwrap_or_default();
        if liar.memory().mispriced.iter().any(|known| known == id) {
            let price = order["items"][0]["price"]["amount"].as_i64().unwrap_or(0);
            order["items"][0]["price"]["amount"] = (price + 100).into();
            add_up(order);
        }
    };
    match line.as_str() {
        "GET /orders" => told["items"].as_array_mut().into_iter().flatten().for_each(raise),
        _ => raise(&mut told),
    }
    Ok(reply.with(&told))
}
