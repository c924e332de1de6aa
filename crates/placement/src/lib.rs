//! Where things live: layouts, shard keys, ordering and hashing, ranges, routing.
//!
//! Everything here is a pure function of its arguments. There is no I/O, no clock, no random source and no database:
//! the same code explains a layout, routes for the embedded store and plans for a real cluster. Keys sort and hash
//! exactly as in MongoDB, so all three agree on which shard holds what.
//!
//! ```
//! use mworld_placement::{Constraint, Domain, Route, ShardKey, Value, initial};
//!
//! // Orders by the hash of their buyer, over four shards.
//! let (orders, _) = initial(&ShardKey::hashed("user_id"), &[], &[], 4, &Domain::default());
//! let buyer = Value::from("a buyer");
//!
//! let history = orders.route(&[("user_id", Constraint::Eq(buyer.clone()))]);
//! assert_eq!(history.route, Route::One(orders.shard_of(&[buyer])));
//!
//! let list = orders.route(&[("geo_zone", Constraint::Eq(Value::from("msk")))]);
//! assert_eq!(list.route.len(), 4);
//! assert_eq!(
//!     list.reason.of(orders.key()).to_string(),
//!     "the call does not know user_id, with which {user_id: \"hashed\"} begins"
//! );
//! ```

mod area;
mod calls;
mod check;
pub mod diagnostic;
mod domain;
mod entity;
mod explain;
mod hash;
mod initial;
mod key;
pub mod layout;
mod operation;
mod placement;
mod placing;
mod range_map;
mod route;
pub mod touched;
mod value;

pub use area::Area;
pub use calls::{About, Call, Knows, Touch, Whose, calls};
pub use domain::Domain;
pub use entity::Entity;
pub use explain::{Checkout, Explanation, Reach, Row, explain};
pub use hash::hashed;
pub use initial::{Bent, ZonePlace, initial, zone_places};
pub use key::{KeyField, Order, ShardKey};
pub use layout::model::{Form, Layout};
pub use operation::Operation;
pub use placement::{Note, OtherKey, Placement};
pub use placing::{COMPOSITE_SEPARATOR, OrderKeysAt, OwnerToCart, composite_value, key_values, placing_key};
pub use range_map::{Range, RangeMap, RangeMapError, ShardId};
pub use route::{Constraint, Known, Reason, Route, Routed};
pub use value::Value;
