//! A shop in memory that keeps every promise: what the judge is tested against.

use std::collections::{BTreeMap, HashMap, HashSet};

use mworld_shop::OrderId;
use mworld_shop::cart::MergePolicy;
use mworld_shop::order::OrderStatus;
use uuid::Uuid;

use crate::record::{Asked, Caller, CartLine, CartSeen, Got, Micros, OrderLine, OrderSeen};
use crate::stage::{Stage, UserNo, ZoneNo};

use super::story::refused;

/// How long an unpaid order lives in it.
pub(super) const HOLD: Micros = 70_000_000;

/// The shop. Everything happens at once, one thing after the other.
pub(super) struct Shop {
    stage: Stage,
    policy: MergePolicy,
    prices: Vec<i64>,
    stock: Vec<Vec<u32>>,
    carts: HashMap<Caller, BTreeMap<u32, (u32, i64)>>,
    keys: HashMap<(UserNo, String), usize>,
    orders: Vec<(UserNo, Micros, OrderSeen)>,
    /// Guests who have logged in: their tokens are dead.
    gone: HashSet<Caller>,
}

impl Shop {
    pub(super) fn open(stage: &Stage, policy: MergePolicy) -> Shop {
        Shop {
            stage: stage.clone(),
            policy,
            prices: stage.products.iter().map(|product| product.price).collect(),
            stock: stage.products.iter().map(|product| product.stock.clone()).collect(),
            carts: HashMap::new(),
            keys: HashMap::new(),
            orders: Vec::new(),
            gone: HashSet::new(),
        }
    }

    /// Carries out one call at one instant.
    pub(super) fn carry_out(&mut self, by: Caller, asked: &Asked, now: Micros) -> Got {
        if self.gone.contains(&by) {
            return refused("unauthorized");
        }
        match asked {
            Asked::Search | Asked::Open => Got::Done,
            Asked::Product(product) => {
                Got::Product { price: self.prices[product.0 as usize], stock: Vec::new() }
            }
            Asked::Stock(product) => Got::Stock(self.stock[product.0 as usize].clone()),
            Asked::Cart => self.cart(by),
            Asked::Put { product, quantity } => {
                let price = self.prices[product.0 as usize];
                self.carts.entry(by).or_default().insert(product.0, (*quantity, price));
                self.cart(by)
            }
            Asked::Remove(product) => {
                self.carts.entry(by).or_default().remove(&product.0);
                self.cart(by)
            }
            Asked::Login(user) => self.login(by, *user),
            Asked::Place { key, zone, expect_total } => self.place(by, key, *zone, *expect_total, now),
            Asked::Pay(id) => self.step(*id, OrderStatus::Paid),
            Asked::Cancel(id) => self.step(*id, OrderStatus::Cancelled),
            Asked::Order(id) => match self.orders.iter().find(|(.., order)| order.id == *id) {
                Some((.., order)) => Got::Order { order: order.clone(), created: false },
                None => refused("order_not_found"),
            },
            Asked::History { limit, cursor } => self.history(by, *limit, cursor.as_deref()),
            Asked::Reprice { product, price } => {
                self.prices[product.0 as usize] = *price;
                Got::Done
            }
            Asked::Restock { product, zone, units } => {
                self.stock[product.0 as usize][zone.0 as usize] += units;
                Got::Done
            }
        }
    }

    fn cart(&self, of: Caller) -> Got {
        let lines = self.carts.get(&of).into_iter().flatten();
        let line = |(no, (quantity, price)): (&u32, &(u32, i64))| CartLine {
            product: self.stage.products[*no as usize].id,
            quantity: *quantity,
            price: *price,
        };
        let lines: Vec<CartLine> = lines.map(line).collect();
        let total = lines.iter().map(|line| line.price * i64::from(line.quantity)).sum();
        Got::Cart(CartSeen { lines, total, left_out: Vec::new() })
    }

    fn login(&mut self, guest: Caller, user: UserNo) -> Got {
        self.gone.insert(guest);
        let brought = self.carts.remove(&guest).unwrap_or_default();
        let own = self.carts.entry(Caller::User(user)).or_default();
        for (product, (quantity, price)) in brought {
            let known = own.get(&product).map(|(known, _)| *known);
            let joined = known.map_or(quantity, |known| self.policy.combine(known, quantity));
            own.insert(product, (joined.min(999), price));
        }
        self.cart(Caller::User(user))
    }

