//! A small language for telling a run: who asked what and when, and what came back.

use std::ops::Range;

use mworld_shop::order::OrderStatus;
use mworld_shop::{OrderId, ProductId, UserId};
use uuid::Uuid;

use crate::judge::judge;
use crate::record::{
    Asked, Call, Caller, CartLine, CartSeen, Evidence, Got, Micros, OrderLine, OrderSeen, Why,
};
use crate::report::Verdict;
use crate::stage::{ProductNo, Stage, StagedProduct, StagedUser, UserNo, ZoneNo};

/// Two users and a guest.
pub(super) const ANN: Caller = Caller::User(UserNo(0));
pub(super) const BOB: Caller = Caller::User(UserNo(1));
pub(super) const GUEST: Caller = Caller::Guest(7);
/// The operator.
pub(super) const SHOP: Caller = Caller::Shop;

/// A run that is being told.
pub(super) struct Story {
    pub(super) evidence: Evidence,
    now: Micros,
}

/// A stage: product *n* costs 100 × (n + 1) and has 10 pieces in each zone.
pub(super) fn stage(products: u32, users: u32) -> Stage {
    let product = |no: u32| StagedProduct {
        id: product_id(no),
        name: format!("thing {no}"),
        category: "audio".to_owned(),
        price: price(no),
        stock: vec![10, 10],
    };
    let user = |no: u32| StagedUser {
        id: UserId::from_uuid(Uuid::from_u128(2_000 + u128::from(no))),
        email: format!("{no}@example.org"),
    };
    Stage {
        products: (0..products).map(product).collect(),
        users: (0..users).map(user).collect(),
        zones: vec!["msk".to_owned(), "spb".to_owned()],
        currency: "RUB".to_owned(),
    }
}

impl Story {
    pub(super) fn begin() -> Story {
        Story { evidence: Evidence { stage: stage(3, 2), calls: Vec::new(), readings: Vec::new() }, now: 0 }
    }

    /// A call that was sent at the beginning of the range and ended at its end.
    pub(super) fn call(&mut self, by: Caller, span: Range<Micros>, asked: Asked, got: Got) -> &mut Story {
        let n = Some(self.evidence.calls.len() as u64);
        self.now = self.now.max(span.end);
        let call = Call { n, attempt: 0, by, sent: span.start, ended: span.end, asked, got };
        self.evidence.calls.push(call);
        self
    }

    /// Something that was read after everything before it.
    pub(super) fn reading(&mut self, by: Caller, asked: Asked, got: Got) -> &mut Story {
        let (sent, ended) = (self.now + 10, self.now + 20);
        self.now = ended;
        self.evidence.readings.push(Call { n: None, attempt: 0, by, sent, ended, asked, got });
        self
    }

    pub(super) fn verdict(&mut self) -> Verdict {
        self.evidence.calls.sort_by_key(|call| call.sent);
        judge(&self.evidence)
    }

    /// An honest store can have done this.
    #[track_caller]
    pub(super) fn is_sound(&mut self) {
        let verdict = self.verdict();
        assert!(verdict.ok, "falsely accused: {:#?}", verdict.violations);
        assert!(verdict.checked > 0);
    }

    /// No honest store can have done this; the rule that says so, and the words it uses.
    #[track_caller]
    pub(super) fn breaks(&mut self, rule: &str, words: &str) {
        let verdict = self.verdict();
        let of_rule: Vec<_> = verdict.violations.iter().filter(|told| told.rule == rule).collect();
        assert!(!of_rule.is_empty(), "{rule} found nothing: {:#?}", verdict.violations);
        let told = of_rule.iter().any(|told| told.detail.contains(words));
        assert!(told, "no {words:?} in {of_rule:#?}");
        assert!(!verdict.ok);
    }
}

/// What Ann buys in most stories.
pub(super) const LINES: &[(u32, u32)] = &[(0, 3)];

/// Ann has put three pieces and ordered them, with key "a" as order 1.
pub(super) fn with_order() -> Story {
    let mut story = Story::begin();
    story.call(ANN, 10..20, put(0, 3), cart(LINES));
    story.call(ANN, 30..40, place("a"), made(1, LINES));
    story
}

pub(super) fn product_id(no: u32) -> ProductId {
    ProductId::from_uuid(Uuid::from_u128(1_000 + u128::from(no)))
}

pub(super) fn price(no: u32) -> i64 {
    100 * (i64::from(no) + 1)
}

