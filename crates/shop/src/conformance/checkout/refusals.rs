//! A checkout that is refused leaves cart, stock and key as they were.

use crate::cart::{Cart, Owner};
use crate::checkout::IdempotencyKey;
use crate::conformance::World;
use crate::conformance::fixture::{Shop, new_key, refused};
use crate::error::{Refusal, Shortage};
use crate::ids::UserId;

chapter! { $ conformance_checkout_refusals in checkout::refusals:
    an_empty_cart_is_refused,
    a_shortage_names_each_item_and_changes_nothing,
    a_withdrawn_product_is_named_and_removing_it_helps,
    a_refusal_does_not_use_the_key_up,
    a_sold_cart_is_empty_for_another_key,
}

async fn refusal(shop: &Shop, user: UserId, key: &IdempotencyKey, why: &str) -> Refusal {
    let before = cart(shop, user).await.map(|cart| cart.lines);
    let refusal = refused(shop.checkout().check_out(user, key, &shop.request()).await, why);
    assert_eq!(cart(shop, user).await.map(|cart| cart.lines), before, "{why}: the cart is as it was");
    let placed = shop.ledger().placed(user, key).await.expect("keys are readable");
    assert_eq!(placed, None, "{why}: no order was made");
    refusal
}

async fn cart(shop: &Shop, user: UserId) -> Option<Cart> {
    shop.carts().active(Owner::User(user)).await.expect("carts are readable")
}

async fn an_empty_cart_is_refused(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let user = UserId::generate();
    assert_eq!(refusal(&shop, user, &new_key(), "no cart").await, Refusal::CartEmpty);
    shop.cart_of(user, &[(&product, 1)]).await;
    shop.carts().remove(Owner::User(user), product.id).await.expect("a remove");
    assert_eq!(refusal(&shop, user, &new_key(), "a cart without lines").await, Refusal::CartEmpty);
}

async fn a_shortage_names_each_item_and_changes_nothing(world: &World) {
    let shop = world.shop().await;
    let (plenty, few, none) = (shop.stocked(1, 10).await, shop.stocked(2, 2).await, shop.stocked(3, 0).await);
    let user = UserId::generate();
    shop.cart_of(user, &[(&plenty, 4), (&few, 3), (&none, 1)]).await;
    let refusal = refusal(&shop, user, &new_key(), "more than there is").await;
    let Refusal::InsufficientStock(mut shortages) = refusal else { panic!("a shortage, not {refusal:?}") };
    shortages.sort_by_key(|shortage| shortage.requested);
    let wanted = [
        Shortage { product_id: none.id, requested: 1, available: 0 },
        Shortage { product_id: few.id, requested: 3, available: 2 },
    ];
    assert_eq!(shortages, wanted, "each short item with what is left, and no other");
    for (product, pieces) in [(&plenty, 10), (&few, 2), (&none, 0)] {
        assert_eq!(shop.pieces(product.id).await, pieces, "nothing was taken");
    }
}

async fn a_withdrawn_product_is_named_and_removing_it_helps(world: &World) {
    let shop = world.shop().await;
    let (good, gone) = (shop.stocked(1, 10).await, shop.stocked(2, 10).await);
    let (user, key) = (UserId::generate(), new_key());
    shop.cart_of(user, &[(&good, 1), (&gone, 1)]).await;
    shop.catalog().withdraw(gone.id).await.expect("it is withdrawn");
    assert_eq!(refusal(&shop, user, &key, "a withdrawn product").await, Refusal::NotForSale(gone.id));
    shop.carts().remove(Owner::User(user), gone.id).await.expect("the refused cart can be edited at once");
    let placed = shop.checkout().check_out(user, &key, &shop.request()).await.expect("the rest is sold");
    assert_eq!(placed.order.items.len(), 1);
}

async fn a_refusal_does_not_use_the_key_up(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 1).await;
    let (user, key) = (UserId::generate(), new_key());
    shop.cart_of(user, &[(&product, 2)]).await;
    for _ in 0..3 {
        refusal(&shop, user, &key, "two pieces of one").await;
    }
    shop.cart_of(user, &[(&product, 1)]).await;
    let placed = shop.checkout().check_out(user, &key, &shop.request()).await.expect("one piece of one");
    assert!(!placed.repeated, "the refused tries were no order");
}

async fn a_sold_cart_is_empty_for_another_key(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 10).await;
    let user = UserId::generate();
    shop.cart_of(user, &[(&product, 1)]).await;
    shop.checkout().check_out(user, &new_key(), &shop.request()).await.expect("it is in stock");
    assert_eq!(refusal(&shop, user, &new_key(), "the cart is sold").await, Refusal::CartEmpty);
    assert_eq!(shop.pieces(product.id).await, 9);
}
