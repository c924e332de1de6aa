//! Payments: noted once, and money that came in vain is a refund due, never lost.

use crate::conformance::World;
use crate::conformance::fixture::{Shop, refused};
use crate::error::Refusal;
use crate::event::{EventId, Happened};
use crate::ids::{OrderId, UserId};
use crate::money::{Currency, Money};
use crate::order::{Order, OrderRef, OrderStatus, Payment};

chapter! { $ conformance_ledger_payments in ledger::payments:
    a_payment_is_noted_once,
    equal_payments_at_once_pay_once,
    a_repeated_payment_is_answered_after_the_order_has_moved_on,
    a_wrong_amount_is_refused_and_spends_no_reference,
    a_second_payment_is_a_refund_due,
    a_payment_for_a_cancelled_order_is_a_refund_due,
    a_payment_for_no_order_is_refused,
    money_for_a_cancelled_order_is_noted_whatever_the_amount,
    one_reference_pays_one_order,
}

/// The refunds due for this order among the events after that one.
pub(super) async fn refunds(shop: &Shop, since: Option<&EventId>, order: &Order) -> Vec<Payment> {
    let events = shop.events_after(since).await;
    let due = events.into_iter().filter_map(|event| match event.happened {
        Happened::RefundDue { order_id, payment } if order_id == order.id => Some(payment),
        _ => None,
    });
    due.collect()
}

async fn a_payment_is_noted_once(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let order = shop.ordered(UserId::generate(), &[(&product, 2)]).await;
    let payment = shop.payment_of(&order);
    let paid = shop.ledger().pay(order.id, payment.clone()).await.expect("the whole total is paid");
    assert_eq!(paid.status, OrderStatus::Paid);
    let again = shop.ledger().pay(order.id, payment).await.expect("a repeat is answered alike");
    assert_eq!(again, paid, "a repeat changes nothing");
}

async fn equal_payments_at_once_pay_once(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let order = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    let (since, payment) = (shop.last_event().await, shop.payment_of(&order));
    let answers = shop
        .at_once(8, |_, shop| {
            let (id, payment) = (order.id, payment.clone());
            async move { shop.ledger().pay(id, payment).await.expect("equal payments are one payment") }
        })
        .await;
    assert!(answers.iter().all(|answer| answer == &answers[0]), "all get the one answer");
    assert_eq!(refunds(&shop, since.as_ref(), &order).await, [], "nothing is to be paid back");
}

async fn a_repeated_payment_is_answered_after_the_order_has_moved_on(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let order = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    let (since, payment) = (shop.last_event().await, shop.payment_of(&order));
    shop.ledger().pay(order.id, payment.clone()).await.expect("the whole total is paid");
    let found = OrderRef { id: order.id, user: None };
    let shipped = shop.ledger().advance(found, OrderStatus::Shipped).await.expect("a paid order is shipped");
    let again = shop.ledger().pay(order.id, payment).await.expect("a late repeat is answered");
    assert_eq!(again, shipped, "with the order as it is now");
    assert_eq!(refunds(&shop, since.as_ref(), &order).await, [], "it is the payment that paid the order");
}

async fn a_wrong_amount_is_refused_and_spends_no_reference(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let order = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    let right = shop.payment_of(&order);
    let foreign =
        Money::new(10_000, "EUR".parse::<Currency>().expect("a legal code")).expect("a legal amount");
    for amount in [shop.money(9_999), shop.money(10_001), shop.money(0), foreign] {
        let wrong = Payment { amount, ..right.clone() };
        let refusal = refused(shop.ledger().pay(order.id, wrong).await, "another amount than the total");
        assert_eq!(refusal, Refusal::WrongAmount { total: order.total, paid: amount });
    }
    assert_eq!(shop.order_now(&order).await, order, "nothing changed");
    let paid =
        shop.ledger().pay(order.id, right).await.expect("the same reference with the right amount pays");
    assert_eq!(paid.status, OrderStatus::Paid);
}

async fn a_second_payment_is_a_refund_due(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let order = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    shop.ledger().pay(order.id, shop.payment_of(&order)).await.expect("the whole total is paid");
    let (since, second) = (shop.last_event().await, shop.payment_of(&order));
    for _ in 0..3 {
        let answer = shop.ledger().pay(order.id, second.clone()).await;
        assert_eq!(refused(answer, "a second payment"), Refusal::AlreadyPaid(order.id));
    }
    assert_eq!(
        refunds(&shop, since.as_ref(), &order).await,
        [second],
        "due once, however often it is reported"
    );
}

async fn a_payment_for_a_cancelled_order_is_a_refund_due(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let order = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    shop.ledger().cancel(OrderRef { id: order.id, user: None }).await.expect("it may be cancelled");
    let (since, late) = (shop.last_event().await, shop.payment_of(&order));
    for _ in 0..3 {
        let answer = shop.ledger().pay(order.id, late.clone()).await;
        assert_eq!(refused(answer, "a payment that came too late"), Refusal::OrderCancelled(order.id));
    }
    assert_eq!(
        refunds(&shop, since.as_ref(), &order).await,
        [late],
        "due once, however often it is reported"
    );
    assert_eq!(shop.order_now(&order).await.status, OrderStatus::Cancelled, "it stays cancelled");
    assert_eq!(shop.pieces(product.id).await, 5, "and its stock stays returned");
}

async fn a_payment_for_no_order_is_refused(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let order = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    let nobody = OrderId::at(shop.now(), [9; 8]);
    let answer = shop.ledger().pay(nobody, shop.payment_of(&order)).await;
    assert_eq!(refused(answer, "a payment for no order"), Refusal::OrderNotFound(nobody));
}

async fn money_for_a_cancelled_order_is_noted_whatever_the_amount(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let order = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    shop.ledger().cancel(OrderRef { id: order.id, user: None }).await.expect("it may be cancelled");
    let since = shop.last_event().await;
    let amount = Money::new(order.total.amount() - 1, order.total.currency()).expect("a legal amount");
    let odd = Payment { amount, ..shop.payment_of(&order) };
    let answer = shop.ledger().pay(order.id, odd.clone()).await;
    assert_eq!(refused(answer, "an odd payment that came too late"), Refusal::OrderCancelled(order.id));
    assert_eq!(refunds(&shop, since.as_ref(), &order).await, [odd], "the money has come all the same");
}

async fn one_reference_pays_one_order(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let first = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    let second = shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    let payment = shop.payment_of(&first);
    shop.ledger().pay(first.id, payment.clone()).await.expect("it pays the first");
    let answer = shop.ledger().pay(second.id, payment).await;
    assert_eq!(refused(answer, "the same money again"), Refusal::ReferenceTaken(first.id));
    assert_eq!(shop.order_now(&second).await.status, OrderStatus::Created, "it is not paid");
}