pub(super) fn order_id(no: u32) -> OrderId {
    OrderId::from_uuid(Uuid::from_u128(5_000 + u128::from(no)))
}

pub(super) fn put(product: u32, quantity: u32) -> Asked {
    Asked::Put { product: ProductNo(product), quantity }
}

pub(super) fn remove(product: u32) -> Asked {
    Asked::Remove(ProductNo(product))
}

pub(super) fn login(user: Caller) -> Asked {
    let Caller::User(user) = user else { panic!("only users log in") };
    Asked::Login(user)
}

pub(super) fn place(key: &str) -> Asked {
    Asked::Place { key: key.to_owned(), zone: ZoneNo(0), expect_total: None }
}

pub(super) fn pay(order: u32) -> Asked {
    Asked::Pay(order_id(order))
}

pub(super) fn cancel(order: u32) -> Asked {
    Asked::Cancel(order_id(order))
}

pub(super) fn show(order: u32) -> Asked {
    Asked::Order(order_id(order))
}

pub(super) fn history() -> Asked {
    Asked::History { limit: 100, cursor: None }
}

pub(super) fn page(cursor: &str) -> Asked {
    Asked::History { limit: 2, cursor: Some(cursor.to_owned()) }
}

pub(super) fn stock(product: u32) -> Asked {
    Asked::Stock(ProductNo(product))
}

pub(super) fn restock(product: u32, units: u32) -> Asked {
    Asked::Restock { product: ProductNo(product), zone: ZoneNo(0), units }
}

pub(super) fn reprice(product: u32, price: i64) -> Asked {
    Asked::Reprice { product: ProductNo(product), price }
}

/// A cart of (product, quantity).
pub(super) fn cart(lines: &[(u32, u32)]) -> Got {
    let line = |(no, quantity): &(u32, u32)| CartLine {
        product: product_id(*no),
        quantity: *quantity,
        price: price(*no),
    };
    let total = lines.iter().map(|(no, quantity)| price(*no) * i64::from(*quantity)).sum();
    Got::Cart(CartSeen { lines: lines.iter().map(line).collect(), total, left_out: Vec::new() })
}

/// The cart after a login that has left a product out, and said so.
pub(super) fn cart_without(left_out: u32, lines: &[(u32, u32)]) -> Got {
    let Got::Cart(seen) = cart(lines) else { panic!("a cart is a cart") };
    Got::Cart(CartSeen { left_out: vec![product_id(left_out)], ..seen })
}

/// An order of (product, quantity); orders with higher numbers are newer.
pub(super) fn order(no: u32, status: OrderStatus, lines: &[(u32, u32)]) -> OrderSeen {
    let line = |(no, quantity): &(u32, u32)| OrderLine {
        product: product_id(*no),
        quantity: *quantity,
        price: price(*no),
    };
    OrderSeen {
        id: order_id(no),
        status,
        zone: "msk".to_owned(),
        items: lines.iter().map(line).collect(),
        total: lines.iter().map(|(no, quantity)| price(*no) * i64::from(*quantity)).sum(),
        created_at: format!("2026-11-27T08:{:02}:{:02}.000000Z", no / 60, no % 60),
    }
}

pub(super) fn made(no: u32, lines: &[(u32, u32)]) -> Got {
    Got::Order { order: order(no, OrderStatus::Created, lines), created: true }
}

pub(super) fn repeated(no: u32, lines: &[(u32, u32)]) -> Got {
    Got::Order { order: order(no, OrderStatus::Created, lines), created: false }
}

pub(super) fn told(no: u32, status: OrderStatus, lines: &[(u32, u32)]) -> Got {
    Got::Order { order: order(no, status, lines), created: false }
}

pub(super) fn orders(items: &[OrderSeen]) -> Got {
    Got::Orders { items: items.to_vec(), next: None }
}

pub(super) fn first_page(items: &[OrderSeen], next: &str) -> Got {
    Got::Orders { items: items.to_vec(), next: Some(next.to_owned()) }
}

pub(super) fn left(units: u32) -> Got {
    Got::Stock(vec![units, 10])
}

pub(super) fn refused(code: &str) -> Got {
    Got::Refused { status: 409, code: code.to_owned(), left: Vec::new() }
}

pub(super) fn lost() -> Got {
    Got::Unknown(Why::TimedOut)
}

pub(super) const CREATED: OrderStatus = OrderStatus::Created;
pub(super) const PAID: OrderStatus = OrderStatus::Paid;
pub(super) const CANCELLED: OrderStatus = OrderStatus::Cancelled;
