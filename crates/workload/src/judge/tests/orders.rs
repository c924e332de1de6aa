//! Orders: none lost, none changed, none that nobody asked for.

use crate::record::Got;

use super::story::*;

#[test]
fn an_order_is_kept() {
    let mut story = with_order();
    story.reading(ANN, show(1), told(1, CREATED, LINES));
    story.reading(ANN, history(), orders(&[order(1, CREATED, LINES)]));
    story.is_sound();
}

#[test]
fn a_lost_order_is_missed() {
    let mut story = with_order();
    story.reading(ANN, show(1), refused("order_not_found"));
    story.reading(ANN, history(), orders(&[]));
    story.breaks("order-kept", "operation 1 (order.place) told of order");
    story.breaks("history", "does not list order");
}

#[test]
fn an_order_does_not_change() {
    let (mut zone, mut time, mut total) =
        (order(1, CREATED, LINES), order(1, CREATED, LINES), order(1, CREATED, LINES));
    zone.zone = "spb".to_owned();
    time.created_at = "2026-11-27T09:00:00.000000Z".to_owned();
    total.total += 1;
    let items = order(1, CREATED, &[(0, 2)]);
    for (changed, what) in [(zone, "zone"), (time, "creation time"), (total, "total"), (items, "items")] {
        let mut story = with_order();
        story.reading(ANN, show(1), Got::Order { order: changed, created: false });
        story.breaks("order-kept", what);
    }
}

#[test]
fn an_order_is_what_was_in_the_cart() {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
    story.call(ANN, 22..28, put(1, 1), cart(&[(0, 3), (1, 1)]));
    story.call(ANN, 30..40, place("a"), made(1, &[(0, 3)]));
    story.breaks("order-kept", "holds 0 of \"thing 1\"; it can only be 1");
}

#[test]
fn an_order_may_miss_what_was_put_at_once() {
    for lines in [&[(0, 3)][..], &[(0, 3), (1, 1)]] {
        let mut story = Story::begin();
        story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
        let missed = lines.len() == 1;
        story.call(ANN, 25..35, put(1, 1), cart(if missed { &[(1, 1)] } else { &[(0, 3), (1, 1)] }));
        story.call(ANN, 30..40, place("a"), made(1, lines));
        story.is_sound();
    }
}

#[test]
fn a_line_is_not_sold_twice() {
    let mut story = with_order();
    story.call(ANN, 50..60, put(1, 1), cart(&[(1, 1)]));
    story.call(ANN, 70..80, place("b"), made(2, &[(0, 3), (1, 1)]));
    story.breaks("order-kept", "holds 3 of \"thing 0\"; it can only be 0");
}

#[test]
fn the_zone_is_the_one_that_was_asked_for() {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 3), cart(LINES));
    let mut elsewhere = order(1, CREATED, LINES);
    elsewhere.zone = "spb".to_owned();
    story.call(ANN, 30..40, place("a"), Got::Order { order: elsewhere, created: true });
    story.breaks("order-kept", "ordered from msk");
}

#[test]
fn a_doubled_order_is_found() {
    let mut story = with_order();
    story.reading(ANN, history(), orders(&[order(2, CREATED, LINES), order(1, CREATED, LINES)]));
    story.breaks("order-once", "orders of user 0 in msk that no answered call has made: 1 (");
}

#[test]
fn a_call_without_an_answer_may_have_made_one() {
    let mut story = with_order();
    story.call(ANN, 50..60, put(0, 3), cart(LINES));
    story.call(ANN, 70..80, place("b"), lost());
    story.call(ANN, 90..95, place("b"), lost());
    story.reading(ANN, history(), orders(&[order(2, CREATED, LINES), order(1, CREATED, LINES)]));
    story.is_sound();
    // But the tries of one key have made one at most.
    let three = [order(3, CREATED, LINES), order(2, CREATED, LINES), order(1, CREATED, LINES)];
    story.reading(ANN, history(), orders(&three));
    story.breaks("order-once", "unanswered keys that can have made one each: 1");
}

#[test]
fn nobody_sees_another_ones_order() {
    let mut story = with_order();
    story.reading(BOB, history(), orders(&[order(1, CREATED, LINES)]));
    story.breaks("order-once", "shows user 1 order");
}

#[test]
fn an_order_is_found_at_once() {
    let mut story = with_order();
    story.call(ANN, 50..60, show(1), refused("order_not_found"));
    story.breaks("own-reads", "was told that there is none");
}
