//! How large and how long everything is.

use std::time::Duration;

use crate::cli::Cli;

/// What a store is filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Size {
    /// Products of the demo catalogue.
    pub(crate) products: u64,
    /// Orders; every tenth is the wholesale buyer's.
    pub(crate) orders: u64,
}

/// The whole run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// The store that most is measured on.
    pub(crate) main: Size,
    /// The two stores between which growth is measured. They differ in products only.
    pub(crate) small: Size,
    pub(crate) large: Size,
    /// Turns of each measurement.
    pub(crate) turns: usize,
    /// Length of one turn.
    pub(crate) turn: Duration,
    /// Whether the sizes are those that the bounds are meant for.
    pub(crate) judged: bool,
}

/// Callers of the engine, and connections to the server, at once.
pub(crate) const BUYERS_AT_ONCE: usize = 64;

impl Plan {
    pub(crate) fn of(cli: &Cli) -> Plan {
        let mut plan = if cli.quick { Plan::quick() } else { Plan::full() };
        plan.main.products = cli.products.unwrap_or(plan.main.products);
        plan.main.orders = cli.orders.unwrap_or(plan.main.orders);
        plan.turns = cli.turns.unwrap_or(plan.turns).max(1);
        plan.turn = cli.seconds.map_or(plan.turn, Duration::from_secs_f64);
        plan
    }

    fn full() -> Plan {
        Plan {
            main: Size { products: 100_000, orders: 1_000_000 },
            small: Size { products: 10_000, orders: 100_000 },
            large: Size { products: 1_000_000, orders: 100_000 },
            turns: 7,
            turn: Duration::from_secs(2),
            judged: true,
        }
    }

    /// Enough to see every part of the program work, in well under a minute.
    fn quick() -> Plan {
        Plan {
            main: Size { products: 1_000, orders: 5_000 },
            small: Size { products: 500, orders: 1_000 },
            large: Size { products: 2_000, orders: 1_000 },
            turns: 2,
            turn: Duration::from_millis(300),
            judged: false,
        }
    }
}
