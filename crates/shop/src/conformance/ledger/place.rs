//! Placing orders: once per key, once per cart, never more than there is.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::checkout::{ClaimNo, Made, Request};
use crate::conformance::World;
use crate::conformance::fixture::{new_key, refused};
use crate::error::Refusal;
use crate::ids::{OrderId, UserId};
use crate::order::{OrderRef, OrderStatus};
use crate::product::ProductDraft;

chapter! { $ conformance_ledger_place in ledger::place:
    an_order_is_a_snapshot_and_takes_its_stock,
    the_zone_of_the_request_decides,
    the_last_piece_is_sold_once,
    many_buyers_take_exactly_what_there_is,
    orders_of_several_products_at_once_do_not_block_each_other,
    equal_orders_at_once_make_one,
    a_repeat_gets_the_order_even_when_sold_out,
    the_same_key_of_another_user_is_another_key,
    one_cart_is_sold_once_whatever_the_key,
    placed_tells_what_a_key_has_made,
    order_ids_sort_by_time,
}

async fn an_order_is_a_snapshot_and_takes_its_stock(world: &World) {
    let shop = world.shop().await;
    let (a, b) = (shop.stocked(10_050, 5).await, shop.stocked(7, 5).await);
    let user = UserId::generate();
    let placed = shop.ledger().place(shop.order_of(user, &[(&a, 2), (&b, 3)])).await.expect("it is in stock");
    assert!(!placed.repeated, "it is new");
    let order = placed.order;
    assert_eq!((order.user_id, &order.zone, order.status), (user, &shop.zone(0), OrderStatus::Created));
    assert_eq!(order.total, shop.money(2 * 10_050 + 3 * 7), "the total is the sum of its items");
    assert_eq!(
        (order.created_at, order.id.created_at()),
        (shop.now(), shop.now()),
        "its time stands in its id"
    );
    for (product, quantity) in [(&a, 2), (&b, 3)] {
        let item =
            order.items.iter().find(|item| item.product_id == product.id).expect("each line is an item");
        assert_eq!((item.quantity, item.price, &item.name), (quantity, product.price, &product.name));
        assert_eq!(item.category, product.category);
        assert_eq!(shop.pieces(product.id).await, 5 - quantity, "the stock is written off");
    }
    assert_eq!(order.items.len(), 2);
    let dearer = ProductDraft { name: format!("{} renamed", shop.tag), ..shop.draft(99_999) };
    shop.catalog().upsert(a.id, dearer).await.expect("prices may change later");
    assert_eq!(shop.order_now(&order).await, order, "the order keeps the price and name it was sold at");
}

async fn the_zone_of_the_request_decides(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    shop.ledger().adjust(product.id, &shop.zone(1), 2).await.expect("pieces come to the second zone");
    let mut order = shop.order_of(UserId::generate(), &[(&product, 2)]);
    order.request = Request { zone: shop.zone(1), expect_total: None };
    let placed = shop.ledger().place(order).await.expect("the second zone has two pieces").order;
    assert_eq!(placed.zone, shop.zone(1));
    assert_eq!((shop.pieces(product.id).await, shop.pieces_in(product.id, 1).await), (5, 0));
}

async fn the_last_piece_is_sold_once(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 1).await;
    let answers = shop
        .at_once(24, |_, shop| {
            let order = shop.order_of(UserId::generate(), &[(&product, 1)]);
            async move { shop.ledger().place(order).await }
        })
        .await;
    let (sold, refusals): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!(sold.len(), 1, "one piece, one buyer");
    for answer in refusals {
        let refusal = refused(answer, "an order of what is gone");
        let Refusal::InsufficientStock(shortages) = refusal else { panic!("a shortage, not {refusal:?}") };
        assert_eq!((shortages[0].requested, shortages[0].available), (1, 0));
    }
    assert_eq!(shop.pieces(product.id).await, 0);
}

async fn many_buyers_take_exactly_what_there_is(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 20).await;
    let answers = shop
        .at_once(16, |i, shop| {
            let quantity = 1 + (i % 3) as u32;
            let order = shop.order_of(UserId::generate(), &[(&product, quantity)]);
            async move { shop.ledger().place(order).await.map(|_| quantity) }
        })
        .await;
    let sold: u32 = answers.iter().flatten().sum();
    assert_eq!(shop.pieces(product.id).await, 20 - sold, "what is sold and what is left make what there was");
    assert!(sold >= 18, "refused only when too little was left: {sold} of 20 sold");
}

