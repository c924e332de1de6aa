//! How much of the traffic each operation is.

use std::collections::BTreeMap;

use mworld_shop::Operation;

use super::share::Share;

/// The operations that a journey may have, and the shop's own two; the rest of the shop's operations happen inside of
/// them.
pub(super) const MIXED: [Operation; 15] = [
    Operation::CatalogSearch,
    Operation::CatalogProduct,
    Operation::CatalogStock,
    Operation::CatalogUpsert,
    Operation::CatalogAdjust,
    Operation::CartGet,
    Operation::CartPut,
    Operation::CartRemove,
    Operation::SessionOpen,
    Operation::SessionLogin,
    Operation::OrderPlace,
    Operation::OrderAdvance,
    Operation::OrderCancel,
    Operation::OrderStatus,
    Operation::OrderHistory,
];

/// The share of each operation; together they make a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mix(BTreeMap<Operation, Share>);

impl Mix {
    /// A mix of shares that make a whole; the caller has looked.
    pub(super) fn new(shares: BTreeMap<Operation, Share>) -> Mix {
        debug_assert_eq!(shares.values().copied().sum::<Share>(), Share::WHOLE);
        Mix(shares)
    }

    /// The share of one operation.
    pub fn share(&self, operation: Operation) -> Share {
        self.0.get(&operation).copied().unwrap_or_default()
    }

    /// How many of 10,000 operations are this one.
    pub fn of_ten_thousand(&self, operation: Operation) -> usize {
        self.share(operation).of_ten_thousand() as usize
    }
}
