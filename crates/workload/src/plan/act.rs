//! One operation as it is planned: before anybody knows an id, a token or an answer.

use std::time::Duration;

use mworld_shop::Operation;

use crate::stage::{ProductNo, UserNo, ZoneNo};

/// Operation *n* of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// Its number.
    pub n: u64,
    /// When it is due, counted from the beginning of the run.
    pub at: Duration,
    /// The journey that it is a step of. Steps of one journey share a session and come in the order of their numbers.
    pub journey: u64,
    /// Whose session the journey has *before this step*.
    pub buyer: Buyer,
    /// The zone of the journey: where its session is opened and its orders are placed.
    pub zone: ZoneNo,
    /// What is done.
    pub act: Act,
}

/// Whose session it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Buyer {
    /// A guest's, opened by the journey's own `session.open` step.
    Guest,
    /// A user's: one that set-up has logged in, or, later in a guest's journey, the one that the guest has logged in as.
    User(UserNo),
    /// The shop's operator, who changes prices and restocks.
    Operator,
}

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// `catalog.search`
    Search(Search),
    /// `catalog.product`
    Product(ProductNo),
    /// `catalog.stock`
    Stock(ProductNo),
    /// `session.open`: the first step of a guest's journey.
    Open,
    /// `session.login`: the guest's cart is merged into this user's.
    Login(UserNo),
    /// `cart.get`
    Cart,
    /// `cart.put`
    Put {
        /// Of what.
        product: ProductNo,
        /// How many there are afterwards.
        quantity: u32,
    },
    /// `cart.remove`
    Remove(ProductNo),
    /// `order.place`: check the cart out.
    Place,
    /// `order.advance` as a buyer: pay for the journey's last order.
    Pay,
    /// `order.cancel`: the journey's last order.
    Cancel,
    /// `order.status`: the journey's last order, or the user's newest.
    Status,
    /// `order.history`: the newest page.
    History {
        /// How many orders a page has.
        limit: u32,
    },
    /// `catalog.upsert` by the operator: a new price, in thousandths of the first one.
    Reprice {
        /// Of what.
        product: ProductNo,
        /// 1000 = the price at the beginning.
        per_mille: u32,
    },
    /// `catalog.adjust` by the operator: so many more in the zone of the step.
    Restock {
        /// Of what.
        product: ProductNo,
        /// How many come in.
        units: u32,
    },
}

/// A search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// In this category.
    pub category: String,
    /// Only what is in stock in the journey's zone.
    pub in_zone: bool,
    /// From this price on, in minor units.
    pub min_price: Option<i64>,
    /// Up to this price.
    pub max_price: Option<i64>,
    /// Cheapest first, dearest first or newest first, as the API names them.
    pub sort: &'static str,
}

impl Act {
    /// The stable name that it is counted under.
    pub const fn operation(&self) -> Operation {
        match self {
            Act::Search(_) => Operation::CatalogSearch,
            Act::Product(_) => Operation::CatalogProduct,
            Act::Stock(_) => Operation::CatalogStock,
            Act::Open => Operation::SessionOpen,
            Act::Login(_) => Operation::SessionLogin,
            Act::Cart => Operation::CartGet,
            Act::Put { .. } => Operation::CartPut,
            Act::Remove(_) => Operation::CartRemove,
            Act::Place => Operation::OrderPlace,
            Act::Pay => Operation::OrderAdvance,
            Act::Cancel => Operation::OrderCancel,
            Act::Status => Operation::OrderStatus,
            Act::History { .. } => Operation::OrderHistory,
            Act::Reprice { .. } => Operation::CatalogUpsert,
            Act::Restock { .. } => Operation::CatalogAdjust,
        }
    }
}
