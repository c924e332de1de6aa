//! What can go wrong: the shop says no, or an engine cannot answer.

use std::time::Duration;

use crate::ids::{OrderId, ProductId};
use crate::money::Money;
use crate::name::Zone;
use crate::order::OrderStatus;

/// The result of a shop operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation did not happen.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The shop's rules say no; nothing changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The engine could not do it.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Error {
    /// The refusal, if it is one.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Error::Refused(refusal) => Some(refusal),
            Error::Engine(_) => None,
        }
    }
}

/// One item that there is too little of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortage {
    /// The product.
    pub product_id: ProductId,
    /// Pieces asked for.
    pub requested: u32,
    /// Pieces left.
    pub available: u32,
}

/// The shop's rules say no. Nothing changed; the message names value, limit and next step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No product of that id.
    #[error("there is no product {0}; search the catalogue for its present id")]
    ProductNotFound(ProductId),
    /// The product is withdrawn.
    #[error("product {0} is no longer sold; remove it from the cart")]
    NotForSale(ProductId),
    /// A quantity outside its limits.
    #[error("quantity {given} is out of range; ask for 1 to {max} pieces")]
    InvalidQuantity {
        /// What was asked.
        given: i64,
        /// The limit.
        max: u32,
    },
    /// One line too many.
    #[error("the cart already has {limit} lines, the most it may hold; remove one first")]
    CartFull {
        /// The limit.
        limit: usize,
    },
    /// Nothing to sell.
    #[error("the cart is empty; put an item first")]
    CartEmpty,
    /// Another checkout holds the cart.
    #[error("a checkout of this cart is under way; try again in a second")]
    CartBusy,
    /// Too little stock.
    #[error("not enough stock for {} of the items; lower the quantities to what is available", .0.len())]
    InsufficientStock(Vec<Shortage>),
    /// Stock would fall below zero.
    #[error("zone {zone} has {available} pieces of product {product_id}; {delta} would take it below zero")]
    StockBelowZero {
        /// The product.
        product_id: ProductId,
        /// Where.
        zone: Zone,
        /// The change asked for.
        delta: i64,
        /// What is there.
        available: u32,
    },
    /// Stock would exceed what one record holds.
    #[error("{given} pieces are out of range; one zone holds 0 to {max} pieces of a product")]
    InvalidStock {
        /// What it would be.
        given: i64,
        /// The limit.
        max: u32,
    },
    /// The buyer expected another total.
    #[error("the total is now {total}, not {expected}; show the new prices and send the new total")]
    PriceChanged {
        /// The present total.
        total: Money,
        /// What the buyer expected.
        expected: Money,
    },
    /// The key was used for another request.
    #[error("this Idempotency-Key was used with another body; use a new key for a new order")]
    IdempotencyMismatch,
    /// The claim under which this order was to be placed has been voided.
    #[error("this checkout took too long and was called off; send it again with the same key")]
    ClaimVoided,
    /// A zone that the store does not have.
    #[error("there is no zone {given:?}; choose one of {known}")]
    UnknownZone {
        /// What was given.
        given: String,
        /// The store's zones.
        known: String,
    },
    /// A category that the store does not have.
    #[error("there is no category {given:?}; choose one of {known}")]
    UnknownCategory {
        /// What was given.
        given: String,
        /// The store's categories.
        known: String,
    },
    /// No such order, or another buyer's.
    #[error("there is no order {0} here; list the orders for their ids")]
    OrderNotFound(OrderId),
    /// A step that the order's life does not have.
    #[error("an order that is {from} cannot become {to}; {}", .from.next_steps())]
    IllegalTransition {
        /// Where it is.
        from: OrderStatus,
        /// Where it should have gone.
        to: OrderStatus,
    },
    /// Money came for an order that was cancelled.
    #[error("order {0} is cancelled; the payment is recorded as a refund due")]
    OrderCancelled(OrderId),
    /// Money came for an order that another payment had paid.
    #[error("order {0} is already paid by another payment; this one is recorded as a refund due")]
    AlreadyPaid(OrderId),
    /// The reference is that of another order's payment.
    #[error("this reference is that of the payment for order {0}; name this payment's own")]
    ReferenceTaken(OrderId),
    /// A payment of another amount than the order's.
    #[error("the order's total is {total}, the payment {paid}; pay exactly the total")]
    WrongAmount {
        /// What the order costs.
        total: Money,
        /// What came.
        paid: Money,
    },
    /// The e-mail has an account.
    #[error("this e-mail has an account; log in instead")]
    EmailTaken,
    /// The session is gone: expired, logged out, or its token replaced.
    #[error("the session is over; open a new one")]
    SessionOver,
    /// A field of a record breaks a rule.
    #[error("{field} {problem}")]
    Invalid {
        /// Which field.
        field: &'static str,
        /// Value, limit and next step.
        problem: String,
    },
    /// A cursor that was not made for this list.
    #[error("the cursor does not belong to this list; start again without a cursor")]
    BadCursor,
}

impl Refusal {
    /// A stable name for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::ProductNotFound(_) => "product_not_found",
            Refusal::NotForSale(_) => "not_for_sale",
            Refusal::InvalidQuantity { .. } => "invalid_quantity",
            Refusal::CartFull { .. } => "cart_full",
            Refusal::CartEmpty => "cart_empty",
            Refusal::CartBusy => "cart_busy",
            Refusal::InsufficientStock(_) | Refusal::StockBelowZero { .. } => "insufficient_stock",
            Refusal::InvalidStock { .. } => "invalid_stock",
            Refusal::PriceChanged { .. } => "price_changed",
            Refusal::IdempotencyMismatch => "idempotency_mismatch",
            Refusal::ClaimVoided => "checkout_called_off",
            Refusal::UnknownZone { .. } => "unknown_zone",
            Refusal::UnknownCategory { .. } => "unknown_category",
            Refusal::OrderNotFound(_) => "order_not_found",
            Refusal::IllegalTransition { .. } | Refusal::AlreadyPaid(_) => "illegal_transition",
            Refusal::OrderCancelled(_) => "order_cancelled",
            Refusal::ReferenceTaken(_) => "reference_taken",
            Refusal::WrongAmount { .. } => "wrong_amount",
            Refusal::EmailTaken => "email_taken",
            Refusal::SessionOver => "unauthorized",
            Refusal::Invalid { .. } => "invalid_body",
            Refusal::BadCursor => "bad_cursor",
        }
    }
}

/// How an engine failed, for those who must decide what to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineErrorKind {
    /// Too much to do; nothing was begun. Try again after a moment.
    Overloaded,
    /// No space left; nothing was written. Make room.
    StorageFull,
    /// It did not answer, or not in time; a write may or may not have happened.
    Unavailable,
    /// What is stored does not read as it should.
    Corrupt,
    /// A fault of ours.
    Internal,
}

/// The engine could not do it.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct EngineError {
    /// What callers branch on.
    pub kind: EngineErrorKind,
    /// For people.
    pub message: String,
    /// When it is worth trying again.
    pub retry_after: Option<Duration>,
}

impl EngineError {
    /// An error of this kind.
    pub fn new(kind: EngineErrorKind, message: impl Into<String>) -> EngineError {
        let retry_after = match kind {
            EngineErrorKind::Overloaded => Some(Duration::from_secs(1)),
            EngineErrorKind::StorageFull | EngineErrorKind::Unavailable => Some(Duration::from_secs(5)),
            EngineErrorKind::Corrupt | EngineErrorKind::Internal => None,
        };
        EngineError { kind, message: message.into(), retry_after }
    }
}
