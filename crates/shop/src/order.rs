//! Orders and the steps of their life.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Refusal, Result};
use crate::ids::{OrderId, ProductId, UserId};
use crate::money::Money;
use crate::name::{Category, Zone};
use crate::page::{ListId, PageSize, Position};
use crate::time::Timestamp;

/// Where an order is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderStatus {
    /// Placed, stock written off, not paid.
    Created,
    /// Paid.
    Paid,
    /// On its way.
    Shipped,
    /// With the buyer.
    Delivered,
    /// Called off, stock returned.
    Cancelled,
}

impl OrderStatus {
    /// Every status.
    pub const ALL: [OrderStatus; 5] = [
        OrderStatus::Created,
        OrderStatus::Paid,
        OrderStatus::Shipped,
        OrderStatus::Delivered,
        OrderStatus::Cancelled,
    ];

    /// The name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            OrderStatus::Created => "created",
            OrderStatus::Paid => "paid",
            OrderStatus::Shipped => "shipped",
            OrderStatus::Delivered => "delivered",
            OrderStatus::Cancelled => "cancelled",
        }
    }

    /// The statuses that may follow this one.
    pub const fn next(self) -> &'static [OrderStatus] {
        match self {
            OrderStatus::Created => &[OrderStatus::Paid, OrderStatus::Cancelled],
            OrderStatus::Paid => &[OrderStatus::Shipped, OrderStatus::Cancelled],
            OrderStatus::Shipped => &[OrderStatus::Delivered],
            OrderStatus::Delivered | OrderStatus::Cancelled => &[],
        }
    }

    /// Checks one step.
    pub fn step(self, to: OrderStatus) -> Result<OrderStatus> {
        if self.next().contains(&to) {
            Ok(to)
        } else {
            Err(Refusal::IllegalTransition { from: self, to }.into())
        }
    }

    /// For messages: what can be done instead.
    pub(crate) fn next_steps(self) -> String {
        match self.next() {
            [] => "it stays as it is".to_owned(),
            steps => {
                let names: Vec<_> = steps.iter().map(|status| status.name()).collect();
                format!("it can become {}", names.join(" or "))
            }
        }
    }
}

impl fmt::Display for OrderStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a text is no status.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no order status; choose one of created, paid, shipped, delivered, cancelled")]
pub struct UnknownStatus(String);

impl FromStr for OrderStatus {
    type Err = UnknownStatus;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = OrderStatus::ALL.into_iter().find(|status| status.name() == text);
        found.ok_or_else(|| UnknownStatus(text.chars().take(64).collect()))
    }
}

/// One line of an order, as it was when it was sold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderItem {
    /// The product.
    pub product_id: ProductId,
    /// Its category then.
    pub category: Category,
    /// Its name then.
    pub name: String,
    /// Pieces.
    pub quantity: u32,
    /// The price of one then.
    pub price: Money,
}

/// An order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Its id.
    pub id: OrderId,
    /// Its buyer.
    pub user_id: UserId,
    /// The zone whose stock it took.
    pub zone: Zone,
    /// Where it is in its life.
    pub status: OrderStatus,
    /// What was bought.
    pub items: Vec<OrderItem>,
    /// What it costs.
    pub total: Money,
    /// When it was placed.
    pub created_at: Timestamp,
    /// When it last changed; strictly grows.
    pub updated_at: Timestamp,
}

/// How to find an order. The buyer, if known, leads to it on one shard, and nobody else's is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderRef {
    /// The order.
    pub id: OrderId,
    /// Its buyer: only an order of this one is found. An operator leaves it out.
    pub user: Option<UserId>,
}

/// Which orders to list, newest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OrderQuery {
    /// In this zone.
    pub zone: Option<Zone>,
    /// In this status.
    pub status: Option<OrderStatus>,
    /// Placed at or after.
    pub from: Option<Timestamp>,
    /// Placed before.
    pub to: Option<Timestamp>,
    /// So many.
    pub limit: Option<PageSize>,
    /// Beginning after this one (its `value` is the creation time).
    pub after: Option<Position>,
}

impl OrderQuery {
    /// The page size in force.
    pub fn page_size(&self) -> PageSize {
        self.limit.unwrap_or(PageSize::DEFAULT)
    }

    /// Which list this is; `user` is the buyer whose history it is, if it is one.
    pub fn list_id(&self, user: Option<UserId>) -> ListId {
        let time = |time: Option<Timestamp>| time.map_or(String::new(), |time| time.micros().to_string());
        let parts = [
            "orders".to_owned(),
            user.map(|user| user.to_string()).unwrap_or_default(),
            self.zone.as_ref().map(ToString::to_string).unwrap_or_default(),
            self.status.map(|status| status.name().to_owned()).unwrap_or_default(),
            time(self.from),
            time(self.to),
        ];
        ListId::of(parts.iter().map(String::as_str))
    }
}

/// What a payment provider reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// Who took the money.
    pub provider: String,
    /// The provider's own number for it.
    pub reference: String,
    /// How much.
    pub amount: Money,
}
