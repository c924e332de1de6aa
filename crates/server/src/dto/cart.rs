//! Carts.

use mworld_shop::Currency;
use mworld_shop::cart::{Capped, CappedWhy, Cart, CartLine, CartStatus};
use mworld_shop::session::Session;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::Moment;
use super::money::MoneyJson;
use super::whole::whole;
use crate::problem::Problem;

/// The cart. One that does not exist yet has no id and no times.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Cart)]
pub(crate) struct CartJson<'a> {
    #[schema(required = true)]
    id: Option<Uuid>,
    #[schema(value_type = CartStatusName)]
    status: &'static str,
    /// The buyer's zone when the cart came to be.
    zone: &'a str,
    /// Newest added first.
    items: Vec<CartLineJson<'a>>,
    /// At the prices of the puts.
    total: MoneyJson,
    #[schema(required = true)]
    created_at: Option<Moment>,
    #[schema(required = true)]
    updated_at: Option<Moment>,
    /// Null = never, or no cart yet.
    #[schema(required = true)]
    expires_at: Option<Moment>,
}

/// The statuses of a cart, for the description only.
#[derive(ToSchema)]
#[schema(as = CartStatus, rename_all = "lowercase")]
#[allow(dead_code)] // names of the API; the domain has the values
pub(crate) enum CartStatusName {
    Active,
    Ordered,
    Abandoned,
}

/// One product in a cart; name and price are those of the moment of the put.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CartLine)]
struct CartLineJson<'a> {
    product_id: Uuid,
    category: &'a str,
    name: &'a str,
    price: MoneyJson,
    #[schema(minimum = 1)]
    quantity: u32,
    added_at: Moment,
}

impl<'a> From<&'a CartLine> for CartLineJson<'a> {
    fn from(line: &'a CartLine) -> CartLineJson<'a> {
        CartLineJson {
            product_id: line.product_id.uuid(),
            category: line.category.as_str(),
            name: &line.name,
            price: line.price.into(),
            quantity: line.quantity,
            added_at: Moment(line.added_at),
        }
    }
}

impl<'a> CartJson<'a> {
    /// The visitor's cart, or the empty one of somebody who has put nothing yet.
    pub(crate) fn new(
        cart: Option<&'a Cart>,
        session: &'a Session,
        currency: Currency,
    ) -> Result<CartJson<'a>, Problem> {
        let Some(cart) = cart else {
            return Ok(CartJson::empty(session, currency));
        };
        let total = cart
            .total(currency)
            .map_err(|error| Problem::internal(format!("cart {} has no total: {error}", cart.id)))?;
        Ok(CartJson {
            id: Some(cart.id.uuid()),
            status: cart.status.name(),
            zone: cart.zone.as_str(),
            items: cart.lines.iter().map(Into::into).collect(),
            total: total.into(),
            created_at: Some(Moment(cart.created_at)),
            updated_at: Some(Moment(cart.updated_at)),
            expires_at: cart.expires_at.map(Moment),
        })
    }

    fn empty(session: &'a Session, currency: Currency) -> CartJson<'a> {
        CartJson {
            id: None,
            status: CartStatus::Active.name(),
            zone: session.zone.as_str(),
            items: Vec::new(),
            total: mworld_shop::Money::zero(currency).into(),
            created_at: None,
            updated_at: None,
            expires_at: None,
        }
    }
}

/// How many pieces of a product the buyer wants.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PutItemBody {
    /// Replaces what was wanted before.
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 999)]
    pub(crate) quantity: i64,
    /// The category that the product is probably in: a hint that helps a layout find it on one shard.
    pub(crate) category: Option<String>,
}

/// Something of the guest's cart that did not fit into the user's.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Capped)]
pub(crate) struct CappedJson {
    product_id: Uuid,
    /// Pieces that both carts together would have given.
    wanted: u32,
    /// Pieces that the cart has now.
    kept: u32,
    /// Which limit it was.
    #[schema(value_type = CappedWhyName)]
    why: CappedWhy,
}

/// The limits of a cart, for the description only.
#[derive(ToSchema)]
#[schema(as = CappedWhy, rename_all = "lowercase")]
#[allow(dead_code)] // names of the API; the domain has the values
pub(crate) enum CappedWhyName {
    Quantity,
    Lines,
}

impl From<&Capped> for CappedJson {
    fn from(capped: &Capped) -> CappedJson {
        CappedJson {
            product_id: capped.product_id.uuid(),
            wanted: capped.wanted,
            kept: capped.kept,
            why: capped.why,
        }
    }
}
