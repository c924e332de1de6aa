//! The paths, the middleware and the description put together.

use std::sync::Arc;

use axum::Router;
use axum::http::Method;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::get;
use bytes::Bytes;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::app::{App, Probe};
use crate::{edge, openapi, routes};

/// Everything that the server answers.
///
/// ```no_run
/// # fn example(app: mworld_server::App) {
/// let router: axum::Router = mworld_server::router(app);
/// # }
/// ```
pub fn router(app: App) -> Router {
    let App(app) = app;
    let (described, description) = routes::described().split_for_parts();
    let description = openapi::document(description, app.store.settings());
    let mut router = described
        .route("/", get(routes::home))
        .route("/metrics", get(routes::metrics_page))
        .route("/api/openapi.json", get(move || serve_json(description.clone())))
        .merge(SwaggerUi::new("/api/docs").config(Config::from("/api/openapi.json")));
    if app.probe == Probe::Present {
        router = router.route("/bench/empty", get(routes::empty));
    }
    router
        .fallback(|| async { edge::nothing_here() })
        .method_not_allowed_fallback(|method: Method| async move { edge::not_with(&method) })
        .layer(from_fn_with_state(Arc::clone(&app), edge::pass))
        .with_state(app)
}

async fn serve_json(bytes: Bytes) -> impl IntoResponse {
    ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], bytes)
}
