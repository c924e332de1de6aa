//! The hidden command: a server that knows just enough words to be driven and does nothing, in a process of its own.

use anyhow::{Context, Result};
use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post, put};
use tokio::net::TcpListener;

use crate::output;
use crate::serve::stdin_ends;

const NAMES: &str = r#"{"items":[{"id":"msk","name":"msk"},{"id":"electronics","name":"electronics"}]}"#;
const CART: &str = r#"{"total":{"amount":0,"currency":"RUB"},"items":[]}"#;
const USER: &str = r#"{"user_id":"00000000-0000-7000-8000-000000000001","token":"somebody"}"#;
const PRODUCT: &str = r#"{"price":{"amount":100,"currency":"RUB"},"stock":[]}"#;

/// Serves until standard input ends. The first line of standard output is the address.
pub(crate) fn serve() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.context("no port is free")?;
        output::result(&format!("{}\n", listener.local_addr()?))?;
        axum::serve(listener, routes()).with_graceful_shutdown(stdin_ends()).await?;
        Ok(())
    })
}

fn routes() -> Router {
    let api = Router::new()
        .route("/zones", get(json(StatusCode::OK, NAMES)))
        .route("/categories", get(json(StatusCode::OK, NAMES)))
        .route("/sessions", post(json(StatusCode::CREATED, r#"{"token":"nobody"}"#)))
        .route("/accounts", post(json(StatusCode::CREATED, USER)))
        .route("/sessions/current/login", post(json(StatusCode::OK, USER)))
        .route("/cart", get(json(StatusCode::OK, CART)))
        .route("/admin/products/{id}", put(json(StatusCode::CREATED, "{}")))
        .route("/products/{id}", get(json(StatusCode::OK, PRODUCT)));
    Router::new().nest("/api/v1", api)
}

fn json(status: StatusCode, body: &'static str) -> impl IntoResponse + Clone + Send + Sync + 'static {
    (status, [(header::CONTENT_TYPE, "application/json")], body)
}
