//! Histories: complete, each once, newest first.

use super::story::*;

const LINES: &[(u32, u32)] = &[(0, 1)];
const SECOND: u64 = 1_000_000;

/// Ann has orders 1 to 4, one a second.
fn with_orders() -> Story {
    let mut story = Story::begin();
    for no in 1..=4 {
        let at = u64::from(no) * 3 * SECOND;
        story.call(ANN, at..at + 10, put(0, 1), cart(LINES));
        story.call(ANN, at + 20..at + 30, place(&format!("key {no}")), made(no, LINES));
    }
    story
}

fn seen(no: u32) -> crate::record::OrderSeen {
    order(no, CREATED, LINES)
}

#[test]
fn pages_join() {
    let mut story = with_orders();
    story.reading(ANN, history(), first_page(&[seen(4), seen(3)], "after 3"));
    story.reading(ANN, page("after 3"), orders(&[seen(2), seen(1)]));
    story.is_sound();
}

#[test]
fn a_gap_between_pages_is_found() {
    let mut story = with_orders();
    story.reading(ANN, history(), first_page(&[seen(4), seen(3)], "after 3"));
    story.reading(ANN, page("after 3"), orders(&[seen(1)]));
    story.breaks("history", "does not list order");
}

#[test]
fn a_repeat_between_pages_is_found() {
    let mut story = with_orders();
    story.reading(ANN, history(), first_page(&[seen(4), seen(3)], "after 3"));
    story.reading(ANN, page("after 3"), orders(&[seen(3), seen(2), seen(1)]));
    story.breaks("history", "pages that follow each other");
}

#[test]
fn a_line_missing_within_a_page_is_found() {
    let mut story = with_orders();
    story.reading(ANN, history(), orders(&[seen(4), seen(2), seen(1)]));
    story.breaks("history", "does not list order");
}

#[test]
fn a_line_twice_in_a_page_is_found() {
    let mut story = with_orders();
    story.reading(ANN, history(), orders(&[seen(4), seen(3), seen(3), seen(2), seen(1)]));
    story.breaks("history", "twice");
}

#[test]
fn the_newest_comes_first() {
    let mut story = with_orders();
    story.reading(ANN, history(), orders(&[seen(4), seen(2), seen(3), seen(1)]));
    story.breaks("history", "which is newer");
}

#[test]
fn the_stores_clock_may_not_hide_what_came_first() {
    // Orders 5 and 6 are asked for one after the other, but the store dates the later one before the earlier.
    let mut story = with_orders();
    for (at, no) in [(20, 6), (30, 5)] {
        story.call(ANN, at * SECOND..at * SECOND + 10, put(0, 1), cart(LINES));
        story.call(ANN, at * SECOND + 20..at * SECOND + 30, place(&format!("key {no}")), made(no, LINES));
    }
    let all = [6, 5, 4, 3, 2, 1].map(seen);
    story.reading(ANN, history(), orders(&all));
    story.breaks("history", "although the second was asked for after the first was answered");
}

#[test]
fn the_own_newest_order_is_in_a_page_read_during_the_run() {
    let mut story = with_orders();
    story.call(ANN, 20 * SECOND..20 * SECOND + 10, history(), first_page(&[seen(3), seen(2)], "after 2"));
    story.breaks("own-reads", "does not list order");
}

#[test]
fn a_page_read_during_the_run_is_as_old_as_its_asking() {
    // It was asked for before order 4 was answered, so it may lack it; and older orders are on further pages.
    let mut story = with_orders();
    story.call(ANN, 12 * SECOND + 25..20 * SECOND, history(), first_page(&[seen(3), seen(2)], "after 2"));
    story.is_sound();
}

#[test]
fn orders_placed_at_once_may_stand_in_either_order() {
    for (first, second) in [(5, 6), (6, 5)] {
        let mut story = with_orders();
        story.call(ANN, 20 * SECOND..20 * SECOND + 10, put(0, 1), cart(LINES));
        story.call(ANN, 21 * SECOND..24 * SECOND, place("one"), made(first, LINES));
        story.call(ANN, 22 * SECOND..22 * SECOND + 10, put(0, 1), cart(LINES));
        story.call(ANN, 22 * SECOND..25 * SECOND, place("two"), made(second, LINES));
        let all = [6, 5, 4, 3, 2, 1].map(seen);
        story.reading(ANN, history(), orders(&all));
        story.is_sound();
    }
}
