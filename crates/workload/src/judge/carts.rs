//! Every line of every cart as a register: what was put, removed, sold and brought by logins.

use std::collections::{BTreeMap, HashMap};

use mworld_shop::cart::MergePolicy;

use crate::record::{Asked, Call, Caller, Got, OrderSeen};
use crate::stage::{ProductNo, UserNo};

use super::book::Book;
use super::merge::{self, Arrival, Brings, Joining};
use super::register::{Register, Values, Write, visible};
use super::span::{Effect, NEVER, Span};

/// What may have been in whose cart, and when.
pub(super) struct Carts {
    /// By product.
    owners: HashMap<Caller, Vec<(ProductNo, Register)>>,
    /// What a login has surely brought.
    brought: HashMap<usize, Vec<ProductNo>>,
}

impl Carts {
    /// The lines of an owner that were ever written.
    pub(super) fn lines(&self, owner: Caller) -> &[(ProductNo, Register)] {
        self.owners.get(&owner).map_or(&[], Vec::as_slice)
    }

    /// The products that a login has surely brought.
    pub(super) fn brought_by(&self, login: usize) -> &[ProductNo] {
        self.brought.get(&login).map_or(&[], Vec::as_slice)
    }

    /// Follows every cart through the run, for a store with this merge policy.
    pub(super) fn follow(book: &Book<'_>, policy: MergePolicy) -> Carts {
        let mut edits = edits(book);
        let mut arrivals: BTreeMap<(UserNo, ProductNo), Vec<Arrival>> = BTreeMap::new();
        let mut brought: HashMap<usize, Vec<ProductNo>> = HashMap::new();
        for (at, guest, user, effect) in logins(book) {
            let Some(span) = effect.span() else { continue };
            for (product, writes) in edits.entry(guest).or_default() {
                if let Some(arrival) = arrival(at, effect, writes, left_out(book, at, *product)) {
                    if arrival.sure {
                        brought.entry(at).or_default().push(*product);
                    }
                    arrivals.entry((user, *product)).or_default().push(arrival);
                }
                let sure = matches!(effect, Effect::Sure(_));
                writes.push(Write { span, sure, values: Values::OneOf(vec![0]), call: Some(at) });
            }
        }
        for (user, product) in arrivals.keys() {
            let lines = edits.entry(Caller::User(*user)).or_default();
            lines.entry(*product).or_insert_with(|| vec![nothing()]);
        }
        let sales = sales(book);
        let joining = Joining { policy, most: most_granted(book) };
        let registers = |(owner, lines): (Caller, BTreeMap<ProductNo, Vec<Write>>)| {
            let sold = sales.get(&owner).map_or(&[][..], Vec::as_slice);
            let line = |(product, mut writes): (ProductNo, Vec<Write>)| {
                writes.extend(sold.iter().cloned());
                if let Caller::User(user) = owner {
                    let came: Vec<&Arrival> = arrivals.get(&(user, product)).into_iter().flatten().collect();
                    merge::add(&mut writes, &came, joining);
                }
                (product, Register::new(writes))
            };
            (owner, lines.into_iter().map(line).collect())
        };
        Carts { owners: edits.into_iter().map(registers).collect(), brought }
    }
}

/// The most of anything that was ever granted: the store's limit, which nobody told us, is no lower. What was asked for
/// and never answered may have been more than the store allows.
fn most_granted(book: &Book<'_>) -> i64 {
    let bought = |order: &OrderSeen| order.items.iter().map(|line| line.quantity).max().unwrap_or(0);
    let granted = |call: &&Call| match &call.got {
        Got::Cart(cart) => {
            let put = if let Asked::Put { quantity, .. } = call.asked { quantity } else { 0 };
            cart.lines.iter().map(|line| line.quantity).fold(put, u32::max)
        }
        Got::Order { order, .. } => bought(order),
        Got::Orders { items, .. } => items.iter().map(bought).max().unwrap_or(0),
        _ => 0,
    };
    book.calls.iter().map(granted).max().unwrap_or(0).into()
}

