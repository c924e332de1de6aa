//! JSON bodies.

use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use super::excerpt;
use crate::app::Shared;
use crate::dto::object::Object;
use crate::problem::{Code, Problem};

/// A body that must be there.
pub(crate) struct Body<T>(pub(crate) T);

/// A body that may be left out; then it is the default.
pub(crate) struct OptionalBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Shared> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Shared) -> Result<Body<T>, Problem> {
        check_content_type(request.headers())?;
        read(&receive(request, app).await?).map(|Object(body)| Body(body))
    }
}

impl<T: DeserializeOwned + Default> FromRequest<Shared> for OptionalBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Shared) -> Result<OptionalBody<T>, Problem> {
        let content_type = check_content_type(request.headers());
        let bytes = receive(request, app).await?;
        if bytes.is_empty() {
            return Ok(OptionalBody(T::default()));
        }
        content_type?;
        // `null` is a way of leaving it out.
        read(&bytes)
            .map(|body: Option<Object<T>>| OptionalBody(body.map(|Object(body)| body).unwrap_or_default()))
    }
}

fn check_content_type(headers: &HeaderMap) -> Result<(), Problem> {
    let given = headers.get(CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let Some(given) = given else {
        let detail = "there is no Content-Type; send application/json";
        return Err(Problem::new(Code::UnsupportedMediaType, detail));
    };
    let media_type = given.split(';').next().unwrap_or_default().trim();
    if media_type.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let detail = format!("Content-Type {:?} is not understood; send application/json", excerpt(&given));
    Err(Problem::new(Code::UnsupportedMediaType, detail))
}

async fn receive(request: Request, app: &Shared) -> Result<Bytes, Problem> {
    let limit = app.limits.body_bytes;
    let body = request.into_body();
    // A length that is announced need not be waited for.
    if axum::body::HttpBody::size_hint(&body).lower() > limit as u64 {
        return Err(too_large(limit));
    }
    let received = tokio::time::timeout(app.limits.body_wait, Limited::new(body, limit).collect()).await;
    match received {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(limit)),
        Ok(Err(_)) => {
            Err(Problem::new(Code::InvalidJson, "the body broke off before its end; send it again whole"))
        }
        Err(_) => {
            let seconds = app.limits.body_wait.as_secs_f32();
            let detail = format!("the body did not arrive within {seconds} s; send it again");
            Err(Problem::new(Code::BodyTimeout, detail))
        }
    }
}

fn too_large(limit: usize) -> Problem {
    Problem::new(Code::BodyTooLarge, format!("the body is larger than {limit} bytes; send less at once"))
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    if bytes.is_empty() {
        return Err(Problem::new(Code::InvalidJson, "the body is empty; send a JSON object"));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| unreadable(&error.path().to_string(), error.inner()))?;
    json.end().map_err(|error| unreadable(".", &error))?;
    Ok(value)
}

fn unreadable(path: &str, error: &serde_json::Error) -> Problem {
    match error.classify() {
        Category::Data => {
            let place = if path == "." { "the body".to_owned() } else { excerpt(path) };
            let words: String = error.to_string().chars().take(300).collect();
            Problem::new(Code::InvalidBody, format!("{place}: {words}; see /api/docs for the form"))
        }
        Category::Syntax | Category::Eof | Category::Io => {
            let detail = format!("the body is not JSON: {error}; mend it there and send it again");
            Problem::new(Code::InvalidJson, detail)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        inner: Vec<Inner>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        #[allow(dead_code)] // read by serde only
        quantity: u32,
    }

    fn refused(body: &str) -> Problem {
        read::<Outer>(body.as_bytes()).unwrap_err()
    }

    #[test]
    fn a_wrong_field_is_named_with_its_path() {
        let problem = refused(r#"{"inner": [{"quantity": 1}, {"quantity": "two"}]}"#);
        assert_eq!(problem.code(), Code::InvalidBody);
        assert!(problem.detail().contains("inner[1].quantity"), "{}", problem.detail());
    }

    #[test]
    fn an_unknown_field_is_named() {
        let problem = refused(r#"{"inner": [], "colour": 1}"#);
        assert_eq!(problem.code(), Code::InvalidBody);
        assert!(problem.detail().contains("colour"), "{}", problem.detail());
    }

    #[test]
    fn what_is_no_json_is_said_to_be_none() {
        for body in ["", "{", "nul", "{\"inner\": []} x", "\u{feff}{}"] {
            assert_eq!(refused(body).code(), Code::InvalidJson, "{body:?}");
        }
        assert_eq!(read::<Outer>(b"{\"inner\": [\"\xff\"]}").unwrap_err().code(), Code::InvalidJson);
    }

    #[test]
    fn a_good_one_is_read() {
        assert_eq!(read::<Outer>(br#"{"inner": [{"quantity": 1}]}"#).unwrap().inner.len(), 1);
    }
}
