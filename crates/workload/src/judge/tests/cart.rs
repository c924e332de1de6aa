//! Carts: what was put is there, what was removed is not, whatever happens at once.

use crate::record::{Asked, Got, Why};

use super::story::*;

#[test]
fn what_was_put_is_read() {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
    story.call(ANN, 30..40, Asked::Cart, cart(&[(0, 3)]));
    story.reading(ANN, Asked::Cart, cart(&[(0, 3)]));
    story.is_sound();
}

#[test]
fn a_lost_line_is_found_at_the_end() {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
    story.reading(ANN, Asked::Cart, cart(&[]));
    story.breaks("cart", "0 of \"thing 0\"; it can only be 3: operation 0 (cart.put) was answered before");
}

#[test]
fn a_stale_cart_is_no_own_read() {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
    story.call(ANN, 30..40, put(0, 5), cart(&[(0, 5)]));
    story.call(ANN, 50..60, Asked::Cart, cart(&[(0, 3)]));
    story.reading(ANN, Asked::Cart, cart(&[(0, 5)]));
    story.breaks("own-reads", "holds 3 of \"thing 0\"; it can only be 5");
}

#[test]
fn two_puts_at_once_may_come_in_either_order() {
    for left in [3, 5] {
        let mut story = Story::begin();
        story.call(ANN, 10..40, put(0, 3), cart(&[(0, 3)]));
        story.call(ANN, 20..30, put(0, 5), cart(&[(0, 5)]));
        story.call(ANN, 50..60, Asked::Cart, cart(&[(0, left)]));
        story.reading(ANN, Asked::Cart, cart(&[(0, left)]));
        story.is_sound();
    }
}

#[test]
fn a_read_under_way_may_see_both_sides_of_a_write() {
    for seen in [3, 5] {
        let mut story = Story::begin();
        story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
        story.call(ANN, 30..50, put(0, 5), cart(&[(0, 5)]));
        story.call(ANN, 40..60, Asked::Cart, cart(&[(0, seen)]));
        story.is_sound();
    }
}

#[test]
fn a_put_without_an_answer_may_land_late_or_never() {
    for (then, end) in [(3, 5), (5, 5), (3, 3)] {
        let mut story = Story::begin();
        story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
        story.call(ANN, 30..40, put(0, 5), lost());
        story.call(ANN, 50..60, Asked::Cart, cart(&[(0, then)]));
        story.reading(ANN, Asked::Cart, cart(&[(0, end)]));
        story.is_sound();
    }
}

#[test]
fn a_put_without_a_connection_or_refused_did_nothing() {
    for nothing in [Got::Unknown(Why::NotConnected), refused("cart_busy")] {
        let mut story = Story::begin();
        story.call(ANN, 30..40, put(0, 5), nothing);
        story.reading(ANN, Asked::Cart, cart(&[(0, 5)]));
        story.breaks("cart", "5 of \"thing 0\"");
    }
}

#[test]
fn a_put_answers_with_its_own_line() {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
    story.call(ANN, 30..40, put(0, 5), cart(&[(0, 3)]));
    story.breaks("cart", "this very call has written it");
}

#[test]
fn a_put_may_answer_with_another_that_came_at_once() {
    let mut story = Story::begin();
    story.call(ANN, 10..40, put(0, 3), cart(&[(0, 5)]));
    story.call(ANN, 20..30, put(0, 5), cart(&[(0, 5)]));
    story.is_sound();
}

#[test]
fn a_removed_line_does_not_come_back() {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
    story.call(ANN, 30..40, remove(0), cart(&[]));
    story.call(ANN, 50..60, Asked::Cart, cart(&[(0, 3)]));
    story.breaks("own-reads", "holds 3");
}

#[test]
fn nobody_elses_things_lie_in_a_cart() {
    let mut story = Story::begin();
    story.call(BOB, 10..20, put(0, 3), cart(&[(0, 3)]));
    story.reading(ANN, Asked::Cart, cart(&[(0, 3)]));
    story.breaks("cart", "which nobody put there");
}

#[test]
fn a_sold_cart_is_empty_and_filled_anew() {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
    story.call(ANN, 30..40, place("a"), made(1, &[(0, 3)]));
    story.call(ANN, 50..60, Asked::Cart, cart(&[]));
    story.call(ANN, 70..80, put(1, 1), cart(&[(1, 1)]));
    story.reading(ANN, Asked::Cart, cart(&[(1, 1)]));
    story.is_sound();
}

#[test]
fn a_sold_cart_is_not_full() {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
    story.call(ANN, 30..40, place("a"), made(1, &[(0, 3)]));
    story.reading(ANN, Asked::Cart, cart(&[(0, 3)]));
    story.breaks("cart", "operation 1 (order.place) was answered before");
}

#[test]
fn a_checkout_without_an_answer_may_have_emptied_the_cart() {
    for (seen, answer) in [(0, repeated(1, &[(0, 3)])), (3, made(1, &[(0, 3)]))] {
        let mut story = Story::begin();
        let lines: &[(u32, u32)] = if seen == 0 { &[] } else { &[(0, seen)] };
        story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
        story.call(ANN, 30..40, place("a"), lost());
        story.call(ANN, 50..60, Asked::Cart, cart(lines));
        story.call(ANN, 70..80, place("a"), answer);
        story.reading(ANN, Asked::Cart, cart(&[]));
        story.is_sound();
    }
}

#[test]
fn a_refused_checkout_leaves_the_cart() {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
    story.call(ANN, 30..40, place("a"), refused("price_changed"));
    story.reading(ANN, Asked::Cart, cart(&[(0, 3)]));
    story.is_sound();
    story.reading(ANN, Asked::Cart, cart(&[]));
    story.breaks("cart", "it can only be 3");
}

#[test]
fn a_full_cart_is_not_refused_as_empty() {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
    story.call(ANN, 30..40, place("a"), refused("cart_empty"));
    story.breaks("cart", "was empty, but it must have held \"thing 0\"");
}

#[test]
fn two_checkouts_at_once_share_one_cart() {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
    story.call(ANN, 30..60, place("a"), refused("cart_empty"));
    story.call(ANN, 40..50, place("b"), made(1, &[(0, 3)]));
    story.reading(ANN, Asked::Cart, cart(&[]));
    story.is_sound();
}
