//! The shape of an error.

use mworld_shop::Shortage;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::money::MoneyJson;

/// Why a request was not done (RFC 9457).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemJson<'a> {
    /// Identifies the kind of problem.
    #[schema(format = "uri", example = "urn:mworld:problem:cart_empty")]
    pub(crate) r#type: &'a str,
    /// The same words for every problem of this code.
    pub(crate) title: &'a str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    pub(crate) status: u16,
    /// What is wrong here: the value, the limit and the next step.
    pub(crate) detail: &'a str,
    /// A stable name for programs.
    #[schema(pattern = "^[a-z_]+$", example = "cart_empty")]
    pub(crate) code: &'a str,
    /// With `insufficient_stock`: what there is too little of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) items: Option<Vec<ShortageJson>>,
    /// With `price_changed`: the total as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) total: Option<MoneyJson>,
}

/// One item that there is too little of.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Shortage)]
pub(crate) struct ShortageJson {
    /// The product.
    pub(crate) product_id: Uuid,
    /// Pieces asked for.
    pub(crate) requested: u32,
    /// Pieces left.
    pub(crate) available: u32,
}

impl From<&Shortage> for ShortageJson {
    fn from(short: &Shortage) -> ShortageJson {
        ShortageJson {
            product_id: short.product_id.uuid(),
            requested: short.requested,
            available: short.available,
        }
    }
}
