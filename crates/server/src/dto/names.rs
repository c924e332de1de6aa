//! Names that are the store's configuration: the description lists the ones of this very store.

use mworld_shop::{Category, Settings, Zone};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// One of the store's zones, in what clients send.
pub(crate) struct ZoneName;

/// One of the store's categories, in what clients send.
pub(crate) struct CategoryName;

impl ToSchema for ZoneName {}

impl ToSchema for CategoryName {}

impl PartialSchema for ZoneName {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).into()
    }
}

impl PartialSchema for CategoryName {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).into()
    }
}

/// The two with the values of this store.
pub(crate) fn of_store(settings: &Settings) -> [(String, RefOr<Schema>); 2] {
    let zones = settings.zones.iter().map(|zone| Zone::as_str(&zone.id));
    let categories = settings.categories.iter().map(|category| Category::as_str(&category.id));
    [
        (ZoneName::name().into_owned(), one_of(zones, "One of `GET /zones`")),
        (CategoryName::name().into_owned(), one_of(categories, "One of `GET /categories`")),
    ]
}

fn one_of<'a>(values: impl Iterator<Item = &'a str>, description: &str) -> RefOr<Schema> {
    let values: Vec<_> = values.map(str::to_owned).collect();
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description))
        .enum_values(Some(values))
        .into()
}
