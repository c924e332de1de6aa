//! The promises of [`crate::saga::Saga`] over an engine's carts and ledger, when a checkout dies half-way.

pub mod overtaken;

use super::World;
use super::fixture::{Shop, new_key, refused};
use crate::cart::Owner;
use crate::checkout::{CLAIM_LIFE, Claim, PlaceOrder};
use crate::error::{Error, Refusal};
use crate::ids::UserId;
use crate::ports::Checkout;

chapter! { $ conformance_saga in saga:
    a_claim_left_behind_is_given_back_after_a_void,
    a_claim_whose_order_exists_is_marked_ordered,
    a_young_claim_is_left_alone,
    a_retry_takes_over_its_own_claim,
    a_retry_after_the_order_finds_it_and_the_sweep_ends_the_cart,
    a_sleeper_and_the_sweep_have_one_winner,
    a_late_twin_does_not_end_the_next_cart,
}

/// The order that a checkout places under this claim.
fn order_under(shop: &Shop, user: UserId, claim: &Claim) -> PlaceOrder {
    PlaceOrder {
        user,
        key: claim.key.clone(),
        request: shop.request(),
        cart: claim.cart.id,
        claim: claim.no,
        lines: claim.cart.lines.clone(),
    }
}

async fn claimed(shop: &Shop, user: UserId) -> Claim {
    shop.carts().claim(Owner::User(user), &new_key()).await.expect("a free cart is claimed")
}

async fn sweep(shop: &Shop) {
    shop.saga().sweep(1_000).await.expect("the sweep runs");
}

async fn is_active(shop: &Shop, user: UserId) -> bool {
    shop.carts().active(Owner::User(user)).await.expect("carts are readable").is_some()
}

async fn a_claim_left_behind_is_given_back_after_a_void(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let user = UserId::generate();
    shop.cart_of(user, &[(&product, 1)]).await;
    let claim = claimed(&shop, user).await;
    shop.clock.advance(CLAIM_LIFE * 2);
    sweep(&shop).await;
    let late = shop.ledger().place(order_under(&shop, user, &claim)).await;
    assert_eq!(refused(late, "the sleeper wakes"), Refusal::ClaimVoided);
    assert!(is_active(&shop, user).await, "the cart is the buyer's again");
    let placed = shop.saga().check_out(user, &claim.key, &shop.request()).await;
    assert!(!placed.expect("the same key may sell it, under a new claim").repeated);
    assert_eq!(shop.pieces(product.id).await, 4, "sold once");
}

async fn a_claim_whose_order_exists_is_marked_ordered(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let user = UserId::generate();
    shop.cart_of(user, &[(&product, 1)]).await;
    let claim = claimed(&shop, user).await;
    shop.ledger().place(order_under(&shop, user, &claim)).await.expect("it is in stock");
    shop.clock.advance(CLAIM_LIFE * 2);
    sweep(&shop).await;
    assert!(!is_active(&shop, user).await, "the cart was sold, so it is ordered");
    let next = shop.cart_of(user, &[(&product, 1)]).await;
    assert!(next.id != claim.cart.id && next.lines.len() == 1, "the buyer goes on with a new one");
}

async fn a_young_claim_is_left_alone(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let user = UserId::generate();
    shop.cart_of(user, &[(&product, 1)]).await;
    let claim = claimed(&shop, user).await;
    sweep(&shop).await;
    shop.ledger().place(order_under(&shop, user, &claim)).await.expect("the checkout goes on");
}

async fn a_retry_takes_over_its_own_claim(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let user = UserId::generate();
    shop.cart_of(user, &[(&product, 1)]).await;
    let claim = claimed(&shop, user).await;
    let other = shop.saga().check_out(user, &new_key(), &shop.request()).await;
    assert_eq!(refused(other, "another key while the claim is young"), Refusal::CartBusy);
    let retry = shop.saga().check_out(user, &claim.key, &shop.request()).await;
    assert!(!retry.expect("the same key goes on").repeated);
    assert!(!is_active(&shop, user).await, "the cart is sold");
}

async fn a_retry_after_the_order_finds_it_and_the_sweep_ends_the_cart(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let user = UserId::generate();
    shop.cart_of(user, &[(&product, 1)]).await;
    let claim = claimed(&shop, user).await;
    let order = shop.ledger().place(order_under(&shop, user, &claim)).await.expect("it is in stock").order;
    let retry = shop.saga().check_out(user, &claim.key, &shop.request()).await.expect("the order is found");
    assert_eq!((retry.order.id, retry.repeated), (order.id, true));
    shop.clock.advance(CLAIM_LIFE * 2);
    sweep(&shop).await;
    assert!(!is_active(&shop, user).await, "nothing is left to be sold again");
    assert_eq!(shop.pieces(product.id).await, 4, "sold once");
}

async fn a_sleeper_and_the_sweep_have_one_winner(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 50).await;
    for round in 0..8 {
        let user = UserId::generate();
        shop.cart_of(user, &[(&product, 1)]).await;
        let claim = claimed(&shop, user).await;
        let before = shop.pieces(product.id).await;
        shop.clock.advance(CLAIM_LIFE * 2);
        let order = order_under(&shop, user, &claim);
        let (woken, ()) = shop
            .race(
                move |shop| async move { shop.ledger().place(order).await },
                |shop| async move { sweep(&shop).await },
            )
            .await;
        let taken = before - shop.pieces(product.id).await;
        match woken {
            Ok(_) => {
                assert_eq!((taken, is_active(&shop, user).await), (1, false), "round {round}: sold and gone");
            }
            Err(Error::Refused(Refusal::ClaimVoided)) => {
                assert_eq!(
                    (taken, is_active(&shop, user).await),
                    (0, true),
                    "round {round}: unsold and back"
                );
            }
            Err(error) => panic!("round {round}: placed or voided, not {error:?}"),
        }
    }
}

/// Two equal checkouts: one sells the cart, the buyer fills the next, and only then the other comes to its claim
/// and gets that next cart. The key has made its order, but not of this cart.
async fn a_late_twin_does_not_end_the_next_cart(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let (user, key) = (UserId::generate(), new_key());
    shop.cart_of(user, &[(&product, 1)]).await;
    shop.saga().check_out(user, &key, &shop.request()).await.expect("the first twin sells the cart");
    let next = shop.cart_of(user, &[(&product, 2)]).await;
    let late =
        shop.carts().claim(Owner::User(user), &key).await.expect("the second twin claims the next one");
    assert_eq!(late.cart.id, next.id);
    shop.clock.advance(CLAIM_LIFE * 2);
    sweep(&shop).await;
    let cart = shop.carts().active(Owner::User(user)).await.expect("carts are readable");
    assert_eq!(
        cart.map(|cart| cart.lines),
        Some(next.lines),
        "the next cart was never sold, so it is still there"
    );
    let placed = shop.saga().check_out(user, &new_key(), &shop.request()).await;
    placed.expect("and another key may sell it");
}
