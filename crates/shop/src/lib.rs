//! What is sold: products, carts, orders, sessions; their rules; and the ports that engines implement.
//!
//! This crate knows no database, no network and no async runtime. Decisions are pure functions here; an engine
//! is a thin, honest use of a real database behind the traits of [`ports`], and the conformance suite (feature
//! `conformance`) defines what every engine must do.
//!
//! ```
//! use mworld_shop::{Currency, Money};
//!
//! let price = Money::new(1_299_000, Currency::RUB)?;
//! assert_eq!(price.times(2)?.to_string(), "25980.00 RUB");
//! # Ok::<(), mworld_shop::MoneyError>(())
//! ```

pub mod cart;
pub mod checkout;
mod error;
pub mod event;
mod ids;
mod money;
mod name;
mod operation;
pub mod order;
mod page;
pub mod ports;
pub mod product;
pub mod saga;
pub mod search;
pub mod session;
mod settings;
mod store;
mod time;

#[cfg(feature = "conformance")]
pub mod conformance;

pub use self::error::{EngineError, EngineErrorKind, Error, Refusal, Result, Shortage};
pub use self::ids::{CartId, OrderId, ProductId, SessionId, UserId};
pub use self::money::{Currency, InvalidCurrency, Money, MoneyError};
pub use self::name::{Category, InvalidName, Zone};
pub use self::operation::Operation;
pub use self::page::{ListId, Page, PageSize, Position};
pub use self::settings::{CartLimits, Named, Settings};
pub use self::store::{LoggedIn, Store, StoreParts};
pub use self::time::{Clock, InvalidTimestamp, ManualClock, SystemClock, Timestamp};
