//! How calls, products and people are named in a violation.

use mworld_shop::ProductId;

use crate::record::{Call, Caller};
use crate::stage::ProductNo;

use super::book::Book;

impl Book<'_> {
    /// "operation 17 (cart.put)".
    pub(super) fn call(&self, at: usize) -> String {
        named(self.calls[at])
    }

    /// What a product is called.
    pub(super) fn goods(&self, product: ProductNo) -> String {
        match self.stage.products.get(product.0 as usize) {
            Some(known) => format!("{:?}", known.name),
            None => format!("product {}", product.0),
        }
    }

    /// What a product is called, or its id if the run does not know it.
    pub(super) fn goods_by_id(&self, id: ProductId) -> String {
        self.product(id).map_or_else(|| format!("the strange product {id}"), |product| self.goods(product))
    }
}

/// "operation 17 (cart.put)".
pub(super) fn named(call: &Call) -> String {
    let name = call.asked.operation().name();
    match (call.n, call.attempt) {
        (Some(n), 0) => format!("operation {n} ({name})"),
        (Some(n), again) => format!("operation {n} ({name}, sent again {again} times)"),
        (None, _) => format!("a reading after the end ({name})"),
    }
}

/// "user 3".
pub(super) fn owner(of: Caller) -> String {
    match of {
        Caller::Guest(journey) => format!("the guest of journey {journey}"),
        Caller::User(user) => format!("user {}", user.0),
        Caller::Shop => "the shop".to_owned(),
    }
}

/// "1, 2 or 5".
pub(super) fn choice(values: &[i64]) -> String {
    match values {
        [] => "nothing".to_owned(),
        [one] => one.to_string(),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(ToString::to_string).collect();
            format!("{} or {last}", first.join(", "))
        }
    }
}