    fn place(&mut self, by: Caller, key: &str, zone: ZoneNo, expect: Option<i64>, now: Micros) -> Got {
        let Caller::User(user) = by else { return refused("login_required") };
        if let Some(known) = self.keys.get(&(user, key.to_owned())) {
            return Got::Order { order: self.orders[*known].2.clone(), created: false };
        }
        let cart = self.carts.get(&by).cloned().unwrap_or_default();
        if cart.is_empty() {
            return refused("cart_empty");
        }
        let at = zone.0 as usize;
        let short = cart.iter().filter(|(no, (quantity, _))| self.stock[**no as usize][at] < *quantity);
        let left: Vec<_> = short
            .map(|(no, _)| (self.stage.products[*no as usize].id, self.stock[*no as usize][at]))
            .collect();
        if !left.is_empty() {
            return Got::Refused { status: 409, code: "insufficient_stock".to_owned(), left };
        }
        let line = |(no, (quantity, _)): (&u32, &(u32, i64))| OrderLine {
            product: self.stage.products[*no as usize].id,
            quantity: *quantity,
            price: self.prices[*no as usize],
        };
        let items: Vec<OrderLine> = cart.iter().map(line).collect();
        let total = items.iter().map(|line| line.price * i64::from(line.quantity)).sum();
        if expect.is_some_and(|expect| expect != total) {
            return refused("price_changed");
        }
        for (no, (quantity, _)) in &cart {
            self.stock[*no as usize][at] -= quantity;
        }
        self.carts.remove(&by);
        let id = OrderId::from_uuid(Uuid::from_u128(9_000_000 + self.orders.len() as u128));
        let created_at = mworld_shop::Timestamp::from_micros(now.cast_signed()).to_string();
        let zone = self.stage.zones[at].clone();
        let order = OrderSeen { id, status: OrderStatus::Created, zone, items, total, created_at };
        self.keys.insert((user, key.to_owned()), self.orders.len());
        self.orders.push((user, now, order.clone()));
        Got::Order { order, created: true }
    }

    fn step(&mut self, id: OrderId, to: OrderStatus) -> Got {
        let Some(at) = self.orders.iter().position(|(.., order)| order.id == id) else {
            return refused("order_not_found");
        };
        if self.orders[at].2.status.step(to).is_err() {
            return refused("illegal_transition");
        }
        self.orders[at].2.status = to;
        let order = self.orders[at].2.clone();
        if to == OrderStatus::Cancelled {
            self.give_back(&order);
        }
        Got::Order { order, created: false }
    }

    fn give_back(&mut self, order: &OrderSeen) {
        let zone = self.stage.zones.iter().position(|zone| *zone == order.zone).expect("a known zone");
        for line in &order.items {
            let product = self.stage.products.iter().position(|product| product.id == line.product);
            self.stock[product.expect("a known product")][zone] += line.quantity;
        }
    }

    /// Cancels what stayed unpaid too long.
    pub(super) fn sweep(&mut self, now: Micros) {
        for at in 0..self.orders.len() {
            let (_, placed, order) = &self.orders[at];
            if order.status == OrderStatus::Created && placed + HOLD <= now {
                let id = order.id;
                self.step(id, OrderStatus::Cancelled);
            }
        }
    }

    /// The cursor is the place of the last order shown.
    fn history(&self, by: Caller, limit: u32, cursor: Option<&str>) -> Got {
        let Caller::User(user) = by else { return refused("login_required") };
        let end = cursor.map_or(self.orders.len(), |cursor| cursor.parse().expect("our own cursor"));
        let own = (0..end).rev().filter(|at| self.orders[*at].0 == user);
        let mut found: Vec<usize> = own.take(limit as usize + 1).collect();
        let more = found.len() > limit as usize;
        found.truncate(limit as usize);
        let next = found.last().filter(|_| more).map(ToString::to_string);
        Got::Orders { items: found.iter().map(|at| self.orders[*at].2.clone()).collect(), next }
    }
}
