//! Voiding a key up to a claim: a checkout that slept cannot wake and sell.

use crate::checkout::{ClaimNo, PlaceOrder};
use crate::conformance::World;
use crate::conformance::fixture::refused;
use crate::error::Refusal;
use crate::ids::UserId;

chapter! { $ conformance_ledger_void in ledger::void:
    after_a_void_the_claim_is_refused_and_the_next_is_allowed,
    a_lower_void_takes_nothing_back,
    a_void_of_a_placed_key_gives_the_order,
    a_void_touches_only_its_own_user_and_key,
    either_the_void_or_the_order_comes_first,
}

async fn after_a_void_the_claim_is_refused_and_the_next_is_allowed(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 10).await;
    let order = shop.order_of(UserId::generate(), &[(&product, 1)]);
    let voided = shop.ledger().void(order.user, &order.key, ClaimNo(3)).await.expect("a void is written");
    assert_eq!(voided, None, "there was no order");
    for no in 1..=3 {
        let late = PlaceOrder { claim: ClaimNo(no), ..order.clone() };
        let refusal = refused(shop.ledger().place(late).await, "an order under a voided claim");
        assert_eq!(refusal, Refusal::ClaimVoided, "claim {no} of 3");
    }
    assert_eq!(shop.pieces(product.id).await, 10, "nothing was taken");
    let next = PlaceOrder { claim: ClaimNo(4), ..order };
    shop.ledger().place(next).await.expect("the next claim of the same key is allowed");
    assert_eq!(shop.pieces(product.id).await, 9);
}

async fn a_lower_void_takes_nothing_back(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 10).await;
    let order = shop.order_of(UserId::generate(), &[(&product, 1)]);
    for through in [5, 5, 2] {
        let voided = shop.ledger().void(order.user, &order.key, ClaimNo(through)).await;
        assert_eq!(voided.expect("a void may be repeated"), None);
    }
    let late = PlaceOrder { claim: ClaimNo(5), ..order };
    assert_eq!(refused(shop.ledger().place(late).await, "claim 5 was voided first"), Refusal::ClaimVoided);
}

async fn a_void_of_a_placed_key_gives_the_order(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 10).await;
    let order = shop.order_of(UserId::generate(), &[(&product, 1)]);
    let placed = shop.ledger().place(order.clone()).await.expect("it is in stock").order;
    let voided = shop.ledger().void(order.user, &order.key, ClaimNo(1)).await.expect("a void is answered");
    assert_eq!(voided.map(|made| made.order), Some(placed.clone()), "too late: the order is the answer");
    let again = shop.ledger().place(order).await.expect("a repeat still gets the order");
    assert_eq!((again.order.id, again.repeated), (placed.id, true));
}

async fn a_void_touches_only_its_own_user_and_key(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 10).await;
    let user = UserId::generate();
    let (voided, other) = (shop.order_of(user, &[(&product, 1)]), shop.order_of(user, &[(&product, 1)]));
    let mut stranger = shop.order_of(UserId::generate(), &[(&product, 1)]);
    stranger.key = voided.key.clone();
    shop.ledger().void(user, &voided.key, ClaimNo(9)).await.expect("a void is written");
    shop.ledger().place(other).await.expect("another key of the same user is free");
    shop.ledger().place(stranger).await.expect("the same key of another user is free");
}

async fn either_the_void_or_the_order_comes_first(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 100).await;
    for round in 0..12 {
        let order = shop.order_of(UserId::generate(), &[(&product, 1)]);
        let (user, key) = (order.user, order.key.clone());
        let before = shop.pieces(product.id).await;
        let (placed, voided) = shop
            .race(
                |shop| async move { shop.ledger().place(order).await },
                |shop| async move {
                    shop.ledger().void(user, &key, ClaimNo(1)).await.expect("a void is answered")
                },
            )
            .await;
        let taken = before - shop.pieces(product.id).await;
        match voided {
            Some(found) => {
                let placed = placed.expect("the void saw the order, so it was placed");
                assert_eq!((placed.order.id, taken), (found.order.id, 1), "round {round}");
            }
            None => {
                let refusal = refused(placed, "the void saw no order, so none may come");
                assert_eq!((refusal, taken), (Refusal::ClaimVoided, 0), "round {round}");
            }
        }
    }
}
