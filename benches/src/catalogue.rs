//! The products of the stores under test: those of `mworld serve --demo`, with shelves that never empty.

use mworld_shop::product::ProductDraft;
use mworld_shop::{Category, Money, ProductId, Settings};

/// The demo's own source: what is measured is the catalogue that everybody can look at. It belongs to the binary, so
/// it is taken in as text and not as a library.
#[path = "../../crates/mworld/src"]
#[allow(dead_code, unreachable_pub)] // what only the binary needs of it is not used here
mod binary {
    pub(super) mod demo;
}

/// More than any run sells: a benchmark of refusals would look fast.
const PIECES: u32 = 100_000_000;

/// Product `n`.
pub(crate) fn product(settings: &Settings, n: u64) -> (ProductId, ProductDraft) {
    let (id, mut draft) = binary::demo::Demo::new(binary::demo::SEED, settings).product(n);
    for stock in draft.stock.iter_mut().flatten() {
        stock.quantity = PIECES;
    }
    (id, draft)
}

/// What requests need to know of a product.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) id: ProductId,
    pub(crate) category: Category,
    pub(crate) name: String,
    pub(crate) price: Money,
}

/// Enough products that no cache of a few pages holds them, few enough to keep in memory: evenly taken from all.
const KNOWN: u64 = 50_000;

/// Some of the first `products` products, spread over all of them.
pub(crate) fn known(settings: &Settings, products: u64) -> Vec<Known> {
    let wanted = products.min(KNOWN);
    let nth = |i: u64| {
        let (id, draft) = product(settings, i * products / wanted);
        Known { id, category: draft.category, name: draft.name, price: draft.price }
    };
    (0..wanted).map(nth).collect()
}
