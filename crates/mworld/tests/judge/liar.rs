//! A proxy that tells one kind of lie, rarely.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::backstage::{Ask, Backstage, Reply};
use crate::lies;
use crate::proxy::Cut;

/// What it lies about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lie {
    /// A checkout is swallowed, and an order invented.
    LostOrder,
    /// The same cart is sold a second time under another key.
    DoubledOrder,
    /// A piece that was sold stays on the shelf.
    Oversold,
    /// A put is swallowed, and its answer invented.
    LostCartItem,
    /// The cart is shown as it was before the last write.
    StaleCart,
    /// A line is left out of a history.
    MissingHistoryLine,
    /// A paid order is sent on its way behind everybody's back.
    IllegalStep,
    /// A payment is swallowed, and its answer invented.
    LostPayment,
    /// An order is told at a price that is not the product's, ever after.
    WrongPrice,
}

impl Lie {
    pub(crate) const ALL: [Lie; 9] = [
        Lie::LostOrder,
        Lie::DoubledOrder,
        Lie::Oversold,
        Lie::LostCartItem,
        Lie::StaleCart,
        Lie::MissingHistoryLine,
        Lie::IllegalStep,
        Lie::LostPayment,
        Lie::WrongPrice,
    ];

    /// The rule that must find it.
    pub(crate) const fn rule(self) -> &'static str {
        match self {
            Lie::LostOrder => "order-kept",
            Lie::DoubledOrder => "order-once",
            Lie::Oversold => "stock",
            Lie::LostCartItem => "cart",
            Lie::StaleCart => "own-reads",
            Lie::MissingHistoryLine => "history",
            Lie::IllegalStep | Lie::LostPayment => "status",
            Lie::WrongPrice => "price",
        }
    }

    /// It is told at every so-manieth chance. A cart that is read with nothing else under way in it is a rare chance, and
    /// on a slow machine some old carts can be explained by what was.
    const fn every(self) -> u64 {
        match self {
            Lie::StaleCart => 4,
            _ => 20,
        }
    }
}

/// The liar.
pub(crate) struct Liar {
    lie: Lie,
    chances: AtomicU64,
    told: AtomicU64,
    memory: Mutex<Memory>,
}

/// What a liar has to remember to be consistent.
#[derive(Default)]
pub(crate) struct Memory {
    /// By token: the cart before the last write, and the cart now.
    pub(crate) carts: HashMap<String, (Value, Value)>,
    /// Orders that are told at a wrong price.
    pub(crate) mispriced: Vec<String>,
}

impl Liar {
    pub(crate) fn new(lie: Lie) -> Liar {
        let (chances, told, memory) = Default::default();
        Liar { lie, chances, told, memory }
    }

    /// How often it has lied.
    pub(crate) fn told(&self) -> u64 {
        self.told.load(Ordering::Relaxed)
    }

    /// Whether to lie now that there is a chance.
    pub(crate) fn dares(&self) -> bool {
        let every = self.lie.every();
        self.chances.fetch_add(1, Ordering::Relaxed) % every == every / 2
    }

    /// A lie was told.
    pub(crate) fn lied(&self) {
        self.told.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) async fn answer(&self, backstage: &Backstage, ask: Ask) -> Result<Reply, Cut> {
        match self.lie {
            Lie::LostOrder => lies::lose_order(self, backstage, ask).await,
            Lie::DoubledOrder => lies::double_order(self, backstage, ask).await,
            Lie::Oversold => lies::oversell(self, backstage, ask).await,
            Lie::LostCartItem => lies::lose_item(self, backstage, ask).await,
            Lie::StaleCart => lies::show_old_cart(self, backstage, ask).await,
            Lie::MissingHistoryLine => lies::leave_line_out(self, backstage, ask).await,
            Lie::IllegalStep => lies::ship(self, backstage, ask).await,
            Lie::LostPayment => lies::lose_payment(self, backstage, ask).await,
            Lie::WrongPrice => lies::misprice(self, backstage, ask).await,
        }
    }
}
