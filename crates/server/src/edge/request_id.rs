//! A name for each request, the same in the client's log and in ours.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::{HeaderMap, HeaderName, HeaderValue};

pub(super) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The name of one request.
pub(super) struct RequestId(String);

/// Tells one process's names from another's.
static PROCESS: LazyLock<u32> = LazyLock::new(rand::random);
static COUNT: AtomicU64 = AtomicU64::new(1);

impl RequestId {
    /// The client's own name if it is one that can be logged safely, else a new one.
    pub(super) fn of(headers: &HeaderMap) -> RequestId {
        let brought = headers.get(HEADER).and_then(|value| value.to_str().ok()).filter(|text| is_safe(text));
        RequestId(brought.map_or_else(RequestId::fresh, str::to_owned))
    }

    fn fresh() -> String {
        format!("{:08x}-{:x}", *PROCESS, COUNT.fetch_add(1, Ordering::Relaxed))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn into_header(self) -> HeaderValue {
        HeaderValue::try_from(self.0)
            .expect("both kinds of names are letters, digits, dots, dashes, underscores")
    }
}

fn is_safe(text: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=64).contains(&text.len()) && text.bytes().all(legal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: &'static str) -> String {
        RequestId::of(&HeaderMap::from_iter([(HEADER, HeaderValue::from_static(value))])).0
    }

    #[test]
    fn a_sane_name_is_kept_and_another_replaced() {
        assert_eq!(of("checkout-7.a_B"), "checkout-7.a_B");
        for insane in ["", "a b", "a\tb", "<script>", &*Box::leak("x".repeat(65).into_boxed_str())] {
            assert_ne!(of(insane), insane);
        }
    }

    #[test]
    fn two_requests_have_two_names() {
        assert_ne!(RequestId::of(&HeaderMap::new()).0, RequestId::of(&HeaderMap::new()).0);
    }
}
