//! Calls about sessions and accounts.

use super::{Call, Knows, Whose, call, carts, touch};
use crate::entity::Entity;
use crate::operation::Operation;
use crate::placing::OwnerToCart;

pub(super) fn calls(found: OwnerToCart) -> Vec<Call> {
    let session = || touch(Entity::Sessions, Whose::Guest, &[("session_id", Knows::Value)]);
    let new_session = ["session_id", "user_id", "geo_zone"].map(|field| (field, Knows::Value));
    let account = || touch(Entity::Accounts, Whose::User, &[("email", Knows::Value)]);
    let mut calls = vec![
        call(Operation::SessionOpen, "the new session", touch(Entity::Sessions, Whose::Guest, &new_session)),
        call(Operation::SessionTouch, "by its token", session()),
        call(Operation::SessionLogin, "the session, by its token", session()),
        call(Operation::SessionLogin, "the account, by e-mail", account()),
        carts::merge(found, Operation::SessionLogin),
    ];
    if found == OwnerToCart::LookedUp {
        calls.push(carts::merge_owners(Operation::SessionLogin));
    }
    calls.push(call(Operation::SessionClose, "by its token", session()));
    calls.push(call(Operation::AccountCreate, "the new account, by e-mail", account()));
    calls
}
