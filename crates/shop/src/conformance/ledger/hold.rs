//! Orders that nobody pays give their stock back when the store's hold is over.

use std::time::Duration;

use super::payments::refunds;
use crate::conformance::World;
use crate::conformance::fixture::{Shop, refused};
use crate::error::Refusal;
use crate::ids::UserId;
use crate::order::{OrderRef, OrderStatus};

chapter! { $ conformance_ledger_hold in ledger::hold:
    an_unpaid_order_is_cancelled_when_its_hold_is_over,
    only_unpaid_orders_are_cancelled,
    a_hold_of_zero_lasts_for_ever,
    no_more_orders_are_cancelled_than_asked,
    sweepers_at_once_return_the_stock_once,
    payment_against_sweeper_has_one_winner,
}

async fn sweep(shop: &Shop, limit: usize) -> usize {
    let count = shop.ledger().cancel_unpaid(limit).await.expect("the sweep runs");
    assert!(count <= limit, "{count} cancelled of at most {limit}");
    count
}

async fn an_unpaid_order_is_cancelled_when_its_hold_is_over(world: &World) {
    let shop = world.shop_with(|settings| settings.order_hold = Duration::from_secs(600)).await;
    let product = shop.stocked(10_000, 5).await;
    let order = shop.ordered(UserId::generate(), &[(&product, 2)]).await;
    shop.clock.advance(Duration::from_secs(599));
    sweep(&shop, 1_000).await;
    assert_eq!(shop.order_now(&order).await, order, "a second before the end it is held");
    shop.clock.advance(Duration::from_secs(2));
    assert!(sweep(&shop, 1_000).await >= 1, "a second after the end it is cancelled");
    assert_eq!(shop.order_now(&order).await.status, OrderStatus::Cancelled);
    assert_eq!(shop.pieces(product.id).await, 5, "its stock is back");
    sweep(&shop, 1_000).await;
    assert_eq!(shop.pieces(product.id).await, 5, "and comes back once only");
}

async fn only_unpaid_orders_are_cancelled(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 10).await;
    let paid = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    shop.ledger().pay(paid.id, shop.payment_of(&paid)).await.expect("it is paid");
    let shipped = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    for to in [OrderStatus::Paid, OrderStatus::Shipped] {
        shop.ledger().advance(OrderRef { id: shipped.id, user: None }, to).await.expect("a legal step");
    }
    shop.clock.advance(shop.settings.order_hold * 3);
    let young = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    sweep(&shop, 1_000).await;
    for (order, status) in
        [(paid, OrderStatus::Paid), (shipped, OrderStatus::Shipped), (young, OrderStatus::Created)]
    {
        assert_eq!(shop.order_now(&order).await.status, status, "it stays {status}");
    }
    assert_eq!(shop.pieces(product.id).await, 7);
}

async fn a_hold_of_zero_lasts_for_ever(world: &World) {
    let shop = world.shop_with(|settings| settings.order_hold = Duration::ZERO).await;
    let product = shop.stocked(10_000, 5).await;
    let order = shop.ordered(UserId::generate(), &[(&product, 2)]).await;
    shop.clock.advance(Duration::from_secs(3650 * 86_400));
    assert_eq!(sweep(&shop, 1_000).await, 0, "nothing is ever cancelled");
    assert_eq!(shop.order_now(&order).await, order);
}

async fn no_more_orders_are_cancelled_than_asked(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 7).await;
    for _ in 0..7 {
        shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    }
    shop.clock.advance(shop.settings.order_hold * 2);
    while sweep(&shop, 2).await > 0 {}
    assert_eq!(shop.pieces(product.id).await, 7, "all of them in the end");
}

async fn sweepers_at_once_return_the_stock_once(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 12).await;
    for _ in 0..12 {
        shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    }
    shop.clock.advance(shop.settings.order_hold * 2);
    shop.at_once(4, |_, shop| async move { sweep(&shop, 100).await }).await;
    while sweep(&shop, 100).await > 0 {}
    assert_eq!(shop.pieces(product.id).await, 12, "each order gave its piece back once");
}

async fn payment_against_sweeper_has_one_winner(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    for round in 0..8 {
        let order = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
        shop.clock.advance(shop.settings.order_hold * 2);
        let before = shop.pieces(product.id).await;
        let (since, payment) = (shop.last_event().await, shop.payment_of(&order));
        let (id, sent) = (order.id, payment.clone());
        let (paid, _) = shop
            .race(
                move |shop| async move { shop.ledger().pay(id, sent).await },
                |shop| async move { sweep(&shop, 1_000).await },
            )
            .await;
        let now = shop.order_now(&order).await.status;
        let due = refunds(&shop, since.as_ref(), &order).await;
        let back = shop.pieces(product.id).await - before;
        match now {
            OrderStatus::Paid => {
                paid.expect("the payment won, so it was accepted");
                assert_eq!((due.len(), back), (0, 0), "round {round}: no refund, no stock back");
                shop.ledger().cancel(OrderRef { id, user: None }).await.expect("for the next round");
            }
            OrderStatus::Cancelled => {
                assert_eq!(refused(paid, "the sweeper won"), Refusal::OrderCancelled(id));
                assert_eq!(
                    (due, back),
                    (vec![payment], 1),
                    "round {round}: the refund is due, the stock back"
                );
            }
            status => panic!("round {round}: an order that was paid and swept is {status}"),
        }
    }
}
