//! The statements of `order.place`, prepared once, in the order in which the engine runs them.

use rusqlite::{Connection, OptionalExtension, Statement};

/// An order of one line, with everything made beforehand that the engine makes while it places one.
#[derive(Debug, Clone)]
pub(crate) struct BareOrder {
    /// The shard of the buyer's orders and keys.
    pub(crate) shard: u32,
    pub(crate) user: [u8; 16],
    pub(crate) key: String,
    pub(crate) cart: [u8; 16],
    pub(crate) order: [u8; 16],
    pub(crate) now: i64,
    pub(crate) unpaid_until: i64,
    pub(crate) zone: &'static str,
    /// The shard of the product's document and stock.
    pub(crate) product_shard: u32,
    pub(crate) product: [u8; 16],
    pub(crate) total: i64,
    /// The order's items and its event, as JSON.
    pub(crate) items: String,
    pub(crate) event: String,
}

const KEY: &str = "SELECT order_id, zone, expect_amount, expect_currency, voided, cart_id FROM buyers \
     WHERE shard = ?1 AND user_id = ?2 AND what = 'key' AND ref = ?3";
const SOLD: &str = "SELECT 1 FROM buyers WHERE shard = ?1 AND user_id = ?2 AND what = 'cart' AND ref = ?3";
const LISTING: &str = "SELECT shard, product_id, zone, category, subcategory, price, in_stock, withdrawn, \
     name FROM products WHERE shard = ?1 AND product_id = ?2";
const TAKE: &str = "UPDATE stock SET quantity = quantity - ?4 WHERE shard = ?1 AND product_id = ?2 AND zone = ?3 \
     AND quantity >= ?4 RETURNING quantity";
const ORDER: &str = "INSERT INTO orders (shard, user_id, order_id, zone, status, total, currency, updated_at, unpaid_until, items) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
const HISTORY: &str =
    "INSERT INTO buyers (shard, user_id, what, ref, status) VALUES (?1, ?2, 'order', ?3, ?4)";
const CART: &str = "INSERT INTO buyers (shard, user_id, what, ref) VALUES (?1, ?2, 'cart', ?3)";
const MADE: &str = "INSERT INTO buyers (shard, user_id, what, ref, zone, expect_amount, expect_currency, cart_id, order_id, voided) \
     VALUES (?1, ?2, 'key', ?3, ?4, ?5, ?6, ?7, ?8, 0) \
     ON CONFLICT (shard, user_id, what, ref) DO UPDATE SET zone = ?4, expect_amount = ?5, expect_currency = ?6, \
     cart_id = ?7, order_id = ?8";
const EVENT: &str = "INSERT INTO events (at, happened) VALUES (?1, ?2)";

pub(super) struct Statements<'c> {
    begin: Statement<'c>,
    commit: Statement<'c>,
    savepoint: Statement<'c>,
    release: Statement<'c>,
    key: Statement<'c>,
    sold: Statement<'c>,
    listing: Statement<'c>,
    take: Statement<'c>,
    order: Statement<'c>,
    history: Statement<'c>,
    made: Statement<'c>,
    cart: Statement<'c>,
    event: Statement<'c>,
}

impl<'c> Statements<'c> {
    pub(super) fn prepare(conn: &'c Connection) -> rusqlite::Result<Statements<'c>> {
        Ok(Statements {
            begin: conn.prepare("BEGIN IMMEDIATE")?,
            commit: conn.prepare("COMMIT")?,
            savepoint: conn.prepare("SAVEPOINT job")?,
            release: conn.prepare("RELEASE job")?,
            key: conn.prepare(KEY)?,
            sold: conn.prepare(SOLD)?,
            listing: conn.prepare(LISTING)?,
            take: conn.prepare(TAKE)?,
            order: conn.prepare(ORDER)?,
            history: conn.prepare(HISTORY)?,
            made: conn.prepare(MADE)?,
            cart: conn.prepare(CART)?,
            event: conn.prepare(EVENT)?,
        })
    }

    pub(super) fn begin(&mut self) -> rusqlite::Result<()> {
        self.begin.execute([]).map(drop)
    }

    pub(super) fn commit(&mut self) -> rusqlite::Result<()> {
        self.commit.execute([]).map(drop)
    }

    /// One order, in its savepoint.
    pub(super) fn place(&mut self, order: &BareOrder) -> rusqlite::Result<()> {
        self.savepoint.execute([])?;
        let known =
            self.key.query_row((order.shard, order.user, order.key.as_bytes()), |_| Ok(())).optional()?;
        let sold = self.sold.query_row((order.shard, order.user, order.cart), |_| Ok(())).optional()?;
        // A benchmark that repeats itself would measure look-ups instead of orders.
        if known.is_some() || sold.is_some() {
            return Err(rusqlite::Error::StatementChangedRows(0));
        }
        self.listing.query_row((order.product_shard, order.product), |row| row.get_ref(8).map(drop))?;
        self.take
            .query_row((order.product_shard, order.product, order.zone, 1), |row| row.get::<_, u32>(0))?;
        self.order.execute((
            order.shard,
            order.user,
            order.order,
            order.zone,
            "created",
            order.total,
            "RUB",
            order.now,
            order.unpaid_until,
            &order.items,
        ))?;
        self.history.execute((order.shard, order.user, order.order, "created"))?;
        let (amount, currency): (Option<i64>, Option<&str>) = (None, None);
        self.made.execute((
            order.shard,
            order.user,
            order.key.as_bytes(),
            order.zone,
            amount,
            currency,
            order.cart,
            order.order,
        ))?;
        self.cart.execute((order.shard, order.user, order.cart))?;
        self.event.execute((order.now, &order.event))?;
        self.release.execute([]).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engine's files in which these statements stand.
    const ENGINE: &[&str] = &[
        include_str!("../../../crates/embedded/src/ledger/keys.rs"),
        include_str!("../../../crates/embedded/src/ledger/record.rs"),
        include_str!("../../../crates/embedded/src/catalog/listing.rs"),
        include_str!("../../../crates/embedded/src/stock.rs"),
        include_str!("../../../crates/embedded/src/feed.rs"),
    ];

    /// Without line breaks, the backslashes before them, and indentation.
    fn on_one_line(text: &str) -> String {
        text.replace("\\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_loop_runs_the_engines_own_statements() {
        let engine: String = ENGINE.iter().map(|text| on_one_line(text)).collect();
        for statement in [KEY, SOLD, LISTING, TAKE, ORDER, HISTORY, MADE, CART, EVENT] {
            assert!(engine.contains(statement), "the engine no longer says: {statement}");
        }
    }
}
