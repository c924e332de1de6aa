//! Orders and payments.

use mworld_shop::Settings;
use mworld_shop::checkout::Request;
use mworld_shop::order::{Order, OrderItem, OrderStatus, Payment};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::Moment;
use super::money::{MoneyBody, MoneyJson};
use super::names::ZoneName;
use super::object::Object;
use crate::problem::{Code, Problem};

/// An order.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Order)]
pub(crate) struct OrderJson<'a> {
    id: Uuid,
    user_id: Uuid,
    /// The zone whose stock it took.
    zone: &'a str,
    #[schema(value_type = OrderStatusName)]
    status: &'static str,
    items: Vec<OrderItemJson<'a>>,
    total: MoneyJson,
    created_at: Moment,
    updated_at: Moment,
}

/// One line of an order, as it was when it was sold.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OrderItem)]
struct OrderItemJson<'a> {
    product_id: Uuid,
    category: &'a str,
    name: &'a str,
    quantity: u32,
    /// The price of one.
    price: MoneyJson,
}

impl<'a> From<&'a Order> for OrderJson<'a> {
    fn from(order: &'a Order) -> OrderJson<'a> {
        OrderJson {
            id: order.id.uuid(),
            user_id: order.user_id.uuid(),
            zone: order.zone.as_str(),
            status: order.status.name(),
            items: order.items.iter().map(Into::into).collect(),
            total: order.total.into(),
            created_at: Moment(order.created_at),
            updated_at: Moment(order.updated_at),
        }
    }
}

impl<'a> From<&'a OrderItem> for OrderItemJson<'a> {
    fn from(item: &'a OrderItem) -> OrderItemJson<'a> {
        OrderItemJson {
            product_id: item.product_id.uuid(),
            category: item.category.as_str(),
            name: &item.name,
            quantity: item.quantity,
            price: item.price.into(),
        }
    }
}

/// The statuses of an order.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OrderStatus)]
pub(crate) enum OrderStatusName {
    Created,
    Paid,
    Shipped,
    Delivered,
    Cancelled,
}

impl From<OrderStatusName> for OrderStatus {
    fn from(name: OrderStatusName) -> OrderStatus {
        match name {
            OrderStatusName::Created => OrderStatus::Created,
            OrderStatusName::Paid => OrderStatus::Paid,
            OrderStatusName::Shipped => OrderStatus::Shipped,
            OrderStatusName::Delivered => OrderStatus::Delivered,
            OrderStatusName::Cancelled => OrderStatus::Cancelled,
        }
    }
}

/// Where an order should go.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatusBody {
    pub(crate) status: OrderStatusName,
}

/// A checkout of the active cart.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckoutBody {
    /// The zone whose stock is taken.
    #[schema(value_type = ZoneName)]
    zone: String,
    /// The total that the buyer has seen; if it is another now, nothing is ordered.
    #[schema(value_type = Option<MoneyBody>)]
    expect_total: Option<Object<MoneyBody>>,
}

impl CheckoutBody {
    pub(crate) fn read(&self, settings: &Settings) -> Result<Request, Problem> {
        let expect_total =
            self.expect_total.as_ref().map(|total| total.0.read("expect_total")).transpose()?;
        Ok(Request { zone: settings.zone(&self.zone)?, expect_total })
    }
}

/// What a payment provider reports.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaymentBody {
    /// Who took the money.
    #[schema(min_length = 1, max_length = 128, pattern = "^[^\\u0000]*$")]
    provider: String,
    /// The provider's own number for it. With the provider it names the payment: a repeat changes nothing.
    #[schema(min_length = 1, max_length = 128, pattern = "^[^\\u0000]*$")]
    reference: String,
    #[schema(value_type = MoneyBody)]
    amount: Object<MoneyBody>,
}

impl PaymentBody {
    pub(crate) fn read(self) -> Result<Payment, Problem> {
        check_name("provider", &self.provider)?;
        check_name("reference", &self.reference)?;
        let amount = self.amount.0.read("amount")?;
        Ok(Payment { provider: self.provider, reference: self.reference, amount })
    }
}

fn check_name(field: &str, text: &str) -> Result<(), Problem> {
    let chars = text.chars().count();
    if (1..=128).contains(&chars) && !text.contains('\0') {
        return Ok(());
    }
    let detail = format!("{field}: has {chars} characters; write 1 to 128, none of them NUL");
    Err(Problem::new(Code::InvalidBody, detail))
}
