//! What each operation of the shop knows when it touches each area.
//!
//! This is the one table of its kind: explanations run it through the router, and engines must not ask more shards
//! than it says.

use crate::area::Area;
use crate::operation::Operation;
use crate::placement::Placement;

mod carts;
mod catalog;
mod orders;
mod sessions;

/// One way in which an operation reaches the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The operation.
    pub operation: Operation,
    /// What it is about.
    pub about: About,
    /// The way it is called, in a few words.
    pub shape: &'static str,
    /// Everything it touches; never empty.
    pub touches: Vec<Touch>,
}

/// What a call is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// One area.
    Area(Area),
    /// Everything that a checkout of this many items touches in one transaction.
    Checkout(usize),
}

/// One access to an area.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    /// The area.
    pub area: Area,
    /// Whose record it is.
    pub whose: Whose,
    /// The fields that the call knows, and how well.
    pub knows: Vec<(&'static str, Knows)>,
}

/// Whose record a call touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The user's own: cart, orders, session, account.
    User,
    /// A guest's: a session without a user.
    Guest,
    /// The product on this line of the cart, counted from zero; calls about one product have the first.
    Line(usize),
}

/// How well a call knows a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Knows {
    /// Its value.
    Value,
    /// Only that it is one of the store's zones, so all of them are named.
    AnyZone,
    /// A stretch in which it lies: a price range, a period.
    Span,
}

/// Every call of every operation, in the order of [`Operation::ALL`]. The first of an operation is the access to its
/// leading area as the API makes it, with the hints that clients normally give; accesses to other areas and rarer ways
/// of calling follow.
pub fn calls(placement: &Placement) -> Vec<Call> {
    let mut calls = catalog::calls(placement.form());
    calls.extend(carts::calls(placement.owner_to_cart()));
    calls.extend(orders::calls(placement.form(), placement.owner_to_cart()));
    calls.extend(sessions::calls(placement.owner_to_cart()));
    calls
}

/// A call that touches one area once.
fn call(operation: Operation, shape: &'static str, touch: Touch) -> Call {
    Call { operation, about: About::Area(touch.area), shape, touches: vec![touch] }
}

fn touch(area: impl Into<Area>, whose: Whose, knows: &[(&'static str, Knows)]) -> Touch {
    Touch { area: area.into(), whose, knows: knows.to_vec() }
}

#[cfg(test)]
mod tests;
