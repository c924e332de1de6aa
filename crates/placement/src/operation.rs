//! The shop's operations, by the names that policies, metrics, scenarios and explanations use.

use std::fmt;

/// An operation of the shop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// Search the catalogue.
    CatalogSearch,
    /// Show one product.
    CatalogProduct,
    /// Read a product's exact stock.
    CatalogStock,
    /// Change a product's stock in a zone.
    CatalogAdjust,
    /// Create or change a product.
    CatalogUpsert,
    /// Fetch the active cart.
    CartGet,
    /// Set an item's quantity.
    CartPut,
    /// Remove an item.
    CartRemove,
    /// Merge a guest's cart into the user's.
    CartMerge,
    /// Mark a cart ordered or abandoned.
    CartMark,
    /// Turn the active cart into an order.
    OrderPlace,
    /// Read one order.
    OrderStatus,
    /// A user's orders, newest first.
    OrderHistory,
    /// An operator's list of orders.
    OrderList,
    /// Move an order on to its next status.
    OrderAdvance,
    /// Cancel an order and return its stock.
    OrderCancel,
    /// Open a guest session.
    SessionOpen,
    /// Keep a session alive.
    SessionTouch,
    /// Log in.
    SessionLogin,
    /// Log out or end a session.
    SessionClose,
    /// Create an account.
    AccountCreate,
}

impl Operation {
    /// Every operation, in the order in which explanations list them.
    pub const ALL: [Operation; 21] = [
        Operation::CatalogSearch,
        Operation::CatalogProduct,
        Operation::CatalogStock,
        Operation::CatalogAdjust,
        Operation::CatalogUpsert,
        Operation::CartGet,
        Operation::CartPut,
        Operation::CartRemove,
        Operation::CartMerge,
        Operation::CartMark,
        Operation::OrderPlace,
        Operation::OrderStatus,
        Operation::OrderHistory,
        Operation::OrderList,
        Operation::OrderAdvance,
        Operation::OrderCancel,
        Operation::SessionOpen,
        Operation::SessionTouch,
        Operation::SessionLogin,
        Operation::SessionClose,
        Operation::AccountCreate,
    ];

    /// Its stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Operation::CatalogSearch => "catalog.search",
            Operation::CatalogProduct => "catalog.product",
            Operation::CatalogStock => "catalog.stock",
            Operation::CatalogAdjust => "catalog.adjust",
            Operation::CatalogUpsert => "catalog.upsert",
            Operation::CartGet => "cart.get",
            Operation::CartPut => "cart.put",
            Operation::CartRemove => "cart.remove",
            Operation::CartMerge => "cart.merge",
            Operation::CartMark => "cart.mark",
            Operation::OrderPlace => "order.place",
            Operation::OrderStatus => "order.status",
            Operation::OrderHistory => "order.history",
            Operation::OrderList => "order.list",
            Operation::OrderAdvance => "order.advance",
            Operation::OrderCancel => "order.cancel",
            Operation::SessionOpen => "session.open",
            Operation::SessionTouch => "session.touch",
            Operation::SessionLogin => "session.login",
            Operation::SessionClose => "session.close",
            Operation::AccountCreate => "account.create",
        }
    }

    /// The operation of that name.
    pub fn from_name(name: &str) -> Option<Operation> {
        Operation::ALL.into_iter().find(|operation| operation.name() == name)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
