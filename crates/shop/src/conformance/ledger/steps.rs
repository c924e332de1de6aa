//! The life of an order goes along the arrows, and cancelling gives the stock back once.

use crate::conformance::World;
use crate::conformance::fixture::{Shop, refused};
use crate::error::{Refusal, Result};
use crate::ids::{OrderId, UserId};
use crate::order::{Order, OrderRef, OrderStatus};
use crate::product::{Product, ProductDraft};

chapter! { $ conformance_ledger_steps in ledger::steps:
    legal_steps_are_taken_and_all_others_refused,
    advance_does_not_cancel,
    cancelling_returns_the_stock,
    cancels_at_once_return_the_stock_once,
    cancelling_finds_a_product_that_has_moved_or_is_withdrawn,
    steps_at_once_are_taken_once,
    another_users_order_is_not_found,
}

async fn step(shop: &Shop, order: OrderRef, to: OrderStatus) -> Result<Order> {
    match to {
        OrderStatus::Cancelled => shop.ledger().cancel(order).await,
        _ => shop.ledger().advance(order, to).await,
    }
}

/// An order of one piece that has been led to this status.
async fn order_in(shop: &Shop, product: &Product, status: OrderStatus) -> Order {
    let way: &[OrderStatus] = match status {
        OrderStatus::Created => &[],
        OrderStatus::Paid => &[OrderStatus::Paid],
        OrderStatus::Shipped => &[OrderStatus::Paid, OrderStatus::Shipped],
        OrderStatus::Delivered => &[OrderStatus::Paid, OrderStatus::Shipped, OrderStatus::Delivered],
        OrderStatus::Cancelled => &[OrderStatus::Cancelled],
    };
    let mut order = shop.ordered(UserId::generate(), &[(product, 1)]).await;
    for to in way {
        let next =
            step(shop, OrderRef { id: order.id, user: None }, *to).await.expect("a legal step is taken");
        assert!(next.updated_at > order.updated_at, "the write time grows with each step");
        order = next;
    }
    order
}

async fn legal_steps_are_taken_and_all_others_refused(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 100).await;
    for from in OrderStatus::ALL {
        for to in OrderStatus::ALL {
            let order = order_in(&shop, &product, from).await;
            let pieces = shop.pieces(product.id).await;
            let answer = step(&shop, OrderRef { id: order.id, user: Some(order.user_id) }, to).await;
            if from.next().contains(&to) {
                let answer = answer.expect("a legal step is taken");
                assert_eq!(answer.status, to);
                assert_eq!(shop.order_now(&order).await, answer, "what the step answers is what is stored");
            } else {
                assert_eq!(refused(answer, "an illegal step"), Refusal::IllegalTransition { from, to });
                assert_eq!(shop.order_now(&order).await, order, "{from} to {to}: nothing changed");
                assert_eq!(shop.pieces(product.id).await, pieces, "{from} to {to}: no stock moved");
            }
        }
    }
}

async fn advance_does_not_cancel(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let order = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    let answer = shop.ledger().advance(OrderRef { id: order.id, user: None }, OrderStatus::Cancelled).await;
    assert!(answer.is_err(), "advance must not cancel: the stock would be lost");
    assert_eq!(shop.order_now(&order).await.status, OrderStatus::Created);
}

async fn cancelling_returns_the_stock(world: &World) {
    let shop = world.shop().await;
    let (a, b) = (shop.stocked(1, 5).await, shop.stocked(2, 5).await);
    for status in [OrderStatus::Created, OrderStatus::Paid] {
        let order = shop.ordered(UserId::generate(), &[(&a, 2), (&b, 5)]).await;
        let found = OrderRef { id: order.id, user: Some(order.user_id) };
        if status == OrderStatus::Paid {
            shop.ledger().advance(found, OrderStatus::Paid).await.expect("it is paid");
        }
        assert_eq!((shop.pieces(a.id).await, shop.pieces(b.id).await), (3, 0));
        let cancelled = shop.ledger().cancel(found).await.expect("it may be cancelled");
        assert_eq!(cancelled.status, OrderStatus::Cancelled);
        assert_eq!((shop.pieces(a.id).await, shop.pieces(b.id).await), (5, 5), "cancelled from {status}");
    }
}

async fn cancels_at_once_return_the_stock_once(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let order = shop.ordered(UserId::generate(), &[(&product, 3)]).await;
    let found = OrderRef { id: order.id, user: None };
    let answers = shop.at_once(8, |_, shop| async move { shop.ledger().cancel(found).await }).await;
    let (done, refusals): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!(done.len(), 1, "one of them cancels");
    for answer in refusals {
        let (from, to) = (OrderStatus::Cancelled, OrderStatus::Cancelled);
        assert_eq!(refused(answer, "a second cancel"), Refusal::IllegalTransition { from, to });
    }
    assert_eq!(shop.pieces(product.id).await, 5, "the stock came back once");
}

async fn cancelling_finds_a_product_that_has_moved_or_is_withdrawn(world: &World) {
    let shop = world.shop().await;
    let (moved, gone) = (shop.stocked(1, 5).await, shop.stocked(2, 5).await);
    let order = shop.ordered(UserId::generate(), &[(&moved, 2), (&gone, 2)]).await;
    let draft = ProductDraft { category: shop.category(3), ..shop.draft(77) };
    shop.catalog().upsert(moved.id, draft).await.expect("the category changes after the sale");
    shop.catalog().withdraw(gone.id).await.expect("the other is withdrawn after the sale");
    shop.ledger().cancel(OrderRef { id: order.id, user: None }).await.expect("the order may be cancelled");
    assert_eq!(
        (shop.pieces(moved.id).await, shop.pieces(gone.id).await),
        (5, 5),
        "both have their stock back"
    );
}

async fn steps_at_once_are_taken_once(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 50).await;
    for _ in 0..6 {
        let order = order_in(&shop, &product, OrderStatus::Paid).await;
        let found = OrderRef { id: order.id, user: None };
        let before = shop.pieces(product.id).await;
        let (shipped, cancelled) = shop
            .race(
                move |shop| async move { shop.ledger().advance(found, OrderStatus::Shipped).await },
                move |shop| async move { shop.ledger().cancel(found).await },
            )
            .await;
        assert!(
            shipped.is_ok() != cancelled.is_ok(),
            "shipped {shipped:?} or cancelled {cancelled:?}, not both"
        );
        let back = u32::from(cancelled.is_ok());
        assert_eq!(
            shop.pieces(product.id).await,
            before + back,
            "stock comes back only from a cancelled order"
        );
    }
}

async fn another_users_order_is_not_found(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let order = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    let own = OrderRef { id: order.id, user: Some(order.user_id) };
    assert_eq!(shop.ledger().order(own).await.expect("orders are readable"), Some(order.clone()));
    let id = OrderId::at(shop.now(), [7; 8]);
    let strangers = [OrderRef { id: order.id, user: Some(UserId::generate()) }, OrderRef { id, user: None }];
    for stranger in strangers {
        assert_eq!(shop.ledger().order(stranger).await.expect("orders are readable"), None);
        let refusal = Refusal::OrderNotFound(stranger.id);
        assert_eq!(refused(shop.ledger().cancel(stranger).await, "another's order"), refusal);
        let paid = shop.ledger().advance(stranger, OrderStatus::Paid).await;
        assert_eq!(refused(paid, "another's order"), refusal);
    }
    assert_eq!(shop.order_now(&order).await, order, "nothing changed");
}
