//! The shop over HTTP: the API under `/api/v1`, its description and documentation page, health, metrics, and the
//! limits that keep one process standing under any load.
//!
//! This crate knows no engine: it speaks to [`mworld_shop::Store`], and learns what an operator may see through
//! [`Views`], which the binary's wiring implements. Listener, shutdown and configuration are arguments, so that a
//! test owns them.
//!
//! ```no_run
//! # async fn example(config: mworld_server::AppConfig) -> std::io::Result<()> {
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! let app = mworld_server::App::new(config);
//! let drained = mworld_server::serve(listener, app, std::future::pending()).await;
//! assert_eq!(drained.unfinished, 0);
//! # Ok(())
//! # }
//! ```

mod app;
mod auth;
mod dto;
mod edge;
mod input;
mod limits;
mod metrics;
mod openapi;
mod password;
mod problem;
mod router;
mod routes;
mod serve;
mod views;

pub use self::app::{App, AppConfig, Probe};
pub use self::limits::Limits;
pub use self::metrics::Metrics;
pub use self::router::router;
pub use self::serve::{Drained, serve};
pub use self::views::{ShardEntity, ShardInfo, ShardOperations, Views};
