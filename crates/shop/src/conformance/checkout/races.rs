//! Checkouts that meet: other buyers, equal tries, other keys, the buyer's own edits.

use std::collections::BTreeSet;

use crate::cart::Owner;
use crate::conformance::World;
use crate::conformance::fixture::goods::{put_line, quantity_in};
use crate::conformance::fixture::{new_key, refused};
use crate::error::{Error, Refusal};
use crate::ids::{OrderId, UserId};
use crate::order::OrderQuery;

chapter! { $ conformance_checkout_races in checkout::races:
    the_last_piece_is_fought_over_and_sold_once,
    equal_checkouts_at_once_make_one_order,
    one_cart_is_not_sold_by_two_keys_at_once,
    puts_during_a_checkout_are_sold_or_stay,
    merges_during_a_checkout_are_sold_or_stay,
}

async fn the_last_piece_is_fought_over_and_sold_once(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 1).await;
    let users: Vec<UserId> = (0..20).map(|_| UserId::generate()).collect();
    for user in &users {
        shop.cart_of(*user, &[(&product, 1)]).await;
    }
    let answers = shop
        .at_once(20, |i, shop| {
            let user = users[i];
            async move { shop.checkout().check_out(user, &new_key(), &shop.request()).await }
        })
        .await;
    let (sold, refusals): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!(sold.len(), 1, "one piece, one buyer");
    for answer in refusals {
        let refusal = refused(answer, "the piece is gone");
        assert!(matches!(refusal, Refusal::InsufficientStock(_)), "{refusal:?}");
    }
    assert_eq!(shop.pieces(product.id).await, 0);
    for user in users {
        let cart = shop.carts().active(Owner::User(user)).await.expect("carts are readable");
        let orders = shop.ledger().list(&OrderQuery::default()).await.expect("orders are readable").items;
        let bought = orders.iter().any(|order| order.user_id == user);
        assert_eq!(quantity_in(cart.as_ref(), product.id), u32::from(!bought), "sold, or still in the cart");
    }
}

async fn equal_checkouts_at_once_make_one_order(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 50).await;
    for round in 0..6 {
        let (user, key) = (UserId::generate(), new_key());
        shop.cart_of(user, &[(&product, 1)]).await;
        let answers = shop
            .at_once(6, |_, shop| {
                let key = key.clone();
                async move { shop.checkout().check_out(user, &key, &shop.request()).await }
            })
            .await;
        let placed: Vec<_> =
            answers.into_iter().map(|answer| answer.expect("equal checkouts get the one order")).collect();
        let ids: BTreeSet<OrderId> = placed.iter().map(|placed| placed.order.id).collect();
        assert_eq!(ids.len(), 1, "round {round}: one order");
        assert_eq!(placed.iter().filter(|placed| !placed.repeated).count(), 1, "round {round}: made once");
        assert_eq!(shop.pieces(product.id).await, 49 - round, "the stock was taken once");
        assert_eq!(shop.carts().active(Owner::User(user)).await.expect("carts are readable"), None);
    }
}

async fn one_cart_is_not_sold_by_two_keys_at_once(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 50).await;
    for round in 0..6 {
        let user = UserId::generate();
        shop.cart_of(user, &[(&product, 1)]).await;
        let answers = shop
            .at_once(4, |_, shop| async move {
                shop.checkout().check_out(user, &new_key(), &shop.request()).await
            })
            .await;
        let (sold, refusals): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
        assert_eq!(sold.len(), 1, "round {round}: one cart, one order");
        for answer in refusals {
            let refusal = refused(answer, "a second sale of one cart");
            assert!(matches!(refusal, Refusal::CartBusy | Refusal::CartEmpty), "{refusal:?}");
        }
        assert_eq!(shop.pieces(product.id).await, 49 - round, "round {round}: the stock was taken once");
    }
}

async fn puts_during_a_checkout_are_sold_or_stay(world: &World) {
    let shop = world.shop().await;
    let mut products = Vec::new();
    for _ in 0..6 {
        products.push(shop.stocked(1_000, 1_000).await);
    }
    for round in 0..6 {
        let user = UserId::generate();
        shop.cart_of(user, &[(&products[0], 1)]).await;
        // Task 0 checks out; the others put one product each, and say whether it was done.
        let answers = shop
            .at_once(6, |i, shop| {
                let line = put_line(&products[i], 1);
                async move {
                    if i == 0 {
                        let placed = shop.checkout().check_out(user, &new_key(), &shop.request()).await;
                        return (Some(placed.expect("the cart holds what is in stock").order), true);
                    }
                    match shop.carts().put(&shop.user_buyer(user), line).await {
                        Ok(_) => (None, true),
                        Err(Error::Refused(Refusal::CartBusy)) => (None, false),
                        Err(error) => panic!("a put during a checkout is done or busy, not {error:?}"),
                    }
                }
            })
            .await;
        let order = answers[0].0.as_ref().expect("the first task checks out");
        let cart = shop.carts().active(Owner::User(user)).await.expect("carts are readable");
        for (product, (_, done)) in products.iter().zip(&answers) {
            let sold = order.items.iter().filter(|item| item.product_id == product.id).count();
            let left = quantity_in(cart.as_ref(), product.id) as usize;
            assert_eq!(
                sold + left,
                usize::from(*done),
                "round {round}: sold {sold}, left {left}, put done: {done}"
            );
        }
    }
}

async fn merges_during_a_checkout_are_sold_or_stay(world: &World) {
    let shop = world.shop().await;
    let (own, brought) = (shop.stocked(1_000, 1_000).await, shop.stocked(1_000, 1_000).await);
    for round in 0..6 {
        let (user, guest) = (UserId::generate(), crate::SessionId::generate());
        shop.cart_of(user, &[(&own, 1)]).await;
        let put = shop.carts().put(&shop.guest_buyer(guest), put_line(&brought, 2)).await;
        put.expect("the guest puts");
        let (placed, merged) = shop
            .race(
                move |shop| async move { shop.checkout().check_out(user, &new_key(), &shop.request()).await },
                move |shop| async move { shop.carts().merge(guest, &shop.user_buyer(user)).await },
            )
            .await;
        let order = placed.expect("the cart holds what is in stock").order;
        if let Err(error) = merged {
            assert_eq!(
                error.refusal(),
                Some(&Refusal::CartBusy),
                "a merge during a checkout is done or busy"
            );
        }
        let again = shop.carts().merge(guest, &shop.user_buyer(user)).await.expect("a retried merge");
        let sold: u32 =
            order.items.iter().filter(|item| item.product_id == brought.id).map(|item| item.quantity).sum();
        let left = quantity_in(again.cart.as_ref(), brought.id);
        assert_eq!(sold + left, 2, "round {round}: what the guest brought was sold or is there, once");
        assert_eq!(quantity_in(again.cart.as_ref(), own.id), 0, "round {round}: what was sold is gone");
    }
}
