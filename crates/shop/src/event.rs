//! Events: what happened to orders and stock, for mail, accounting and analytics.

use serde::{Deserialize, Serialize};

use crate::ids::{OrderId, ProductId, UserId};
use crate::money::Money;
use crate::name::Zone;
use crate::order::{OrderStatus, Payment};
use crate::time::Timestamp;

/// The place of an event in the feed. Opaque outside; an engine gives them in commit order per key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EventId(pub String);

/// How the stock of one product in one zone changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StockChange {
    /// The product.
    pub product_id: ProductId,
    /// Where.
    pub zone: Zone,
    /// By how much.
    pub delta: i64,
    /// What it is now.
    pub quantity: u32,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Happened {
    /// An order came to be or took a step.
    Order {
        /// The order.
        order_id: OrderId,
        /// Its buyer.
        user_id: UserId,
        /// Where it is now.
        status: OrderStatus,
        /// What it costs.
        total: Money,
        /// The stock that it took or gave back.
        stock: Vec<StockChange>,
    },
    /// Stock was counted, delivered or corrected.
    Stock {
        /// The change.
        #[serde(flatten)]
        change: StockChange,
    },
    /// Money came that must go back.
    RefundDue {
        /// The order it came for.
        order_id: OrderId,
        /// The payment.
        payment: Payment,
    },
}

/// One event of the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its place in the feed.
    pub id: EventId,
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub happened: Happened,
}
