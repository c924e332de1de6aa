//! A shop that tells one lie is accused of it, by the rule that is meant for it.

use mworld_shop::OrderId;
use mworld_shop::order::OrderStatus;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use uuid::Uuid;

use crate::judge::judge;
use crate::record::{Asked, Call, CartSeen, Evidence, Got, OrderSeen};

use super::story::refused;
use super::world::{Weather, run};

/// Changes one fact; `false` if this run has none of the kind.
type Lie = fn(&mut Evidence, &mut ChaCha8Rng) -> bool;

/// Tells the lie in many runs, and counts how often the rule finds it.
#[track_caller]
fn caught(rule: &str, least_percent: usize, lie: Lie) {
    let (mut told, mut found) = (0, 0);
    for seed in 0..40 {
        let weather = Weather { calls: 300, lost: 1, deaths: 1, products: 4, users: 4, slowest: 20_000 };
        let mut evidence = run(seed, weather);
        if !lie(&mut evidence, &mut ChaCha8Rng::seed_from_u64(seed)) {
            continue;
        }
        told += 1;
        found += usize::from(judge(&evidence).violations.iter().any(|told| told.rule == rule));
    }
    assert!(told >= 20, "only {told} runs could tell this lie");
    assert!(found * 100 >= least_percent * told, "{rule} found {found} of {told}");
}

fn any<'a, T>(dice: &mut ChaCha8Rng, all: Vec<&'a mut T>) -> Option<&'a mut T> {
    let count = all.len();
    (count > 0).then(|| dice.random_range(0..count)).and_then(|at| all.into_iter().nth(at))
}

fn sum(lines: impl Iterator<Item = (i64, u32)>) -> i64 {
    lines.map(|(price, quantity)| price * i64::from(quantity)).sum()
}

/// The pages of the histories that were read after the end, if they have orders.
fn last_pages(evidence: &mut Evidence) -> Vec<&mut Vec<OrderSeen>> {
    let pages = evidence.readings.iter_mut().filter_map(|call| match &mut call.got {
        Got::Orders { items, .. } if !items.is_empty() => Some(items),
        _ => None,
    });
    pages.collect()
}

fn carts(calls: &mut [Call]) -> Vec<&mut CartSeen> {
    let carts = calls.iter_mut().filter_map(|call| match (&call.asked, &mut call.got) {
        (Asked::Cart, Got::Cart(cart)) if !cart.lines.is_empty() => Some(cart),
        _ => None,
    });
    carts.collect()
}

fn shown(call: &mut Call) -> Vec<&mut OrderSeen> {
    match &mut call.got {
        Got::Order { order, .. } => vec![order],
        Got::Orders { items, .. } => items.iter_mut().collect(),
        _ => Vec::new(),
    }
}

#[test]
fn a_lost_order() {
    caught("order-kept", 100, |evidence, dice| {
        let Some(page) = any(dice, last_pages(evidence)) else { return false };
        let lost = page.remove(0).id;
        for call in evidence.readings.iter_mut().filter(|call| call.asked == Asked::Order(lost)) {
            call.got = refused("order_not_found");
        }
        true
    });
}

#[test]
fn a_missing_line_in_the_history() {
    caught("history", 95, |evidence, dice| {
        any(dice, last_pages(evidence)).is_some_and(|page| {
            page.remove(0);
            true
        })
    });
}

#[test]
fn a_doubled_order() {
    caught("order-once", 90, |evidence, dice| {
        any(dice, last_pages(evidence)).is_some_and(|page| {
            let id = OrderId::from_uuid(Uuid::from_u128(77));
            page.insert(0, OrderSeen { id, ..page[0].clone() });
            true
        })
    });
}

#[test]
fn a_piece_that_was_sold_twice() {
    caught("stock", 95, |evidence, dice| {
        let stocks = evidence.readings.iter_mut().filter_map(|call| match &mut call.got {
            Got::Stock(units) => Some(units),
            _ => None,
        });
        any(dice, stocks.collect()).is_some_and(|units| {
            units[0] += 1;
            true
        })
    });
}

#[test]
fn a_lost_line_of_a_cart() {
    caught("cart", 80, |evidence, dice| {
        any(dice, carts(&mut evidence.readings)).is_some_and(|cart| {
            cart.lines.remove(0);
            cart.total = sum(cart.lines.iter().map(|line| (line.price, line.quantity)));
            true
        })
    });
}

#[test]
fn a_stale_cart() {
    caught("own-reads", 80, |evidence, dice| {
        // The shop has forgotten the last line that was put.
        any(dice, carts(&mut evidence.calls)).is_some_and(|cart| {
            cart.lines.pop();
            cart.total = sum(cart.lines.iter().map(|line| (line.price, line.quantity)));
            true
        })
    });
}

#[test]
fn an_own_order_missing_in_a_page() {
    caught("own-reads", 90, |evidence, dice| {
        let pages = evidence.calls.iter_mut().filter_map(|call| match &mut call.got {
            Got::Orders { items, .. } if items.len() > 1 => Some(items),
            _ => None,
        });
        any(dice, pages.collect()).is_some_and(|page| {
            page.remove(0);
            true
        })
    });
}

#[test]
fn a_step_that_nobody_took() {
    caught("status", 100, |evidence, dice| {
        let orders = evidence.calls.iter_mut().filter(|call| matches!(call.asked, Asked::Order(_)));
        any(dice, orders.flat_map(shown).collect()).is_some_and(|order| {
            order.status = OrderStatus::Shipped;
            true
        })
    });
}

#[test]
fn a_payment_forgotten() {
    caught("status", 90, |evidence, dice| {
        let orders = evidence.readings.iter_mut().flat_map(shown);
        let paid = orders.filter(|order| order.status == OrderStatus::Paid);
        any(dice, paid.collect()).is_some_and(|order| {
            order.status = OrderStatus::Created;
            true
        })
    });
}

#[test]
fn a_wrong_price() {
    caught("price", 100, |evidence, dice| {
        let Some(page) = any(dice, last_pages(evidence)) else { return false };
        let id = page[0].id;
        let all = evidence.calls.iter_mut().chain(&mut evidence.readings).flat_map(shown);
        for order in all.filter(|order| order.id == id) {
            order.items[0].price += 1_000;
            order.total = sum(order.items.iter().map(|line| (line.price, line.quantity)));
        }
        true
    });
}

#[test]
fn an_order_that_changed() {
    caught("order-kept", 100, |evidence, dice| {
        any(dice, last_pages(evidence)).is_some_and(|page| {
            page[0].items[0].quantity += 1;
            true
        })
    });
}

#[test]
fn a_second_order_for_a_key() {
    caught("key-once", 100, |evidence, dice| {
        let places = evidence.calls.iter().filter(|call| matches!(call.asked, Asked::Place { .. }));
        let made: Vec<Call> = places.filter(|call| matches!(call.got, Got::Order { .. })).cloned().collect();
        if made.is_empty() {
            return false;
        }
        let mut again = made[dice.random_range(0..made.len())].clone();
        (again.sent, again.ended, again.attempt) = (again.ended + 1, again.ended + 2, again.attempt + 1);
        for order in shown(&mut again) {
            order.id = OrderId::from_uuid(Uuid::from_u128(77));
        }
        evidence.calls.push(again);
        evidence.calls.sort_by_key(|call| call.sent);
        true
    });
}
