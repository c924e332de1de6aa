//! Logins: the guest's cart comes into the user's, by a policy that nobody told us.

use crate::record::Asked;

use super::story::*;

/// Ann has so many, her guest session so many, and after the login there are so many.
fn merged(own: u32, guest: u32, after: u32) -> Story {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, own), cart(&[(0, own)]));
    story.call(GUEST, 10..20, put(0, guest), cart(&[(0, guest)]));
    story.call(GUEST, 30..40, login(ANN), cart(&[(0, after)]));
    story.call(ANN, 50..60, Asked::Cart, cart(&[(0, after)]));
    story.reading(ANN, Asked::Cart, cart(&[(0, after)]));
    story
}

#[test]
fn any_policy_explains_one_merge() {
    for after in [7, 5, 2] {
        merged(5, 2, after).is_sound();
    }
}

#[test]
fn what_no_policy_gives_is_a_lie() {
    merged(5, 2, 3).breaks("cart", "holds 3");
}

#[test]
fn a_store_has_one_policy() {
    let mut story = merged(5, 2, 7);
    story.call(BOB, 110..120, put(0, 5), cart(&[(0, 5)]));
    let guest = crate::record::Caller::Guest(8);
    story.call(guest, 110..120, put(0, 2), cart(&[(0, 2)]));
    story.call(guest, 130..140, login(BOB), cart(&[(0, 2)]));
    story.breaks("cart", "holds 2");
}

#[test]
fn a_line_that_only_the_guest_has_comes_along() {
    let mut story = Story::begin();
    story.call(GUEST, 10..20, put(1, 2), cart(&[(1, 2)]));
    story.call(GUEST, 30..40, login(ANN), cart(&[(1, 2)]));
    story.reading(ANN, Asked::Cart, cart(&[(1, 2)]));
    story.is_sound();
}

#[test]
fn a_line_lost_in_a_login_is_found() {
    let mut story = Story::begin();
    story.call(GUEST, 10..20, put(1, 2), cart(&[(1, 2)]));
    story.call(GUEST, 30..40, login(ANN), cart(&[]));
    story.breaks("cart", "operation 1 (session.login)");
}

#[test]
fn a_login_without_an_answer_may_have_merged() {
    for lines in [&[][..], &[(1, 2)]] {
        let mut story = Story::begin();
        story.call(GUEST, 10..20, put(1, 2), cart(&[(1, 2)]));
        story.call(GUEST, 30..40, login(ANN), lost());
        story.reading(ANN, Asked::Cart, cart(lines));
        story.is_sound();
    }
}

#[test]
fn a_guests_lost_put_may_come_before_while_or_not_at_all() {
    // The store looks at the guest's cart once more before it lets the session go: 2, then 3 on top.
    for after in [2, 3, 5] {
        let mut story = Story::begin();
        story.call(GUEST, 10..20, put(1, 2), cart(&[(1, 2)]));
        story.call(GUEST, 22..28, put(1, 3), lost());
        story.call(GUEST, 30..40, login(ANN), cart(&[(1, after)]));
        story.reading(ANN, Asked::Cart, cart(&[(1, after)]));
        story.is_sound();
    }
}

#[test]
fn two_guests_at_once_come_into_one_cart() {
    for (first, second) in [(7, 10), (10, 8)] {
        let other = crate::record::Caller::Guest(8);
        let mut story = Story::begin();
        story.call(ANN, 10..20, put(0, 5), cart(&[(0, 5)]));
        story.call(GUEST, 10..20, put(0, 2), cart(&[(0, 2)]));
        story.call(other, 10..20, put(0, 3), cart(&[(0, 3)]));
        story.call(GUEST, 30..60, login(ANN), cart(&[(0, first)]));
        story.call(other, 40..50, login(ANN), cart(&[(0, second)]));
        story.reading(ANN, Asked::Cart, cart(&[(0, 10)]));
        story.is_sound();
    }
}

#[test]
fn a_sum_beyond_the_limit_is_cut() {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 999), cart(&[(0, 999)]));
    story.call(GUEST, 10..20, put(0, 2), cart(&[(0, 2)]));
    story.call(GUEST, 30..40, login(ANN), cart(&[(0, 999)]));
    // It is a sum everywhere else.
    let other = crate::record::Caller::Guest(8);
    story.call(BOB, 10..20, put(0, 2), cart(&[(0, 2)]));
    story.call(other, 10..20, put(0, 3), cart(&[(0, 3)]));
    story.call(other, 30..40, login(BOB), cart(&[(0, 5)]));
    story.is_sound();
}

#[test]
fn a_refused_login_may_have_merged_but_one_with_a_wrong_password_not() {
    for (code, sound) in [("unauthorized", true), ("bad_credentials", false)] {
        let mut story = Story::begin();
        story.call(GUEST, 10..20, put(1, 2), cart(&[(1, 2)]));
        story.call(GUEST, 30..40, login(ANN), refused(code));
        story.reading(ANN, Asked::Cart, cart(&[(1, 2)]));
        if sound { story.is_sound() } else { story.breaks("cart", "which nobody put there") }
    }
}

#[test]
fn a_login_into_a_full_cart_says_what_it_left_out() {
    let into_full = |answer| {
        let mut story = Story::begin();
        story.call(ANN, 10..20, put(0, 1), cart(&[(0, 1)]));
        story.call(GUEST, 10..20, put(1, 2), cart(&[(1, 2)]));
        story.call(GUEST, 30..40, login(ANN), answer);
        story.reading(ANN, Asked::Cart, cart(&[(0, 1)]));
        story
    };
    into_full(cart_without(1, &[(0, 1)])).is_sound();
    into_full(cart(&[(0, 1)])).breaks("cart", "operation 2 (session.login)");
}

#[test]
fn a_long_cart_is_not_taken_to_be_full() {
    let mut story = Story::begin();
    story.evidence.stage = stage(11, 2);
    let lines: Vec<(u32, u32)> = (0..10).map(|no| (no, 1)).collect();
    for no in 0..10 {
        let at = 100 * u64::from(no);
        story.call(ANN, at + 10..at + 20, put(no, 1), cart(&lines[..=no as usize]));
    }
    story.call(GUEST, 2_010..2_020, put(10, 2), cart(&[(10, 2)]));
    story.call(GUEST, 2_030..2_040, login(ANN), cart(&lines));
    story.breaks("cart", "operation 11 (session.login)");
}

#[test]
fn a_quantity_that_nobody_was_granted_is_not_the_limit() {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 9), cart(&[(0, 9)]));
    story.call(GUEST, 10..20, put(0, 5), cart(&[(0, 5)]));
    // Too many, and refused; but the refusal was lost.
    story.call(BOB, 10..20, put(0, 500), lost());
    story.call(GUEST, 30..40, login(ANN), cart(&[(0, 10)]));
    story.call(ANN, 50..60, put(1, 4), cart(&[(0, 10), (1, 4)]));
    // It is a sum everywhere else.
    let other = crate::record::Caller::Guest(8);
    story.call(other, 60..70, put(1, 3), cart(&[(1, 3)]));
    story.call(other, 80..90, login(ANN), cart(&[(0, 10), (1, 7)]));
    story.is_sound();
}
