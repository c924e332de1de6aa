//! Calls about orders, checkout first of all.
//!
//! Our order ids hold the moment of their making, so whoever knows the id knows `created_at` and its period too.

use super::{About, Call, Knows, Touch, Whose, call, carts, catalog, touch};
use crate::area::Area;
use crate::entity::Entity;
use crate::layout::model::Form;
use crate::operation::Operation;
use crate::placing::OwnerToCart;

const USER: (&str, Knows) = ("user_id", Knows::Value);
const ID: (&str, Knows) = ("order_id", Knows::Value);
const CREATED: (&str, Knows) = ("created_at", Knows::Value);
const PERIOD: (&str, Knows) = ("period", Knows::Value);
const STATUS: (&str, Knows) = ("status", Knows::Value);
const ZONE: (&str, Knows) = ("geo_zone", Knows::Value);
const ANY_ZONE: (&str, Knows) = ("geo_zone", Knows::AnyZone);

/// The size of a cart that stands for an ordinary one: with the default categories, one item of each.
const USUAL_LINES: usize = 4;

pub(super) fn calls(form: Form, found: OwnerToCart) -> Vec<Call> {
    let orders = |knows: &[(&'static str, Knows)]| touch(Entity::Orders, Whose::User, knows);
    let by_buyer = || orders(&[USER, ID, CREATED, PERIOD, ANY_ZONE]);
    let by_operator = || orders(&[ID, CREATED, PERIOD, ANY_ZONE]);
    let mut calls = place(form, found);
    calls.extend([
        call(Operation::OrderStatus, "by its buyer", by_buyer()),
        call(Operation::OrderStatus, "by an operator, who has the id alone", by_operator()),
        call(Operation::OrderHistory, "by user", orders(&[USER, ANY_ZONE])),
        call(
            Operation::OrderList,
            "in a zone and period",
            orders(&[ZONE, ("created_at", Knows::Span), STATUS]),
        ),
        call(Operation::OrderList, "without a filter", orders(&[ANY_ZONE])),
        call(Operation::OrderAdvance, "by its buyer, who pays", by_buyer()),
        call(Operation::OrderAdvance, "by an operator, who has the id alone", by_operator()),
        call(Operation::OrderCancel, "by its buyer", by_buyer()),
        call(Operation::OrderCancel, "by an operator, who has the id alone", by_operator()),
        call(Operation::OrderCancel, "return of one item's stock", catalog::stock_in_zone(0)),
    ]);
    calls
}

fn place(form: Form, found: OwnerToCart) -> Vec<Call> {
    let mut calls = vec![
        call(Operation::OrderPlace, "the new order", new_order()),
        call(Operation::OrderPlace, "the idempotency key", order_key()),
        call(Operation::OrderPlace, "write-off of one item", catalog::stock_in_zone(0)),
    ];
    if form == Form::Apart {
        calls.push(call(Operation::OrderPlace, "name and price of one item", catalog::product_in_zone(0)));
    }
    calls.push(call(Operation::OrderPlace, "the user's cart", carts::cart(found, Whose::User)));
    if found == OwnerToCart::LookedUp {
        let shape = "the way from owner to cart";
        calls.push(call(Operation::OrderPlace, shape, carts::cart_owner(Whose::User)));
    }
    calls.push(checkout(1, "a checkout of 1 item", form, found));
    calls.push(checkout(USUAL_LINES, "a checkout of 4 items in several categories", form, found));
    calls
}

/// Everything that one checkout touches.
fn checkout(items: usize, shape: &'static str, form: Form, found: OwnerToCart) -> Call {
    let mut touches = vec![new_order(), order_key(), carts::cart(found, Whose::User)];
    if found == OwnerToCart::LookedUp {
        touches.push(carts::cart_owner(Whose::User));
    }
    touches.extend((0..items).map(catalog::stock_in_zone));
    if form == Form::Apart {
        touches.extend((0..items).map(catalog::product_in_zone));
    }
    Call { operation: Operation::OrderPlace, about: About::Checkout(items), shape, touches }
}

fn new_order() -> Touch {
    touch(Entity::Orders, Whose::User, &[USER, ID, CREATED, PERIOD, STATUS, ZONE])
}

fn order_key() -> Touch {
    touch(Area::OrderKeys, Whose::User, &[USER])
}
