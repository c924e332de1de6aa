//! Ids in paths.

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use mworld_shop::{OrderId, ProductId};
use uuid::Uuid;

use super::excerpt;
use crate::app::Shared;
use crate::problem::{Code, Problem};

/// The one id that a path names.
pub(crate) struct Id<K>(pub(crate) K);

/// What a path may name.
pub(crate) trait PathId: Sized + Send {
    /// For the message that refuses another text.
    const WHAT: &'static str;

    fn from_uuid(uuid: Uuid) -> Self;
}

impl PathId for ProductId {
    const WHAT: &'static str = "the id of a product";

    fn from_uuid(uuid: Uuid) -> Self {
        ProductId::from_uuid(uuid)
    }
}

impl PathId for OrderId {
    const WHAT: &'static str = "the id of an order";

    fn from_uuid(uuid: Uuid) -> Self {
        OrderId::from_uuid(uuid)
    }
}

impl<K: PathId> FromRequestParts<Shared> for Id<K> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Id<K>, Problem> {
        let params = RawPathParams::from_request_parts(parts, app).await.map_err(|_| {
            Problem::new(Code::InvalidParameter, "the path is not UTF-8; percent-encode it as UTF-8")
        })?;
        let text = params.iter().next().map_or("", |(_, value)| value);
        read(text, K::WHAT).map(|uuid| Id(K::from_uuid(uuid)))
    }
}

/// One id has one spelling, so that logs and caches see one product under one name.
fn read(text: &str, what: &str) -> Result<Uuid, Problem> {
    let hyphenated = Some(text).filter(|text| text.len() == 36);
    hyphenated.and_then(|text| Uuid::try_parse(text).ok()).ok_or_else(|| {
        let given = excerpt(text);
        let form = "a UUID such as 018f2e9c-6b1a-7c3d-9e4f-5a6b7c8d9e0f";
        Problem::new(Code::InvalidParameter, format!("{given:?} cannot be {what}; write {form}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_hyphenated_form_is_an_id() {
        let good = "018f2e9c-6b1a-7c3d-9e4f-5a6b7c8d9e0f";
        assert_eq!(read(good, "product").unwrap().to_string(), good);
        for bad in
            ["", "7", &good.replace('-', ""), &format!("{{{good}}}"), "018f2e9c-6b1a-7c3d-9e4f-5a6b7c8d9e0g"]
        {
            let problem = read(bad, "product").unwrap_err();
            assert_eq!(problem.code(), Code::InvalidParameter);
            assert!(problem.detail().contains("product"), "{}", problem.detail());
        }
    }
}
