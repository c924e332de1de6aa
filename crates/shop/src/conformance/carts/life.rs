//! How carts end: sold, given up, or forgotten.

use std::time::Duration;

use super::merge::{active, merge, put};
use crate::cart::{Cart, CartStatus, Owner};
use crate::conformance::World;
use crate::conformance::fixture::Shop;
use crate::conformance::fixture::{new_key, refused};
use crate::error::Refusal;
use crate::ids::{ProductId, SessionId, UserId};
use crate::time::Timestamp;

chapter! { $ conformance_carts_life in carts::life:
    a_marked_cart_is_gone_and_the_next_put_starts_another,
    a_late_mark_does_not_touch_the_next_cart,
    an_expired_cart_is_invisible_at_once,
    an_expired_cart_cannot_be_sold_or_merged,
    expire_deletes_what_is_over_and_nothing_else,
    every_put_moves_the_expiry_on,
}

async fn must_be_active(shop: &Shop, owner: Owner) -> Cart {
    active(shop, owner).await.expect("the owner has a cart")
}

/// When a cart expires; for one that never does, a moment after which it must still be there.
fn end_of(cart: &Cart, created: Timestamp) -> (Timestamp, bool) {
    match cart.expires_at {
        Some(end) => (end, true),
        None => (created.plus(Duration::from_secs(3650 * 86_400)), false),
    }
}

async fn a_marked_cart_is_gone_and_the_next_put_starts_another(world: &World) {
    let shop = world.shop().await;
    for status in [CartStatus::Ordered, CartStatus::Abandoned] {
        let owner = Owner::User(UserId::generate());
        let (first_product, second_product) = (ProductId::generate(), ProductId::generate());
        put(&shop, owner, first_product, 1).await;
        let first = must_be_active(&shop, owner).await;
        for _ in 0..2 {
            shop.carts().mark(owner, first.id, status).await.expect("a mark, and a repeat of it");
            assert_eq!(active(&shop, owner).await, None, "a cart that is {status} is not active");
        }
        put(&shop, owner, second_product, 1).await;
        let second = must_be_active(&shop, owner).await;
        assert!(second.generation > first.generation, "the next cart is of a later generation");
        assert!(second.id != first.id, "with an id of its own");
        assert_eq!(second.lines.len(), 1, "and nothing of the old one in it");
    }
}

async fn a_late_mark_does_not_touch_the_next_cart(world: &World) {
    let shop = world.shop().await;
    let owner = Owner::User(UserId::generate());
    put(&shop, owner, ProductId::generate(), 1).await;
    let first = must_be_active(&shop, owner).await;
    shop.carts().mark(owner, first.id, CartStatus::Ordered).await.expect("a mark");
    put(&shop, owner, ProductId::generate(), 1).await;
    let second = must_be_active(&shop, owner).await;
    shop.carts().mark(owner, first.id, CartStatus::Ordered).await.expect("a late repeat");
    shop.carts().mark(owner, first.id, CartStatus::Abandoned).await.expect("a late mark of another kind");
    assert_eq!(active(&shop, owner).await, Some(second), "the cart of now is untouched");
}

async fn an_expired_cart_is_invisible_at_once(world: &World) {
    let shop = world.shop().await;
    for owner in [Owner::Guest(SessionId::generate()), Owner::User(UserId::generate())] {
        put(&shop, owner, ProductId::generate(), 1).await;
        let cart = must_be_active(&shop, owner).await;
        let (end, expires) = end_of(&cart, shop.now());
        shop.clock.advance(Duration::from_micros((end.micros() - shop.now().micros() - 1).unsigned_abs()));
        assert_eq!(active(&shop, owner).await, Some(cart.clone()), "a moment before its end it is there");
        shop.pass(end);
        let after = active(&shop, owner).await;
        if !expires {
            assert_eq!(after, Some(cart), "a cart without an end is there for ever");
            continue;
        }
        assert_eq!(after, None, "a moment after its end it is not");
        let product = ProductId::generate();
        put(&shop, owner, product, 2).await;
        let next = must_be_active(&shop, owner).await;
        assert_eq!(next.lines.len(), 1, "the next put starts another cart");
        assert!(next.id != cart.id, "with an id of its own: the old one may have been sold");
    }
}

async fn an_expired_cart_cannot_be_sold_or_merged(world: &World) {
    let shop = world.shop().await;
    let (guest, user) = (SessionId::generate(), UserId::generate());
    put(&shop, Owner::Guest(guest), ProductId::generate(), 1).await;
    let cart = must_be_active(&shop, Owner::Guest(guest)).await;
    let Some(end) = cart.expires_at else { return };
    shop.pass(end);
    let claim = shop.carts().claim(Owner::Guest(guest), &new_key()).await;
    assert_eq!(refused(claim, "a claim of a cart whose time is over"), Refusal::CartEmpty);
    let merged = merge(&shop, guest, user).await;
    assert!(merged.cart.is_none_or(|cart| cart.lines.is_empty()), "its lines do not come back by a merge");
    let removed = shop.carts().remove(Owner::Guest(guest), cart.lines[0].product_id).await;
    assert_eq!(removed.expect("a remove from no cart"), None, "nor by a remove");
}

async fn expire_deletes_what_is_over_and_nothing_else(world: &World) {
    let shop = world.shop().await;
    let (old, young) = (Owner::Guest(SessionId::generate()), Owner::Guest(SessionId::generate()));
    put(&shop, old, ProductId::generate(), 1).await;
    let old_cart = must_be_active(&shop, old).await;
    let Some(end) = old_cart.expires_at else { return };
    shop.pass(end);
    put(&shop, young, ProductId::generate(), 1).await;
    let young_cart = must_be_active(&shop, young).await;
    let mut deleted = 0;
    loop {
        let count = shop.carts().expire(10).await.expect("the sweep runs");
        assert!(count <= 10, "no more than asked");
        deleted += count;
        if count == 0 {
            break;
        }
    }
    assert!(deleted >= 1, "the old cart is deleted");
    assert_eq!(active(&shop, young).await, Some(young_cart), "the young one is there");
    put(&shop, old, ProductId::generate(), 1).await;
    let next = must_be_active(&shop, old).await;
    assert_eq!(next.lines.len(), 1, "its owner starts anew");
    // A cart is sold once, so an id that came twice would make a cart that cannot be sold.
    assert!(next.id != old_cart.id, "no id comes a second time, although the old record is gone");
}

async fn every_put_moves_the_expiry_on(world: &World) {
    let shop = world.shop().await;
    let owner = Owner::Guest(SessionId::generate());
    put(&shop, owner, ProductId::generate(), 1).await;
    let Some(first) = must_be_active(&shop, owner).await.expires_at else { return };
    shop.clock.advance(Duration::from_secs(60));
    put(&shop, owner, ProductId::generate(), 1).await;
    let second = must_be_active(&shop, owner).await.expires_at.expect("it still expires");
    assert!(second >= first.plus(Duration::from_secs(60)), "a cart in use lives on: {first} then {second}");
    shop.pass(first);
    assert_eq!(must_be_active(&shop, owner).await.lines.len(), 2, "with all its lines");
}
