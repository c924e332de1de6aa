//! A cart that was shown, or sold, against what can have been in it.

use mworld_shop::ProductId;

use crate::record::{Caller, CartSeen, Micros, OrderSeen};
use crate::stage::ProductNo;

use super::book::Book;
use super::carts::Carts;
use super::register::{Register, Values, Write};
use super::span::Span;
use super::words;

/// The contents of a cart as an answer tells them.
pub(super) struct View<'v> {
    /// Whose cart.
    pub(super) owner: Caller,
    /// When it was like that.
    pub(super) read: Span,
    /// The call that tells it.
    pub(super) call: usize,
    /// How the answer is named: "the cart of …", "order …".
    pub(super) what: String,
    /// The lines.
    pub(super) lines: Vec<(ProductId, u32)>,
    /// Products that the call itself has written: nothing from before it counts for them.
    pub(super) written: &'v [ProductNo],
    /// A call whose own emptying of the cart came after what was read.
    pub(super) except: Option<usize>,
}

/// What is wrong with a view, and which calls show it.
pub(super) struct Fault {
    pub(super) detail: String,
    pub(super) shown_by: Vec<usize>,
}

impl<'v> View<'v> {
    /// A cart in an answer.
    pub(super) fn of_cart(book: &Book<'_>, call: usize, owner: Caller, cart: &CartSeen) -> View<'v> {
        let what = format!("the cart of {}", words::owner(owner));
        let lines = cart.lines.iter().map(|line| (line.product, line.quantity)).collect();
        View { owner, read: Span::of(book.calls[call]), call, what, lines, written: &[], except: None }
    }

    /// The cart that an order was made of.
    pub(super) fn of_order(owner: Caller, call: usize, placed: Span, order: &OrderSeen) -> View<'v> {
        let what = format!("order {} of {}", order.id, words::owner(owner));
        let lines = order.items.iter().map(|line| (line.product, line.quantity)).collect();
        View { owner, read: placed, call, what, lines, written: &[], except: None }
    }

    /// Everything in it that cannot have been so.
    pub(super) fn faults(&self, book: &Book<'_>, carts: &Carts) -> Vec<Fault> {
        let (shown, strange) = self.by_product(book);
        let told = format!("{} says that {} holds", book.call(self.call), self.what);
        let strange = strange.into_iter().map(|what| format!("{told} {what}"));
        let mut faults: Vec<Fault> =
            strange.map(|detail| Fault { detail, shown_by: vec![self.call] }).collect();
        let registers = carts.lines(self.owner);
        for (product, register) in registers {
            let at = shown.binary_search_by_key(product, |(shown, _)| *shown);
            let quantity = at.map_or(0, |at| shown[at].1);
            if !self.is_possible(*product, register, quantity) {
                faults.push(self.fault(book, &told, *product, register, quantity));
            }
        }
        for (product, quantity) in &shown {
            if registers.binary_search_by_key(product, |(known, _)| *known).is_err() {
                let detail = format!("{told} {quantity} of {}, which nobody put there", book.goods(*product));
                faults.push(Fault { detail, shown_by: vec![self.call] });
            }
        }
        faults
    }

    fn is_possible(&self, product: ProductNo, register: &Register, quantity: i64) -> bool {
        register.can_show_after(quantity, self.read, self.floor(product), self.except)
    }

    fn floor(&self, product: ProductNo) -> Micros {
        if self.written.contains(&product) { self.read.from } else { 0 }
    }

    /// Quantities by product, and what else there is.
    fn by_product(&self, book: &Book<'_>) -> (Vec<(ProductNo, i64)>, Vec<String>) {
        let (mut known, mut strange) = (Vec::new(), Vec::new());
        for (id, quantity) in &self.lines {
            match book.product(*id) {
                Some(product) => known.push((product, i64::from(*quantity))),
                None => {
                    strange.push(format!("{quantity} of {}, which nobody put there", book.goods_by_id(*id)));
                }
            }
        }
        known.sort_unstable();
        for pair in known.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            strange.push(format!("two lines of {}", book.goods(pair[0].0)));
        }
        known.dedup_by_key(|(product, _)| *product);
        (known, strange)
    }

    fn fault(
        &self,
        book: &Book<'_>,
        told: &str,
        product: ProductNo,
        register: &Register,
        quantity: i64,
    ) -> Fault {
        let floor = self.floor(product);
        let counts =
            |write: &&Write| write.span.by >= floor && (self.except.is_none() || write.call != self.except);
        let mut possible: Vec<i64> = Vec::new();
        for write in register.visible(self.read).filter(counts) {
            match &write.values {
                Values::OneOf(values) => possible.extend(values),
                Values::Any => {}
            }
        }
        possible.sort_unstable();
        possible.dedup();
        let goods = book.goods(product);
        let mut detail = format!("{told} {quantity} of {goods}; it can only be {}", words::choice(&possible));
        let mut shown_by = vec![self.call];
        let last = register.last_before(self.read.from).and_then(|write| write.call);
        match last {
            Some(last) if floor == 0 => {
                detail.push_str(&format!(": {} was answered before, and so it stands", book.call(last)));
                shown_by.push(last);
            }
            _ if floor > 0 => detail.push_str(": this very call has written it"),
            _ => detail.push_str(": nothing else was asked for"),
        }
        Fault { detail, shown_by }
    }
}