async fn orders_of_several_products_at_once_do_not_block_each_other(world: &World) {
    let shop = world.shop().await;
    let (a, b, c) = (shop.stocked(1, 30).await, shop.stocked(2, 30).await, shop.stocked(3, 30).await);
    let answers = shop
        .at_once(15, |i, shop| {
            let goods =
                [[(&a, 1), (&b, 1), (&c, 1)], [(&c, 1), (&a, 1), (&b, 1)], [(&b, 1), (&c, 1), (&a, 1)]];
            let order = shop.order_of(UserId::generate(), &goods[i % 3]);
            async move { shop.ledger().place(order).await }
        })
        .await;
    for answer in answers {
        answer.expect("there is plenty, whatever the order of the lines");
    }
    for product in [&a, &b, &c] {
        assert_eq!(shop.pieces(product.id).await, 15);
    }
}

async fn equal_orders_at_once_make_one(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 10).await;
    let order = shop.order_of(UserId::generate(), &[(&product, 2)]);
    let answers = shop
        .at_once(12, |_, shop| {
            let order = order.clone();
            async move { shop.ledger().place(order).await.expect("equal orders get the one order") }
        })
        .await;
    let ids: BTreeSet<OrderId> = answers.iter().map(|placed| placed.order.id).collect();
    assert_eq!(ids.len(), 1, "one order");
    assert_eq!(answers.iter().filter(|placed| !placed.repeated).count(), 1, "made once, then repeated");
    assert_eq!(shop.pieces(product.id).await, 8, "the stock was taken once");
}

async fn a_repeat_gets_the_order_even_when_sold_out(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 3).await;
    let order = shop.order_of(UserId::generate(), &[(&product, 2)]);
    let first = shop.ledger().place(order.clone()).await.expect("it is in stock").order;
    shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    shop.catalog().withdraw(product.id).await.expect("it is withdrawn, too");
    let paid = shop.ledger().advance(OrderRef { id: first.id, user: None }, OrderStatus::Paid).await;
    paid.expect("the order has moved on meanwhile");
    let again = shop.ledger().place(order).await.expect("a repeat never hears of a shortage");
    assert_eq!((again.order.id, again.repeated), (first.id, true));
    assert_eq!(again.order.status, OrderStatus::Paid, "the order as it is now");
}

async fn the_same_key_of_another_user_is_another_key(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 3).await;
    let first = shop.order_of(UserId::generate(), &[(&product, 1)]);
    let mut second = shop.order_of(UserId::generate(), &[(&product, 1)]);
    second.key = first.key.clone();
    let first = shop.ledger().place(first).await.expect("it is in stock");
    let second = shop.ledger().place(second).await.expect("it is in stock");
    assert!(!second.repeated && second.order.id != first.order.id, "keys belong to their users");
}

async fn one_cart_is_sold_once_whatever_the_key(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 10).await;
    let order = shop.order_of(UserId::generate(), &[(&product, 1)]);
    let answers = shop
        .at_once(6, |i, shop| {
            let mut order = order.clone();
            order.key = new_key();
            order.claim = ClaimNo(1 + i as u64);
            async move { shop.ledger().place(order).await }
        })
        .await;
    let (sold, refusals): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!(sold.len(), 1, "one cart, one order");
    for answer in refusals {
        assert_eq!(refused(answer, "a second sale of one cart"), Refusal::CartEmpty);
    }
    assert_eq!(shop.pieces(product.id).await, 9);
}

async fn placed_tells_what_a_key_has_made(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 3).await;
    let order = shop.order_of(UserId::generate(), &[(&product, 1)]);
    let nothing = shop.ledger().placed(order.user, &order.key).await.expect("keys are readable");
    assert_eq!(nothing, None, "the key has made nothing yet");
    let made = shop.ledger().place(order.clone()).await.expect("it is in stock").order;
    let found = shop.ledger().placed(order.user, &order.key).await.expect("keys are readable");
    let expected = Made { order: made, request: order.request.clone(), cart: order.cart };
    assert_eq!(found, Some(expected), "the order, the request that made it and the cart that was sold");
    let stranger = shop.ledger().placed(UserId::generate(), &order.key).await.expect("keys are readable");
    assert_eq!(stranger, None, "keys belong to their users");
}

async fn order_ids_sort_by_time(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 100).await;
    let mut last = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    for step in [1, 1, 999, 1_000, 1_000_000, 86_400_000_000] {
        shop.clock.advance(Duration::from_micros(step));
        let next = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
        assert!(next.id > last.id, "an order placed {step} µs later sorts later");
        assert_eq!(next.id.created_at(), next.created_at);
        last = next;
    }
}
