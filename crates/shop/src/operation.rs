//! The stable names of what a shop does, used in policies, metrics, scenarios and explanations.

use std::fmt;

macro_rules! operations {
    ($($(#[$doc:meta])* $variant:ident = $name:literal),+ $(,)?) => {
        /// What a shop does.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Operation {
            $($(#[$doc])* $variant),+
        }

        impl Operation {
            /// Every operation.
            pub const ALL: &[Operation] = &[$(Operation::$variant),+];

            /// Its stable name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Operation::$variant => $name),+
                }
            }
        }
    };
}

operations! {
    /// Search the catalogue.
    CatalogSearch = "catalog.search",
    /// Show one product.
    CatalogProduct = "catalog.product",
    /// Show the exact stock of one product.
    CatalogStock = "catalog.stock",
    /// Change stock.
    CatalogAdjust = "catalog.adjust",
    /// Write a product.
    CatalogUpsert = "catalog.upsert",
    /// Show the cart.
    CartGet = "cart.get",
    /// Put an item.
    CartPut = "cart.put",
    /// Remove an item.
    CartRemove = "cart.remove",
    /// Merge the guest's cart into the user's.
    CartMerge = "cart.merge",
    /// Mark a cart ordered or abandoned.
    CartMark = "cart.mark",
    /// Check out.
    OrderPlace = "order.place",
    /// Show one order.
    OrderStatus = "order.status",
    /// Show a buyer's orders.
    OrderHistory = "order.history",
    /// List orders for an operator.
    OrderList = "order.list",
    /// Take an order one step further.
    OrderAdvance = "order.advance",
    /// Cancel an order.
    OrderCancel = "order.cancel",
    /// Open a session.
    SessionOpen = "session.open",
    /// Use a session.
    SessionTouch = "session.touch",
    /// Log in.
    SessionLogin = "session.login",
    /// Log out.
    SessionClose = "session.close",
    /// Make an account.
    AccountCreate = "account.create",
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
