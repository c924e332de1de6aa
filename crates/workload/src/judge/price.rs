//! Rule `price`: an order's lines cost what the products cost at the checkout, its total is their sum, and it is what
//! the buyer expected to pay.

use crate::record::{Asked, CartSeen, Got};

use super::book::Book;
use super::findings::{Findings, Rule};
use super::orders::OrderFile;
use super::register::{Register, Values, Write};
use super::span::{Effect, Span};
use super::words;

/// Looks at every order, and at the prices that carts and product pages show.
pub(super) fn check(book: &Book<'_>, findings: &mut Findings) {
    let prices = prices(book);
    for order in &book.orders {
        findings.checked(Rule::Price);
        order_prices(book, order, &prices, findings);
        order_total(book, order, findings);
    }
    for (at, call) in book.calls.iter().enumerate() {
        match (&call.asked, &call.got) {
            (_, Got::Cart(cart)) => {
                findings.checked(Rule::Price);
                cart_prices(book, at, cart, &prices, findings);
            }
            (Asked::Product(product), Got::Product { price, .. }) => {
                // A page may be old by the store's policy; but a price that never was is no old one.
                findings.checked(Rule::Price);
                let known = prices.get(product.0 as usize);
                if known.is_some_and(|known| !known.was_ever(*price, call.ended)) {
                    let goods = book.goods(*product);
                    let detail = format!("{} shows {goods} at {price}, which it never cost", book.call(at));
                    findings.accuse(Rule::Price, [*call], detail);
                }
            }
            _ => {}
        }
    }
}

/// What each product can have cost, and when.
fn prices(book: &Book<'_>) -> Vec<Register> {
    let first =
        |price| Write { span: Span::BEGINNING, sure: true, values: Values::OneOf(vec![price]), call: None };
    let mut writes: Vec<Vec<Write>> =
        book.stage.products.iter().map(|product| vec![first(product.price)]).collect();
    for (at, call) in book.calls.iter().enumerate() {
        let Asked::Reprice { product, price } = call.asked else { continue };
        let (effect, of) = (Effect::of(call), writes.get_mut(product.0 as usize));
        let (Some(span), Some(of)) = (effect.span(), of) else { continue };
        let sure = matches!(effect, Effect::Sure(_));
        of.push(Write { span, sure, values: Values::OneOf(vec![price]), call: Some(at) });
    }
    writes.into_iter().map(Register::new).collect()
}

fn order_prices(book: &Book<'_>, order: &OrderFile<'_>, prices: &[Register], findings: &mut Findings) {
    let told = &order.sightings[0];
    for line in &order.told().items {
        let Some(product) = book.product(line.product) else { continue };
        let Some(register) = prices.get(product.0 as usize) else { continue };
        if register.can_show(line.price, order.placed) {
            continue;
        }
        let mut possible: Vec<i64> = Vec::new();
        for write in register.visible(order.placed) {
            if let Values::OneOf(values) = &write.values {
                possible.extend(values);
            }
        }
        possible.sort_unstable();
        possible.dedup();
        let detail = format!(
            "{} tells of order {} with {} at {}; at the checkout it cost {}",
            book.call(told.call),
            order.id,
            book.goods(product),
            line.price,
            words::choice(&possible)
        );
        let repriced = register.last_before(order.placed.from).and_then(|write| write.call);
        let shown_by = [Some(told.call), repriced].into_iter().flatten();
        findings.accuse(Rule::Price, shown_by.map(|at| book.calls[at]), detail);
    }
}

fn order_total(book: &Book<'_>, order: &OrderFile<'_>, findings: &mut Findings) {
    let (told, first) = (order.told(), order.sightings[0].call);
    let sum = sum(told.items.iter().map(|line| (line.price, line.quantity)));
    if i128::from(told.total) != sum {
        let (call, id, total) = (book.call(first), order.id, told.total);
        let detail =
            format!("{call} tells of order {id} with a total of {total}, but its lines come to {sum}");
        findings.accuse(Rule::Price, [book.calls[first]], detail);
    }
    let Some(key) = order.key.map(|key| &book.keys[key]) else { return };
    if let Some(expected) = key.expect_total.filter(|expected| *expected != told.total) {
        let (call, id, total) = (book.call(first), order.id, told.total);
        let detail = format!("{call} expected to pay {expected}, but order {id} costs {total}");
        findings.accuse(Rule::Price, [book.calls[first]], detail);
    }
}

/// A cart shows the prices of its puts, which may be long ago.
fn cart_prices(book: &Book<'_>, at: usize, cart: &CartSeen, prices: &[Register], findings: &mut Findings) {
    let call = book.calls[at];
    for line in &cart.lines {
        let Some(product) = book.product(line.product) else { continue };
        let known = prices.get(product.0 as usize);
        if known.is_some_and(|known| !known.was_ever(line.price, call.ended)) {
            let (told, goods, price) = (book.call(at), book.goods(product), line.price);
            let detail = format!("{told} shows a cart with {goods} at {price}, which it never cost");
            findings.accuse(Rule::Price, [call], detail);
        }
    }
    let sum = sum(cart.lines.iter().map(|line| (line.price, line.quantity)));
    if i128::from(cart.total) != sum {
        let (told, total) = (book.call(at), cart.total);
        let detail = format!("{told} shows a cart with a total of {total}, but its lines come to {sum}");
        findings.accuse(Rule::Price, [call], detail);
    }
}

fn sum(lines: impl Iterator<Item = (i64, u32)>) -> i128 {
    lines.map(|(price, quantity)| i128::from(price) * i128::from(quantity)).sum()
}
