//! A panic in a handler costs one request, never the store.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use axum::response::{IntoResponse, Response};

use crate::problem::Problem;

/// The handler's answer, or 500 if it panicked. Handlers share nothing that a panic could leave half changed:
/// state lies in the engines, whose transactions roll back, and in atomics.
pub(super) async fn caught(handler: impl Future<Output = Response>) -> Response {
    let mut handler = pin!(handler);
    let outcome = poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| handler.as_mut().poll(context)));
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(response)) => Poll::Ready(Ok(response)),
            Err(panic) => Poll::Ready(Err(panic)),
        }
    });
    outcome.await.unwrap_or_else(|panic| {
        Problem::internal(format!("a handler panicked: {}", words_of(panic.as_ref()))).into_response()
    })
}

fn words_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without words")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Cause;

    #[tokio::test]
    async fn a_panic_becomes_an_answer() {
        let response = caught(async { panic!("shelf {} fell", 7) }).await;
        assert_eq!(response.status(), 500);
        assert!(response.extensions().get::<Cause>().unwrap().0.contains("shelf 7 fell"));
    }
}
