//! Prices.

use crate::record::{Asked, Got};
use crate::stage::{ProductNo, ZoneNo};

use super::story::*;

fn order_at(price: i64) -> Got {
    let mut order = order(1, CREATED, &[(0, 3)]);
    order.items[0].price = price;
    order.total = 3 * price;
    Got::Order { order, created: true }
}

fn with_cart() -> Story {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 3), cart(&[(0, 3)]));
    story
}

#[test]
fn an_order_costs_what_the_product_costs() {
    let mut story = with_cart();
    story.call(SHOP, 22..28, reprice(0, 120), Got::Done);
    story.call(ANN, 30..40, place("a"), order_at(120));
    story.is_sound();
}

#[test]
fn an_old_price_is_not_charged() {
    let mut story = with_cart();
    story.call(SHOP, 22..28, reprice(0, 120), Got::Done);
    story.call(ANN, 30..40, place("a"), order_at(100));
    story.breaks("price", "at the checkout it cost 120");
}

#[test]
fn a_price_that_changes_meanwhile_may_be_either() {
    for (answer, charged) in [(Got::Done, 100), (Got::Done, 120), (lost(), 100), (lost(), 120)] {
        let mut story = with_cart();
        story.call(SHOP, 22..35, reprice(0, 120), answer);
        story.call(ANN, 30..40, place("a"), order_at(charged));
        story.is_sound();
    }
}

#[test]
fn the_total_is_the_sum() {
    let mut story = with_cart();
    let mut wrong = order(1, CREATED, &[(0, 3)]);
    wrong.total -= 1;
    story.call(ANN, 30..40, place("a"), Got::Order { order: wrong, created: true });
    story.breaks("price", "its lines come to 300");
}

#[test]
fn the_total_is_what_the_buyer_expected() {
    let mut story = with_cart();
    story.call(SHOP, 22..35, reprice(0, 120), Got::Done);
    let expecting = Asked::Place { key: "a".to_owned(), zone: ZoneNo(0), expect_total: Some(300) };
    story.call(ANN, 30..40, expecting, order_at(120));
    story.breaks("price", "expected to pay 300");
}

#[test]
fn a_page_may_be_old_but_not_invented() {
    let page = |price| Got::Product { price, stock: Vec::new() };
    let mut story = Story::begin();
    story.call(SHOP, 10..20, reprice(0, 120), Got::Done);
    story.call(SHOP, 30..40, Asked::Product(ProductNo(0)), page(100));
    story.is_sound();
    story.call(SHOP, 50..60, Asked::Product(ProductNo(0)), page(99));
    story.breaks("price", "which it never cost");
}

#[test]
fn a_cart_shows_prices_that_were() {
    let mut story = with_cart();
    let Got::Cart(mut seen) = cart(&[(0, 3)]) else { panic!("a cart is a cart") };
    seen.lines[0].price = 90;
    seen.total = 270;
    story.call(ANN, 30..40, Asked::Cart, Got::Cart(seen.clone()));
    story.breaks("price", "at 90, which it never cost");
    seen.lines[0].price = 100;
    let mut story = with_cart();
    story.call(ANN, 30..40, Asked::Cart, Got::Cart(seen));
    story.breaks("price", "a total of 270");
}
