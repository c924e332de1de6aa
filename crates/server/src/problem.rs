//! The one shape of every error: problem details of RFC 9457 with a stable `code`.

mod code;
mod shop;

use std::borrow::Cow;
use std::time::Duration;

use axum::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

pub(crate) use self::code::Code;
use crate::dto::problem::{ProblemJson, ShortageJson};

/// The media type of every error.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// An answer that says no. Boxed, since it travels in every `Result` of a handler.
#[derive(Debug)]
pub(crate) struct Problem(Box<Inner>);

#[derive(Debug)]
struct Inner {
    code: Code,
    detail: Cow<'static, str>,
    items: Option<Vec<ShortageJson>>,
    total: Option<mworld_shop::Money>,
    retry_after: Option<Duration>,
    cause: Option<Cause>,
}

/// What an operator must know and a client must not. It rides on the response to the edge, which logs it once.
#[derive(Debug, Clone)]
pub(crate) struct Cause(pub(crate) String);

impl Problem {
    /// A problem of this kind; `detail` names the value, the limit and the next step.
    pub(crate) fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Problem {
        Problem(Box::new(Inner {
            code,
            detail: detail.into(),
            items: None,
            total: None,
            retry_after: None,
            cause: None,
        }))
    }

    /// A fault of ours: the client learns that it is one, the log learns the cause.
    pub(crate) fn internal(cause: impl Into<String>) -> Problem {
        let detail =
            "something went wrong on our side; the log has the cause under this answer's x-request-id";
        Problem::new(Code::Internal, detail).with_cause(cause)
    }

    /// When it is worth trying again.
    pub(crate) fn retry_after(mut self, wait: Duration) -> Problem {
        self.0.retry_after = Some(wait);
        self
    }

    /// What the log should say.
    pub(crate) fn with_cause(mut self, cause: impl Into<String>) -> Problem {
        self.0.cause = Some(Cause(cause.into()));
        self
    }

    /// The items that there is too little of.
    fn with_items(mut self, items: Vec<ShortageJson>) -> Problem {
        self.0.items = Some(items);
        self
    }

    /// The total as it is now.
    fn with_total(mut self, total: mworld_shop::Money) -> Problem {
        self.0.total = Some(total);
        self
    }

    /// Its HTTP status.
    pub(crate) fn status(&self) -> StatusCode {
        self.0.code.status()
    }

    #[cfg(test)]
    pub(crate) fn code(&self) -> Code {
        self.0.code
    }

    #[cfg(test)]
    pub(crate) fn detail(&self) -> &str {
        &self.0.detail
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Inner { code, detail, items, total, retry_after, cause } = *self.0;
        let status = code.status();
        let body = ProblemJson {
            r#type: code.type_uri(),
            title: code.title(),
            status: status.as_u16(),
            detail: &detail,
            code: code.name(),
            items,
            total: total.map(Into::into),
        };
        let mut response = (status, to_json(&body)).into_response();
        let headers = response.headers_mut();
        let mut set = |name: HeaderName, value: HeaderValue| headers.insert(name, value);
        set(CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        if let Some(wait) = retry_after {
            // Rounded up: a client that comes back a moment too early would only be refused again.
            set(RETRY_AFTER, HeaderValue::from(wait.as_secs() + u64::from(wait.subsec_nanos() > 0)));
        }
        if status == StatusCode::UNAUTHORIZED {
            set(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(cause) = cause {
            response.extensions_mut().insert(cause);
        }
        response
    }
}

fn to_json(body: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(body).expect("a problem is text, numbers and lists, which always serialise")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_rides_along_but_is_not_shown() {
        let response = Problem::internal("disk on fire").into_response();
        assert_eq!(response.extensions().get::<Cause>().map(|cause| cause.0.as_str()), Some("disk on fire"));
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    }

    #[test]
    fn waiting_times_are_rounded_up() {
        let problem = Problem::new(Code::Overloaded, "later").retry_after(Duration::from_millis(1001));
        assert_eq!(problem.into_response().headers()[RETRY_AFTER], "2");
    }

    #[test]
    fn every_401_says_how_to_authenticate() {
        let response = Problem::new(Code::LoginRequired, "log in").into_response();
        assert_eq!(response.headers()[WWW_AUTHENTICATE], "Bearer");
        assert_eq!(response.headers()[CONTENT_TYPE], PROBLEM_JSON);
    }
}
