//! The description of the API, generated from the handlers and completed here.

use bytes::Bytes;
use mworld_shop::Settings;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    ComponentsBuilder, InfoBuilder, LicenseBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder, Schema,
};
use utoipa::{PartialSchema, ToSchema};

use crate::dto::names;
use crate::dto::problem::ProblemJson;
use crate::problem::{Code, PROBLEM_JSON};

/// The description as it is served. Handlers say what is special about them; what holds for all of them is
/// added here, so that none can forget it.
pub(crate) fn document(mut described: OpenApi, settings: &Settings) -> Bytes {
    described.info = InfoBuilder::new()
        .title("Mobile World")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(introduction()))
        .license(Some(
            LicenseBuilder::new().name("MIT OR Apache-2.0").identifier(Some("MIT OR Apache-2.0")).build(),
        ))
        .build();
    for item in described.paths.paths.values_mut() {
        for operation in operations(item) {
            complete(operation);
        }
    }
    add_components(&mut described, settings);
    Bytes::from(
        described.to_json().expect("a description is text, numbers and lists, which always serialise"),
    )
}

fn introduction() -> String {
    let codes: Vec<_> = Code::ALL
        .iter()
        .map(|code| format!("- `{}` ({}): {}", code.name(), code.status().as_u16(), code.title()))
        .collect();
    format!(
        "A shop's catalogue, carts, orders and sessions. Open a session, put things into the cart, log in, check \
         out.\n\nErrors are problem details (RFC 9457) with a stable `code`:\n\n{}",
        codes.join("\n")
    )
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.put, &mut item.post, &mut item.delete].into_iter().flatten()
}

/// Adds the answers that any request of this kind may get, and the shape of every error.
fn complete(operation: &mut Operation) {
    let mut also = vec![
        ("400", "`unknown_parameter`, `invalid_parameter`"),
        ("500", "`internal`"),
        ("503", "`overloaded`, `unavailable`, `storage_full`; with `Retry-After`"),
    ];
    let schemes = operation.security.as_ref().map(|all| serde_json::to_string(all).unwrap_or_default());
    if let Some(schemes) = schemes {
        also.push(("401", "`unauthorized` without a valid token"));
        also.push(("429", "`too_many_requests`; with `Retry-After`"));
        if schemes.contains("operator") {
            also.push(("403", "`operator_only`"));
        }
    }
    if operation.request_body.is_some() {
        also.push(("408", "`body_timeout`"));
        also.push(("413", "`body_too_large`"));
        also.push(("415", "`unsupported_media_type`"));
        also.push(("422", "`invalid_body`"));
    }
    let answers = &mut operation.responses.responses;
    for (status, description) in also {
        let absent = || RefOr::T(ResponseBuilder::new().description(description).build());
        answers.entry(status.to_owned()).or_insert_with(absent);
    }
    for (status, answer) in answers {
        if let RefOr::T(answer) = answer
            && status.as_str() >= "400"
        {
            give_problem_shape(answer);
        }
    }
}

fn give_problem_shape(answer: &mut Response) {
    let shape = Ref::from_schema_name(ProblemJson::name());
    answer.content.clear();
    answer
        .content
        .insert(PROBLEM_JSON.to_owned(), RefOr::T(ContentBuilder::new().schema(Some(shape)).build()));
}

fn add_components(described: &mut OpenApi, settings: &Settings) {
    let mut schemas: Vec<(String, RefOr<Schema>)> = Vec::new();
    ProblemJson::schemas(&mut schemas);
    let mut components = described.components.take().unwrap_or_else(|| ComponentsBuilder::new().build());
    components.schemas.insert(ProblemJson::name().into_owned(), ProblemJson::schema());
    components.schemas.extend(schemas);
    components.schemas.extend(names::of_store(settings));
    let bearer = |description: &str| {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(description));
        RefOr::T(SecurityScheme::Http(scheme.build()))
    };
    let session = bearer("The token of `POST /api/v1/sessions`, or of the last login");
    components.security_schemes.insert("session".to_owned(), session);
    components.security_schemes.insert("operator".to_owned(), bearer("The operator token of the store"));
    described.components = Some(components);
}