/// Whether a login said that the user's cart had no line left for this product.
fn left_out(book: &Book<'_>, login: usize, product: ProductNo) -> bool {
    let Got::Cart(cart) = &book.calls[login].got else { return false };
    cart.left_out.iter().any(|id| book.product(*id) == Some(product))
}

/// An empty line, as every line is at the beginning.
fn nothing() -> Write {
    Write { span: Span::BEGINNING, sure: true, values: Values::OneOf(vec![0]), call: None }
}

/// What the owners themselves wrote.
fn edits(book: &Book<'_>) -> BTreeMap<Caller, BTreeMap<ProductNo, Vec<Write>>> {
    let mut edits: BTreeMap<Caller, BTreeMap<ProductNo, Vec<Write>>> = BTreeMap::new();
    for (at, call) in book.calls.iter().enumerate() {
        let (product, left) = match call.asked {
            Asked::Put { product, quantity } => (product, quantity.into()),
            Asked::Remove(product) => (product, 0),
            _ => continue,
        };
        let effect = Effect::of(call);
        let Some(span) = effect.span() else { continue };
        let line = edits.entry(call.by).or_default().entry(product).or_insert_with(|| vec![nothing()]);
        let sure = matches!(effect, Effect::Sure(_));
        line.push(Write { span, sure, values: Values::OneOf(vec![left]), call: Some(at) });
    }
    edits
}

/// Every login that may have moved a guest's cart: the call, from whom, to whom, and when.
fn logins(book: &Book<'_>) -> Vec<(usize, Caller, UserNo, Effect)> {
    let mut logins = Vec::new();
    for (at, call) in book.calls.iter().enumerate() {
        let (Caller::Guest(_), Asked::Login(user)) = (call.by, &call.asked) else { continue };
        let effect = match &call.got {
            // The cart is moved before the session is: a login can fail after that. Not one with a wrong password.
            Got::Refused { code, .. } if code != "bad_credentials" => Effect::Maybe(Span::of(call)),
            _ => Effect::of(call),
        };
        logins.push((at, call.by, *user, effect));
    }
    logins
}

/// What a login brings of one product, given what the guest has written; nothing, if there can be none.
fn arrival(call: usize, login: Effect, writes: &[Write], left_out: bool) -> Option<Arrival> {
    let span = login.span()?;
    let mut held: Vec<i64> = Vec::new();
    for at in visible(writes, span) {
        match &writes[at].values {
            Values::OneOf(values) => held.extend(values),
            Values::Any => return Some(Arrival { call, span, sure: false, brings: Brings::Unknown }),
        }
    }
    let sure = matches!(login, Effect::Sure(_)) && !held.contains(&0) && !left_out;
    held.retain(|quantity| *quantity > 0);
    held.sort_unstable();
    held.dedup();
    if held.is_empty() {
        return None;
    }
    let meanwhile = writes.iter().filter(|write| write.span.by >= span.from && write.span.from <= span.by);
    let again = meanwhile.filter_map(|write| match &write.values {
        Values::OneOf(values) => values.iter().copied().find(|quantity| *quantity > 0),
        Values::Any => None,
    });
    let brings = match login {
        Effect::Sure(_) => Brings::OneOf(held, again.collect()),
        _ => Brings::Unknown,
    };
    Some(Arrival { call, span, sure, brings })
}

/// What checkouts took out of the carts: everything at once. The cart may be emptied a little after the order can be
/// seen, but no later than its buyer is told.
fn sales(book: &Book<'_>) -> HashMap<Caller, Vec<Write>> {
    let mut sales: HashMap<Caller, Vec<Write>> = HashMap::new();
    for key in &book.keys {
        let (span, sure, call) = match (key.made, book.may_make_order_from(key)) {
            (Some(made), _) => {
                (made.span, true, key.attempts.iter().find(|at| **at == made.told_by).copied())
            }
            (None, Some(from)) => (Span { from, by: NEVER }, false, key.attempts.last().copied()),
            (None, None) => continue,
        };
        let write = Write { span, sure, values: Values::OneOf(vec![0]), call };
        sales.entry(Caller::User(key.user)).or_default().push(write);
    }
    sales
}
