//! The life of an order.

use mworld_shop::order::OrderStatus;

use super::story::*;

const SECOND: u64 = 1_000_000;

#[test]
fn created_paid_cancelled() {
    let mut story = with_order();
    story.call(ANN, 50..60, show(1), told(1, CREATED, LINES));
    story.call(ANN, 70..80, pay(1), told(1, PAID, LINES));
    story.call(ANN, 90..100, show(1), told(1, PAID, LINES));
    story.call(ANN, 110..120, cancel(1), told(1, CANCELLED, LINES));
    story.reading(ANN, show(1), told(1, CANCELLED, LINES));
    story.is_sound();
}

#[test]
fn a_paid_order_is_read_as_paid() {
    let mut story = with_order();
    story.call(ANN, 70..80, pay(1), told(1, PAID, LINES));
    story.call(ANN, 90..100, show(1), told(1, CREATED, LINES));
    story.breaks("own-reads", "as created, although operation 2 (order.advance) was answered");
}

#[test]
fn a_read_under_way_may_see_either() {
    for seen in [CREATED, PAID] {
        let mut story = with_order();
        story.call(ANN, 70..90, pay(1), told(1, PAID, LINES));
        story.call(ANN, 80..100, show(1), told(1, seen, LINES));
        story.is_sound();
    }
}

#[test]
fn a_payment_is_not_lost() {
    let mut story = with_order();
    story.call(ANN, 70..80, pay(1), told(1, PAID, LINES));
    story.reading(ANN, show(1), told(1, CREATED, LINES));
    story.breaks("status", "went from paid to created");
}

#[test]
fn two_reads_do_not_go_backwards() {
    let mut story = with_order();
    story.call(ANN, 50..200, pay(1), told(1, PAID, LINES));
    story.call(ANN, 70..80, show(1), told(1, PAID, LINES));
    story.call(ANN, 90..100, show(1), told(1, CREATED, LINES));
    story.breaks("status", "went from paid to created");
}

#[test]
fn nobody_ships_in_a_run() {
    let mut story = with_order();
    story.call(ANN, 70..80, show(1), told(1, OrderStatus::Shipped, LINES));
    story.breaks("status", "nobody had sent it on its way");
}

#[test]
fn nobody_else_pays() {
    let mut story = with_order();
    story.call(ANN, 70..80, show(1), told(1, PAID, LINES));
    story.breaks("status", "nobody had paid it");
}

#[test]
fn a_payment_without_an_answer_may_have_come() {
    for seen in [CREATED, PAID] {
        let mut story = with_order();
        story.call(ANN, 50..60, pay(1), lost());
        story.call(ANN, 70..80, show(1), told(1, seen, LINES));
        story.call(ANN, 90..95, pay(1), refused("illegal_transition"));
        story.reading(ANN, show(1), told(1, PAID, LINES));
        story.is_sound();
    }
}

#[test]
fn a_step_is_taken_once() {
    let mut story = with_order();
    story.call(ANN, 50..60, cancel(1), told(1, CANCELLED, LINES));
    story.call(ANN, 70..80, cancel(1), told(1, CANCELLED, LINES));
    story.breaks("status", "by the same step");
}

#[test]
fn a_step_is_not_refused_for_nothing() {
    let mut story = with_order();
    story.call(ANN, 50..60, pay(1), refused("illegal_transition"));
    story.reading(ANN, show(1), told(1, CREATED, LINES));
    story.breaks("status", "but nothing else has moved the order");
}

#[test]
fn a_payment_and_a_cancellation_at_once() {
    for (paid, after) in [(told(1, PAID, LINES), CANCELLED), (refused("illegal_transition"), CANCELLED)] {
        let mut story = with_order();
        story.call(ANN, 50..70, pay(1), paid);
        story.call(ANN, 60..80, cancel(1), told(1, CANCELLED, LINES));
        story.reading(ANN, show(1), told(1, after, LINES));
        story.is_sound();
    }
}

#[test]
fn a_cancelled_order_stays_cancelled() {
    let mut story = with_order();
    story.call(ANN, 50..60, cancel(1), told(1, CANCELLED, LINES));
    story.call(ANN, 70..80, pay(1), told(1, PAID, LINES));
    story.breaks("status", "went from cancelled to paid");
}

#[test]
fn the_sweeper_takes_unpaid_orders_only() {
    // However young it is: how long an order is held is the store's choice.
    let mut story = with_order();
    story.call(ANN, SECOND..SECOND + 10, show(1), told(1, CANCELLED, LINES));
    story.is_sound();

    let mut story = with_order();
    story.call(ANN, 50..60, pay(1), told(1, PAID, LINES));
    story.call(ANN, 90 * SECOND..90 * SECOND + 10, show(1), told(1, CANCELLED, LINES));
    story.breaks("status", "nobody had cancelled it");

    let mut story = with_order();
    story.call(ANN, 50..60, pay(1), lost());
    story.call(ANN, 70..80, show(1), told(1, PAID, LINES));
    story.call(ANN, 90 * SECOND..90 * SECOND + 10, show(1), told(1, CANCELLED, LINES));
    story.breaks("status", "nobody had cancelled it");
}

/// The order of `with_order`, a second one half a minute later that the store cancels by itself, and a look at the
/// first so many seconds after the beginning.
fn held(cancelled: bool, seconds: u64) -> Story {
    let mut story = with_order();
    let at = |second: u64| second * SECOND..second * SECOND + 10;
    story.call(BOB, at(30), put(0, 3), cart(LINES));
    story.call(BOB, at(31), place("b"), made(2, LINES));
    if cancelled {
        story.call(BOB, at(35), cancel(2), lost());
    }
    story.call(BOB, at(40), show(2), told(2, CANCELLED, LINES));
    story.call(ANN, at(seconds), show(1), told(1, CREATED, LINES));
    story
}

#[test]
fn an_order_is_not_held_longer_than_a_younger_one() {
    held(false, 90).breaks("status", "placed later, as cancelled by the store itself");
    // The sweeper may be on its way still.
    held(false, 41).is_sound();
    // Somebody may have cancelled it.
    held(true, 90).is_sound();
}

#[test]
fn a_swept_order_is_not_alive_afterwards() {
    let mut story = with_order();
    story.call(ANN, 90 * SECOND..90 * SECOND + 10, pay(1), refused("order_cancelled"));
    story.reading(ANN, show(1), told(1, CANCELLED, LINES));
    story.is_sound();

    let mut story = with_order();
    story.call(ANN, 90 * SECOND..90 * SECOND + 10, pay(1), refused("order_cancelled"));
    story.reading(ANN, show(1), told(1, CREATED, LINES));
    story.breaks("status", "but nothing else has moved the order");
}
