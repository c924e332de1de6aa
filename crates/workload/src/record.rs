//! What was asked and what came back: the judge's only evidence.

use mworld_shop::Operation;
use mworld_shop::order::OrderStatus;
use mworld_shop::{OrderId, ProductId};

use crate::stage::{ProductNo, Stage, UserNo, ZoneNo};

/// Microseconds since set-up began, on the driver's own monotonic clock.
pub type Micros = u64;

/// All that a run leaves for the judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// What there was before the first operation.
    pub stage: Stage,
    /// What was asked during the run and while its unanswered calls were asked again, by the moment it was sent.
    pub calls: Vec<Call>,
    /// What was read when nothing was in flight any more: stock, carts, histories, orders.
    pub readings: Vec<Call>,
}

/// One request and what became of it. A repeated request is a call of its own with the same operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The operation of the plan; readings after the end have none.
    pub n: Option<u64>,
    /// 0, or how many times the same request was sent before.
    pub attempt: u32,
    /// In whose name.
    pub by: Caller,
    /// Just before the first byte was sent.
    pub sent: Micros,
    /// When the answer was complete, or when it was given up. An [`Got::Unknown`] call may take effect even later, or
    /// never.
    pub ended: Micros,
    /// What was asked.
    pub asked: Asked,
    /// What came back.
    pub got: Got,
}

/// In whose name a call is made, which is also whose cart it touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Caller {
    /// The guest of a journey.
    Guest(u64),
    /// A user, in whichever session.
    User(UserNo),
    /// The operator, or nobody in particular.
    Shop,
}

/// What was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// A search; its answer is timed, not judged.
    Search,
    /// A product's page: name and price may be a little old, by the store's policy.
    Product(ProductNo),
    /// A product's exact stock.
    Stock(ProductNo),
    /// A guest session.
    Open,
    /// A login; the caller is the guest.
    Login(UserNo),
    /// The cart.
    Cart,
    /// Set a line.
    Put {
        /// Of what.
        product: ProductNo,
        /// To how many.
        quantity: u32,
    },
    /// Take a line out.
    Remove(ProductNo),
    /// Check out.
    Place {
        /// The idempotency key.
        key: String,
        /// From which zone's stock.
        zone: ZoneNo,
        /// The total that the buyer was shown, if the call said it.
        expect_total: Option<i64>,
    },
    /// Pay.
    Pay(OrderId),
    /// Cancel.
    Cancel(OrderId),
    /// One order.
    Order(OrderId),
    /// A page of the caller's history.
    History {
        /// At most so many.
        limit: u32,
        /// The cursor that the page before gave.
        cursor: Option<String>,
    },
    /// The operator sets a price.
    Reprice {
        /// Of what.
        product: ProductNo,
        /// In minor units.
        price: i64,
    },
    /// The operator adds stock.
    Restock {
        /// Of what.
        product: ProductNo,
        /// Where.
        zone: ZoneNo,
        /// How many.
        units: u32,
    },
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Got {
    /// It was done, and the answer says nothing that is judged.
    Done,
    /// A cart.
    Cart(CartSeen),
    /// An order; `created` if this call says it made it (201), not if it repeats an earlier answer (200).
    Order {
        /// As it is told.
        order: OrderSeen,
        /// 201 and not 200.
        created: bool,
    },
    /// A page of orders.
    Orders {
        /// In the order of the page.
        items: Vec<OrderSeen>,
        /// The next page's cursor.
        next: Option<String>,
    },
    /// A product's price, and its units by zone where the answer has them.
    Product {
        /// In minor units.
        price: i64,
        /// By [`ZoneNo`]; zones that the run does not use are left out.
        stock: Vec<u32>,
    },
    /// Exact units by [`ZoneNo`].
    Stock(Vec<u32>),
    /// The store understood and said no (4xx).
    Refused {
        /// HTTP status.
        status: u16,
        /// The problem's stable code.
        code: String,
        /// For `insufficient_stock`: what is left of what.
        left: Vec<(ProductId, u32)>,
    },
    /// Nobody knows whether it was done.
    Unknown(Why),
}

/// Why nobody knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Why {
    /// No connection came about.
    NotConnected,
    /// The connection broke before the whole answer was there.
    Cut,
    /// No answer in time.
    TimedOut,
    /// 503 with `Retry-After`: the store had no time.
    Busy,
    /// Another 5xx.
    Failed(u16),
    /// An answer that is not what the API promises.
    Garbled,
}

/// A cart as it was shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CartSeen {
    /// Its lines; a product that is none of the run's has no number.
    pub lines: Vec<CartLine>,
    /// The total, in minor units.
    pub total: i64,
    /// Where a login shows it: what of the guest's cart did not come along because the user's had no line left.
    pub left_out: Vec<ProductId>,
}

/// A line of a cart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CartLine {
    /// Of what.
    pub product: ProductId,
    /// How many.
    pub quantity: u32,
    /// At which price each.
    pub price: i64,
}

/// An order as it was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderSeen {
    /// Its id.
    pub id: OrderId,
    /// Where it is in its life.
    pub status: OrderStatus,
    /// The zone whose stock it took.
    pub zone: String,
    /// What was bought.
    pub items: Vec<OrderLine>,
    /// In minor units.
    pub total: i64,
    /// As told, RFC 3339; equal orders have equal texts.
    pub created_at: String,
}

/// A line of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderLine {
    /// What.
    pub product: ProductId,
    /// How many.
    pub quantity: u32,
    /// At which price each.
    pub price: i64,
}

impl Asked {
    /// The stable name that it is counted under.
    pub const fn operation(&self) -> Operation {
        match self {
            Asked::Search => Operation::CatalogSearch,
            Asked::Product(_) => Operation::CatalogProduct,
            Asked::Stock(_) => Operation::CatalogStock,
            Asked::Open => Operation::SessionOpen,
            Asked::Login(_) => Operation::SessionLogin,
            Asked::Cart => Operation::CartGet,
            Asked::Put { .. } => Operation::CartPut,
            Asked::Remove(_) => Operation::CartRemove,
            Asked::Place { .. } => Operation::OrderPlace,
            Asked::Pay(_) => Operation::OrderAdvance,
            Asked::Cancel(_) => Operation::OrderCancel,
            Asked::Order(_) => Operation::OrderStatus,
            Asked::History { .. } => Operation::OrderHistory,
            Asked::Reprice { .. } => Operation::CatalogUpsert,
            Asked::Restock { .. } => Operation::CatalogAdjust,
        }
    }
}
