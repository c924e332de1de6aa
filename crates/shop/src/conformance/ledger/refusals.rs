//! When an order is refused nothing has changed, and the refusal says what to do.

use std::sync::Arc;

use crate::checkout::{PlaceOrder, Request};
use crate::conformance::World;
use crate::conformance::fixture::{Shop, refused};
use crate::error::{Refusal, Shortage};
use crate::ids::{ProductId, UserId};
use crate::product::{Product, ProductDraft};

chapter! { $ conformance_ledger_refusals in ledger::refusals:
    a_shortage_names_each_item_and_changes_nothing,
    a_refusal_does_not_use_the_key_up,
    the_same_key_with_another_body_is_refused,
    another_total_than_expected_is_refused_with_the_new_one,
    without_an_expected_total_the_present_price_is_charged,
    a_changed_category_is_no_shortage,
    a_product_that_is_not_sold_is_named,
}

async fn refusal(shop: &Arc<Shop>, order: PlaceOrder, why: &str) -> Refusal {
    let (user, key) = (order.user, order.key.clone());
    let refusal = refused(shop.ledger().place(order).await, why);
    let placed = shop.ledger().placed(user, &key).await.expect("keys are readable");
    assert_eq!(placed, None, "{why}: no order was made");
    refusal
}

async fn a_shortage_names_each_item_and_changes_nothing(world: &World) {
    let shop = world.shop().await;
    let (plenty, few, none) = (shop.stocked(1, 10).await, shop.stocked(2, 2).await, shop.stocked(3, 0).await);
    let order = shop.order_of(UserId::generate(), &[(&plenty, 4), (&few, 3), (&none, 1)]);
    let refusal = refusal(&shop, order, "an order of more than there is").await;
    let Refusal::InsufficientStock(mut shortages) = refusal else { panic!("a shortage, not {refusal:?}") };
    let short =
        |product: &Product, requested, available| Shortage { product_id: product.id, requested, available };
    let mut wanted = vec![short(&few, 3, 2), short(&none, 1, 0)];
    shortages.sort_by_key(|shortage| shortage.product_id);
    wanted.sort_by_key(|shortage| shortage.product_id);
    assert_eq!(shortages, wanted, "each short item with what is left, and no other");
    for (product, pieces) in [(&plenty, 10), (&few, 2), (&none, 0)] {
        assert_eq!(shop.pieces(product.id).await, pieces, "nothing was taken");
    }
}

async fn a_refusal_does_not_use_the_key_up(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 1).await;
    let order = shop.order_of(UserId::generate(), &[(&product, 2)]);
    refusal(&shop, order.clone(), "two pieces of one").await;
    shop.ledger().adjust(product.id, &shop.zone(0), 1).await.expect("another piece comes");
    let placed = shop.ledger().place(order).await.expect("now there are two");
    assert!(!placed.repeated, "the refused try was no order");
}

async fn the_same_key_with_another_body_is_refused(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 10).await;
    let order = shop.order_of(UserId::generate(), &[(&product, 1)]);
    let first = shop.ledger().place(order.clone()).await.expect("it is in stock").order;
    let bodies = [
        Request { zone: shop.zone(1), expect_total: None },
        Request { zone: shop.zone(0), expect_total: Some(first.total) },
    ];
    for request in bodies {
        let other = PlaceOrder { request, ..order.clone() };
        let refusal = refused(shop.ledger().place(other).await, "the same key with another body");
        assert_eq!(refusal, Refusal::IdempotencyMismatch);
    }
    assert_eq!(shop.pieces(product.id).await, 9, "only the first order took stock");
}

async fn another_total_than_expected_is_refused_with_the_new_one(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 10).await;
    shop.catalog().upsert(product.id, shop.draft(12_000)).await.expect("the price rises");
    let mut order = shop.order_of(UserId::generate(), &[(&product, 2)]);
    order.request.expect_total = Some(shop.money(20_000));
    let refusal = refusal(&shop, order.clone(), "an order at the old price").await;
    assert_eq!(refusal, Refusal::PriceChanged { total: shop.money(24_000), expected: shop.money(20_000) });
    assert_eq!(shop.pieces(product.id).await, 10, "nothing was taken");
    order.request.expect_total = Some(shop.money(24_000));
    let placed = shop.ledger().place(order).await.expect("the same key with the new total is sold");
    assert_eq!((placed.order.total, placed.repeated), (shop.money(24_000), false));
}

async fn without_an_expected_total_the_present_price_is_charged(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 10).await;
    let renamed = ProductDraft { name: format!("{} new name", shop.tag), ..shop.draft(8_000) };
    shop.catalog().upsert(product.id, renamed.clone()).await.expect("the price falls");
    let order = shop.ordered(UserId::generate(), &[(&product, 3)]).await;
    assert_eq!((order.total, order.items[0].price), (shop.money(24_000), shop.money(8_000)));
    assert_eq!(order.items[0].name, renamed.name, "the name is the present one, too");
}

async fn a_changed_category_is_no_shortage(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 10).await;
    let moved = ProductDraft { category: shop.category(2), ..shop.draft(10_000) };
    shop.catalog().upsert(product.id, moved).await.expect("the category changes");
    // The line still says the old category: it is only a hint.
    let order = shop.ordered(UserId::generate(), &[(&product, 4)]).await;
    assert_eq!(order.items[0].category, shop.category(2), "the order holds the present category");
    assert_eq!(shop.pieces(product.id).await, 6);
}

async fn a_product_that_is_not_sold_is_named(world: &World) {
    let shop = world.shop().await;
    let (good, gone) = (shop.stocked(1, 10).await, shop.stocked(2, 10).await);
    shop.catalog().withdraw(gone.id).await.expect("it is withdrawn");
    let order = shop.order_of(UserId::generate(), &[(&good, 1), (&gone, 1)]);
    assert_eq!(refusal(&shop, order, "a withdrawn product").await, Refusal::NotForSale(gone.id));
    let never = Product { id: ProductId::generate(), ..good.clone() };
    let order = shop.order_of(UserId::generate(), &[(&good, 1), (&never, 1)]);
    assert_eq!(refusal(&shop, order, "an unknown product").await, Refusal::ProductNotFound(never.id));
    assert_eq!(shop.pieces(good.id).await, 10, "nothing was taken");
}
