//! Rule `cart`: a cart holds what was put and not removed, through logins and checkouts, and what a write answers is
//! what it wrote.

use crate::record::{Asked, Caller, Got};
use crate::stage::ProductNo;

use super::book::Book;
use super::carts::Carts;
use super::findings::{Findings, Rule};
use super::span::Span;
use super::views::View;
use super::words;

/// Looks at the answers of all cart writes and at the carts that were read after the end.
pub(super) fn check(book: &Book<'_>, carts: &Carts, findings: &mut Findings) {
    for (at, call) in book.calls.iter().enumerate() {
        match (&call.asked, &call.got) {
            (Asked::Put { product, .. } | Asked::Remove(product), Got::Cart(cart)) => {
                let view = View { written: &[*product], ..View::of_cart(book, at, call.by, cart) };
                compare(book, carts, &view, findings);
            }
            (Asked::Login(user), Got::Cart(cart)) => {
                let view = View::of_cart(book, at, Caller::User(*user), cart);
                let written: &[ProductNo] = carts.brought_by(at);
                compare(book, carts, &View { written, ..view }, findings);
            }
            (Asked::Cart, Got::Cart(cart)) if book.is_reading(at) => {
                compare(book, carts, &View::of_cart(book, at, call.by, cart), findings);
            }
            (Asked::Place { .. }, Got::Refused { code, .. }) if code == "cart_empty" => {
                found_empty(book, carts, at, findings);
            }
            _ => {}
        }
    }
}

fn compare(book: &Book<'_>, carts: &Carts, view: &View<'_>, findings: &mut Findings) {
    findings.checked(Rule::Cart);
    for fault in view.faults(book, carts) {
        findings.accuse(Rule::Cart, fault.shown_by.iter().map(|at| book.calls[*at]), fault.detail);
    }
}

/// A checkout that was refused because there was nothing to buy.
fn found_empty(book: &Book<'_>, carts: &Carts, at: usize, findings: &mut Findings) {
    findings.checked(Rule::Cart);
    let call = book.calls[at];
    let read = Span::of(call);
    let lines = carts.lines(call.by).iter();
    let Some((product, register)) = lines.into_iter().find(|(_, register)| !register.can_show(0, read))
    else {
        return;
    };
    let last = register.last_before(read.from).and_then(|write| write.call);
    let (goods, owner) = (book.goods(*product), words::owner(call.by));
    let mut detail = format!("{} was refused because the cart of {owner} was empty", book.call(at));
    detail.push_str(&format!(", but it must have held {goods}"));
    if let Some(last) = last {
        detail.push_str(&format!(": {} was answered before, and so it stands", book.call(last)));
    }
    let shown_by = [Some(at), last].into_iter().flatten().map(|at| book.calls[at]);
    findings.accuse(Rule::Cart, shown_by, detail);
}
