//! One call turns the cart into an order, and a repeat gets the same one.

use crate::cart::Owner;
use crate::checkout::Request;
use crate::conformance::World;
use crate::conformance::fixture::goods::quantity_in;
use crate::conformance::fixture::{new_key, refused};
use crate::error::Refusal;
use crate::ids::UserId;
use crate::order::{OrderRef, OrderStatus};
use crate::product::ProductDraft;

chapter! { $ conformance_checkout_sale in checkout::sale:
    the_cart_becomes_an_order,
    the_buyer_goes_on_with_a_new_cart,
    a_repeat_gets_the_same_order,
    a_retry_after_a_lost_answer_gets_the_order_although_all_is_sold_out,
    a_retry_does_not_sell_the_next_cart,
    the_zone_of_the_request_decides_not_the_carts,
    a_category_changed_since_the_put_is_no_shortage,
    the_price_of_the_sale_is_charged,
}

async fn the_cart_becomes_an_order(world: &World) {
    let shop = world.shop().await;
    let (a, b) = (shop.stocked(10_000, 5).await, shop.stocked(7, 5).await);
    let user = UserId::generate();
    shop.cart_of(user, &[(&a, 2), (&b, 3)]).await;
    let placed = shop.checkout().check_out(user, &new_key(), &shop.request()).await.expect("it is in stock");
    assert!(!placed.repeated, "it is new");
    assert_eq!((placed.order.user_id, placed.order.status), (user, OrderStatus::Created));
    assert_eq!(placed.order.total, shop.money(20_021));
    assert_eq!((shop.pieces(a.id).await, shop.pieces(b.id).await), (3, 2), "the stock is written off");
    let found = shop.ledger().order(OrderRef { id: placed.order.id, user: Some(user) }).await;
    assert_eq!(found.expect("orders are readable"), Some(placed.order), "its buyer sees it at once");
    let cart = shop.carts().active(Owner::User(user)).await.expect("carts are readable");
    assert_eq!(cart, None, "the cart is sold");
}

async fn the_buyer_goes_on_with_a_new_cart(world: &World) {
    let shop = world.shop().await;
    let (a, b) = (shop.stocked(10_000, 5).await, shop.stocked(7, 5).await);
    let user = UserId::generate();
    let first = shop.cart_of(user, &[(&a, 1)]).await;
    shop.checkout().check_out(user, &new_key(), &shop.request()).await.expect("the first sale");
    let second = shop.cart_of(user, &[(&b, 1)]).await;
    assert!(second.id != first.id && second.lines.len() == 1, "the next cart is another one");
    let placed = shop.checkout().check_out(user, &new_key(), &shop.request()).await.expect("the second sale");
    assert_eq!(placed.order.items.len(), 1);
    assert_eq!(placed.order.items[0].product_id, b.id, "only what the second cart held");
}

async fn a_repeat_gets_the_same_order(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let (user, key) = (UserId::generate(), new_key());
    shop.cart_of(user, &[(&product, 1)]).await;
    let first = shop.checkout().check_out(user, &key, &shop.request()).await.expect("it is in stock");
    for _ in 0..3 {
        let again = shop.checkout().check_out(user, &key, &shop.request()).await.expect("a repeat");
        assert_eq!((&again.order, again.repeated), (&first.order, true));
    }
    assert_eq!(shop.pieces(product.id).await, 4, "the stock was taken once");
    let other = Request { zone: shop.zone(1), expect_total: None };
    let answer = shop.checkout().check_out(user, &key, &other).await;
    assert_eq!(refused(answer, "the same key with another body"), Refusal::IdempotencyMismatch);
}

async fn a_retry_after_a_lost_answer_gets_the_order_although_all_is_sold_out(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 3).await;
    let (user, key) = (UserId::generate(), new_key());
    shop.cart_of(user, &[(&product, 2)]).await;
    let first = shop.checkout().check_out(user, &key, &shop.request()).await.expect("this answer gets lost");
    let rival = UserId::generate();
    shop.cart_of(rival, &[(&product, 1)]).await;
    shop.checkout().check_out(rival, &new_key(), &shop.request()).await.expect("a rival takes the last one");
    shop.catalog().withdraw(product.id).await.expect("and the product is withdrawn");
    let again =
        shop.checkout().check_out(user, &key, &shop.request()).await.expect("the retry hears of its order");
    assert_eq!((again.order.id, again.repeated), (first.order.id, true));
}

async fn a_retry_does_not_sell_the_next_cart(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 10).await;
    let (user, key) = (UserId::generate(), new_key());
    shop.cart_of(user, &[(&product, 1)]).await;
    let first = shop.checkout().check_out(user, &key, &shop.request()).await.expect("it is in stock");
    shop.cart_of(user, &[(&product, 4)]).await;
    let again = shop.checkout().check_out(user, &key, &shop.request()).await.expect("a late retry");
    assert_eq!((again.order.id, again.repeated), (first.order.id, true));
    let cart = shop.carts().active(Owner::User(user)).await.expect("carts are readable");
    assert_eq!(quantity_in(cart.as_ref(), product.id), 4, "the next cart is untouched");
    assert_eq!(shop.pieces(product.id).await, 9);
}

async fn the_zone_of_the_request_decides_not_the_carts(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    shop.ledger().adjust(product.id, &shop.zone(1), 5).await.expect("pieces come to the second zone");
    let user = UserId::generate();
    let cart = shop.cart_of(user, &[(&product, 2)]).await;
    assert_eq!(cart.zone, shop.zone(0), "the cart came to be in the first zone");
    let there = Request { zone: shop.zone(1), expect_total: None };
    let placed = shop.checkout().check_out(user, &new_key(), &there).await.expect("it is in stock there");
    assert_eq!(placed.order.zone, shop.zone(1));
    assert_eq!((shop.pieces(product.id).await, shop.pieces_in(product.id, 1).await), (5, 3));
}

async fn a_category_changed_since_the_put_is_no_shortage(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let user = UserId::generate();
    shop.cart_of(user, &[(&product, 2)]).await;
    let moved = ProductDraft { category: shop.category(2), ..shop.draft(10_000) };
    shop.catalog().upsert(product.id, moved).await.expect("the category changes");
    let placed = shop.checkout().check_out(user, &new_key(), &shop.request()).await.expect("it is in stock");
    assert_eq!(placed.order.items[0].category, shop.category(2), "the present category");
    assert_eq!(shop.pieces(product.id).await, 3);
}

async fn the_price_of_the_sale_is_charged(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let user = UserId::generate();
    let cart = shop.cart_of(user, &[(&product, 2)]).await;
    shop.catalog().upsert(product.id, shop.draft(11_000)).await.expect("the price rises");
    let shown = shop.carts().active(Owner::User(user)).await.expect("carts are readable");
    let shown = shown.expect("the cart is there").total(shop.settings.currency).expect("a legal total");
    assert_eq!(
        shown,
        cart.total(shop.settings.currency).expect("a legal total"),
        "the cart shows the put's price"
    );
    let seen = Request { zone: shop.zone(0), expect_total: Some(shown) };
    let key = new_key();
    let refusal = refused(shop.checkout().check_out(user, &key, &seen).await, "the price has changed");
    assert_eq!(refusal, Refusal::PriceChanged { total: shop.money(22_000), expected: shown });
    let new = Request { expect_total: Some(shop.money(22_000)), ..seen };
    let placed = shop.checkout().check_out(user, &key, &new).await.expect("the new total, the same key");
    assert_eq!((placed.order.total, placed.repeated), (shop.money(22_000), false));
}
