//! Calls about carts. A caller always knows the cart's owner, and nothing else.

use super::{About, Call, Knows, Touch, Whose, call, catalog, touch};
use crate::area::Area;
use crate::entity::Entity;
use crate::operation::Operation;
use crate::placing::OwnerToCart;

pub(super) fn calls(found: OwnerToCart) -> Vec<Call> {
    let user = || cart(found, Whose::User);
    let mut calls = vec![
        call(Operation::CartGet, "a user's cart", user()),
        call(Operation::CartGet, "a guest's cart", cart(found, Whose::Guest)),
        call(Operation::CartPut, "a user's cart", user()),
        call(
            Operation::CartPut,
            "name and price of the item, by id and category",
            catalog::product_in_zone(0),
        ),
        call(Operation::CartPut, "name and price of the item, by id alone", catalog::product_by_id(0)),
        call(Operation::CartRemove, "a user's cart", user()),
        merge(found, Operation::CartMerge),
        call(Operation::CartMark, "a user's cart", user()),
    ];
    if found == OwnerToCart::LookedUp {
        let look_up = |operation| call(operation, "the way from owner to cart", cart_owner(Whose::User));
        calls.extend(
            [Operation::CartGet, Operation::CartPut, Operation::CartRemove, Operation::CartMark].map(look_up),
        );
        calls.push(merge_owners(Operation::CartMerge));
        calls.sort_by_key(|call| call.operation);
    }
    calls
}

/// An owner's active cart: by what follows from the owner, or by everything that the look-up tells about it.
pub(super) fn cart(found: OwnerToCart, whose: Whose) -> Touch {
    let from_owner = [("owner_key", Knows::Value), ("user_id", Knows::Value)];
    let from_look_up = ["cart_id", "session_id", "geo_zone", "status"].map(|field| (field, Knows::Value));
    match found {
        OwnerToCart::Computed => touch(Entity::Carts, whose, &from_owner),
        OwnerToCart::LookedUp => touch(Entity::Carts, whose, &[&from_owner[..], &from_look_up[..]].concat()),
    }
}

/// The look-up of an owner's cart.
pub(super) fn cart_owner(whose: Whose) -> Touch {
    touch(Area::CartOwners, whose, &[("owner_key", Knows::Value)])
}

/// Both carts of a merge.
pub(super) fn merge(found: OwnerToCart, operation: Operation) -> Call {
    Call {
        operation,
        about: About::Area(Entity::Carts.into()),
        shape: "the guest's cart and the user's, two owners",
        touches: vec![cart(found, Whose::User), cart(found, Whose::Guest)],
    }
}

/// The look-ups of both carts of a merge.
pub(super) fn merge_owners(operation: Operation) -> Call {
    Call {
        operation,
        about: About::Area(Area::CartOwners),
        shape: "the way from both owners to their carts",
        touches: vec![cart_owner(Whose::User), cart_owner(Whose::Guest)],
    }
}
