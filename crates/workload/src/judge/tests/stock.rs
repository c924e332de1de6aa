//! Stock: ten pieces of everything at the beginning.

use crate::record::{Asked, Got};
use crate::stage::ZoneNo;

use super::story::*;

#[test]
fn what_is_sold_is_written_off() {
    let mut story = with_order();
    story.reading(SHOP, stock(0), left(7));
    story.reading(SHOP, stock(1), left(10));
    story.is_sound();
}

#[test]
fn a_piece_too_few_or_too_many_is_found() {
    for wrong in [6, 8, 10] {
        let mut story = with_order();
        story.reading(SHOP, stock(0), left(wrong));
        story.reading(ANN, show(1), told(1, CREATED, LINES));
        story.breaks("stock", "7 would be right: there were 10 at the beginning, 0 came in, 3 are in orders");
    }
}

#[test]
fn the_other_zone_counts_too() {
    let mut story = with_order();
    story.reading(SHOP, stock(0), Got::Stock(vec![7, 9]));
    story.breaks("stock", "left in spb; 10 would be right");
}

#[test]
fn a_cancelled_order_gives_its_pieces_back_once() {
    for (after, sound) in [(10, true), (7, false), (13, false)] {
        let mut story = with_order();
        story.call(ANN, 50..60, cancel(1), told(1, CANCELLED, LINES));
        story.reading(SHOP, stock(0), left(after));
        if sound { story.is_sound() } else { story.breaks("stock", "10 would be right") }
    }
}

#[test]
fn more_is_not_sold_than_there_was() {
    let mut story = with_order();
    story.call(ANN, 50..60, put(0, 8), cart(&[(0, 8)]));
    story.call(ANN, 70..80, place("b"), made(2, &[(0, 8)]));
    story.reading(SHOP, stock(0), left(0));
    story.reading(ANN, show(1), told(1, CREATED, LINES));
    story.reading(ANN, show(2), told(2, CREATED, &[(0, 8)]));
    story.breaks("stock", "11 are in orders");
}

#[test]
fn what_came_in_counts() {
    let mut story = with_order();
    story.call(SHOP, 50..60, restock(0, 5), Got::Done);
    story.reading(SHOP, stock(0), left(12));
    story.is_sound();
    story.reading(SHOP, stock(0), left(7));
    story.reading(ANN, show(1), told(1, CREATED, LINES));
    story.breaks("stock", "12 would be right");
}

#[test]
fn what_may_have_come_in_is_believed_either_way() {
    for (after, sound) in [(7, true), (12, true), (13, false), (6, false)] {
        let mut story = with_order();
        story.call(SHOP, 50..60, restock(0, 5), lost());
        story.reading(SHOP, stock(0), left(after));
        story.reading(ANN, show(1), told(1, CREATED, LINES));
        if sound { story.is_sound() } else { story.breaks("stock", "from 7 to 12 would be right") }
    }
}

#[test]
fn a_sale_under_way_may_be_seen_or_not() {
    for (seen, sound) in [(10, true), (7, true), (6, false), (11, false)] {
        let mut story = with_order();
        story.call(SHOP, 35..50, stock(0), left(seen));
        story.reading(ANN, show(1), told(1, CREATED, LINES));
        if sound { story.is_sound() } else { story.breaks("stock", "from 7 to 10") }
    }
}

#[test]
fn an_order_that_only_the_history_tells_of_is_counted() {
    for (after, sound) in [(7, true), (4, true), (1, false)] {
        let mut story = with_order();
        story.call(ANN, 50..60, put(0, 3), cart(LINES));
        story.call(ANN, 70..80, place("b"), lost());
        // It may land between the two readings.
        story.reading(SHOP, stock(0), left(after));
        story.reading(ANN, history(), orders(&[order(2, CREATED, LINES), order(1, CREATED, LINES)]));
        if sound { story.is_sound() } else { story.breaks("stock", "from 4 to 7") }
    }
}

#[test]
fn what_a_refusal_says_is_left_must_be_possible() {
    for (said, sound) in [(7, true), (8, false), (2, false)] {
        let mut story = with_order();
        story.call(BOB, 50..60, put(0, 9), cart(&[(0, 9)]));
        let short = Got::Refused {
            status: 409,
            code: "insufficient_stock".to_owned(),
            left: vec![(product_id(0), said)],
        };
        let asked = Asked::Place { key: "b".to_owned(), zone: ZoneNo(0), expect_total: None };
        story.call(BOB, 70..80, asked, short);
        story.reading(ANN, show(1), told(1, CREATED, LINES));
        if sound { story.is_sound() } else { story.breaks("stock", "7 would be right") }
    }
}

#[test]
fn a_product_that_is_gone_has_no_stock() {
    let mut story = with_order();
    let gone = Got::Refused { status: 404, code: "product_not_found".to_owned(), left: Vec::new() };
    story.reading(SHOP, stock(0), gone);
    story.breaks("stock", "says that there is no \"thing 0\"");
}

#[test]
fn the_sweeper_gives_back_what_it_takes() {
    // Nobody saw when it was cancelled: before or after the stock was read.
    for (after, sound) in [(7, true), (10, true), (8, true), (11, false)] {
        let mut story = with_order();
        story.call(ANN, 70_000_000..70_000_010, Asked::Cart, cart(&[]));
        story.reading(SHOP, stock(0), left(after));
        story.reading(ANN, show(1), told(1, CANCELLED, LINES));
        if sound { story.is_sound() } else { story.breaks("stock", "from 7 to 10") }
    }
}
