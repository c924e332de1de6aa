//! A wholesale buyer makes tens of thousands of calls; the judge may not take the square of that.

use std::time::Duration;

use crate::judge::judge;
use crate::record::{Asked, Caller, Evidence, Got};
use crate::stage::UserNo;

use super::story::{self, PAID, cart, made, order, put, stage};

const PRODUCTS: u32 = 20;

/// One buyer who goes so often through put, look, check out, pay, look at the history.
fn wholesale(rounds: u32) -> Evidence {
    let mut story = story::Story::begin();
    story.evidence.stage = stage(PRODUCTS, 1);
    for product in &mut story.evidence.stage.products {
        product.stock = vec![rounds, rounds];
    }
    let by = Caller::User(UserNo(0));
    let mut paid = Vec::new();
    for round in 0..rounds {
        let at = 10_000 + u64::from(round) * 10_000;
        let product = round % PRODUCTS;
        let lines = &[(product, 1)];
        story.call(by, at..at + 1_500, put(product, 1), cart(lines));
        story.call(by, at + 1_600..at + 2_500, Asked::Cart, cart(lines));
        story.call(by, at + 3_000..at + 4_000, story::place(&round.to_string()), made_at(round, lines));
        story.call(by, at + 5_000..at + 6_000, story::pay(round), paid_at(round, lines));
        paid.push(paid_at(round, lines));
        let newest = paid.iter().rev().take(20).filter_map(|got| match got {
            Got::Order { order, .. } => Some(order.clone()),
            _ => None,
        });
        let page =
            Got::Orders { items: newest.collect(), next: (paid.len() > 20).then(|| round.to_string()) };
        story.call(by, at + 7_000..at + 8_000, Asked::History { limit: 20, cursor: None }, page);
    }
    story.evidence
}

fn dated(no: u32, got: Got) -> Got {
    let Got::Order { mut order, created } = got else { panic!("an order is an order") };
    order.created_at = mworld_shop::Timestamp::from_micros(1_000_000 + i64::from(no)).to_string();
    Got::Order { order, created }
}

fn made_at(no: u32, lines: &[(u32, u32)]) -> Got {
    dated(no, made(no, lines))
}

fn paid_at(no: u32, lines: &[(u32, u32)]) -> Got {
    dated(no, Got::Order { order: order(no, PAID, lines), created: false })
}

/// Of this thread alone: what else the machine does hardly matters.
fn processor_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(now).expect("time that was used is not negative")
}

fn time(rounds: u32) -> Duration {
    let evidence = wholesale(rounds);
    let started = processor_time();
    let verdict = judge(&evidence);
    let took = processor_time() - started;
    assert!(verdict.ok, "{:#?}", verdict.violations);
    println!("{} calls took {took:?}", evidence.calls.len());
    took
}

/// Eight times the calls may take some ten times as long, not sixty-four times. The bound lies far from both, so that
/// a busy machine does not matter; the shortest of three counts.
#[test]
fn eight_times_the_calls_do_not_take_sixty_four_times_as_long() {
    let shortest = |rounds| (0..3).map(|_| time(rounds)).min().expect("three times");
    let (few, many) = (shortest(500), shortest(4_000));
    assert!(many < few * 30, "{few:?} for 2,500 calls, {many:?} for 20,000");
}
