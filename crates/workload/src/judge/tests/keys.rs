//! One key, one order.

use super::story::*;

fn with_cart() -> Story {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 3), cart(LINES));
    story
}

#[test]
fn a_repeat_tells_the_same_order() {
    let mut story = with_cart();
    story.call(ANN, 30..40, place("a"), made(1, LINES));
    story.call(ANN, 50..60, place("a"), repeated(1, LINES));
    story.is_sound();
}

#[test]
fn a_key_with_two_orders_is_a_lie() {
    let mut story = with_cart();
    story.call(ANN, 30..40, place("a"), made(1, LINES));
    story.call(ANN, 50..60, place("a"), repeated(2, LINES));
    story.breaks("key-once", "key \"a\" has two orders");
}

#[test]
fn an_order_is_made_once() {
    let mut story = with_cart();
    story.call(ANN, 30..40, place("a"), made(1, LINES));
    story.call(ANN, 50..60, place("a"), made(1, LINES));
    story.breaks("key-once", "both say that they have just made order");
}

#[test]
fn an_order_has_one_key() {
    let mut story = with_cart();
    story.call(ANN, 30..40, place("a"), made(1, LINES));
    story.call(ANN, 50..60, put(0, 3), cart(LINES));
    story.call(ANN, 70..80, place("b"), made(1, LINES));
    story.breaks("key-once", "was told to two keys");
}

#[test]
fn a_lost_try_is_resolved_by_the_next() {
    let mut story = with_cart();
    story.call(ANN, 30..40, place("a"), lost());
    story.call(ANN, 50..60, place("a"), repeated(1, LINES));
    story.reading(ANN, history(), orders(&[order(1, CREATED, LINES)]));
    story.is_sound();
}

#[test]
fn nothing_is_repeated_that_nobody_tried() {
    let mut story = with_cart();
    story.call(ANN, 30..40, place("a"), repeated(1, LINES));
    story.breaks("key-once", "no earlier try can have made it");
}

#[test]
fn a_refused_try_made_nothing() {
    let mut story = with_cart();
    story.call(ANN, 30..40, place("a"), refused("price_changed"));
    story.call(ANN, 50..60, place("a"), repeated(1, LINES));
    story.breaks("key-once", "no earlier try can have made it");
}

#[test]
fn a_refused_try_may_be_followed_by_a_good_one() {
    let mut story = with_cart();
    story.call(ANN, 30..40, place("a"), refused("price_changed"));
    story.call(ANN, 50..60, place("a"), made(1, LINES));
    story.is_sound();
}

#[test]
fn what_was_made_is_not_refused_later() {
    let mut story = with_cart();
    story.call(ANN, 30..40, place("a"), made(1, LINES));
    story.call(ANN, 50..60, place("a"), refused("cart_empty"));
    story.breaks("key-once", "was refused (cart_empty)");
}
