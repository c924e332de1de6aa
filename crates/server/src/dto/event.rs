//! Events.

use mworld_shop::event::{Event, Happened, StockChange};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Moment;
use super::money::MoneyJson;
use super::order::OrderStatusName;

/// Something that happened to an order or to stock.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Event)]
pub(crate) struct EventJson<'a> {
    /// Its place in the feed; send it as `after` to go on behind it.
    id: &'a str,
    at: Moment,
    #[serde(flatten)]
    happened: HappenedJson<'a>,
}

/// What happened.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Happened)]
#[serde(tag = "type", rename_all = "snake_case")]
enum HappenedJson<'a> {
    /// An order came to be or took a step.
    Order {
        order_id: Uuid,
        user_id: Uuid,
        #[schema(value_type = OrderStatusName)]
        status: &'static str,
        total: MoneyJson,
        /// The stock that it took or gave back.
        stock: Vec<StockChangeJson<'a>>,
    },
    /// Stock was counted, delivered or corrected.
    Stock { product_id: Uuid, zone: &'a str, delta: i64, quantity: u32 },
    /// Money came that must go back.
    RefundDue { order_id: Uuid, payment: PaymentJson<'a> },
}

/// How the stock of one product in one zone changed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StockChange)]
struct StockChangeJson<'a> {
    product_id: Uuid,
    zone: &'a str,
    delta: i64,
    /// What it is now.
    quantity: u32,
}

/// A payment.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Payment)]
struct PaymentJson<'a> {
    provider: &'a str,
    reference: &'a str,
    amount: MoneyJson,
}

impl<'a> From<&'a Event> for EventJson<'a> {
    fn from(event: &'a Event) -> EventJson<'a> {
        EventJson { id: &event.id.0, at: Moment(event.at), happened: (&event.happened).into() }
    }
}

impl<'a> From<&'a Happened> for HappenedJson<'a> {
    fn from(happened: &'a Happened) -> HappenedJson<'a> {
        match happened {
            Happened::Order { order_id, user_id, status, total, stock } => HappenedJson::Order {
                order_id: order_id.uuid(),
                user_id: user_id.uuid(),
                status: status.name(),
                total: (*total).into(),
                stock: stock.iter().map(Into::into).collect(),
            },
            Happened::Stock { change } => HappenedJson::Stock {
                product_id: change.product_id.uuid(),
                zone: change.zone.as_str(),
                delta: change.delta,
                quantity: change.quantity,
            },
            Happened::RefundDue { order_id, payment } => HappenedJson::RefundDue {
                order_id: order_id.uuid(),
                payment: PaymentJson {
                    provider: &payment.provider,
                    reference: &payment.reference,
                    amount: payment.amount.into(),
                },
            },
        }
    }
}

impl<'a> From<&'a StockChange> for StockChangeJson<'a> {
    fn from(change: &'a StockChange) -> StockChangeJson<'a> {
        StockChangeJson {
            product_id: change.product_id.uuid(),
            zone: change.zone.as_str(),
            delta: change.delta,
            quantity: change.quantity,
        }
    }
}
