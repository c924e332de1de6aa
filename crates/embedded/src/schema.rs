//! The tables, and how an older store becomes a present one.
//!
//! `shard` leads the primary key and the indexes of everything that a layout places, so that each shard is a contiguous region of each tree and an
//! operation that is routed to one shard reads and writes only there. SQLite's planner guesses that the first column
//! of an index narrows to a handful of rows, which a shard does not; so statements that could go wrong name their
//! index (`INDEXED BY`), and a test looks at the plans.

use rusqlite::{Connection, Transaction};

/// The schema that this code reads and writes. A store of a newer one is refused.
pub(crate) const VERSION: i64 = 1;

/// Step `n` takes a store from version `n` to `n + 1`.
const STEPS: &[&str] = &[FIRST];

const FIRST: &str = "
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- Where each area's key ranges lie; changed together with the rows that move.
CREATE TABLE maps (area TEXT PRIMARY KEY, map TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- A zone keeps its bit for ever: products.in_stock is made of them.
CREATE TABLE zones (bit INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

-- zone is '' where one document holds the whole product, and a zone's name in the form per-zone.
CREATE TABLE products (
  shard INTEGER NOT NULL, product_id BLOB NOT NULL, zone TEXT NOT NULL,
  doc INTEGER NOT NULL, category TEXT NOT NULL, subcategory TEXT, price INTEGER NOT NULL,
  in_stock INTEGER NOT NULL, withdrawn INTEGER NOT NULL, listed_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL, attributes TEXT NOT NULL,
  PRIMARY KEY (shard, product_id, zone)
) STRICT, WITHOUT ROWID;
CREATE INDEX products_category_price ON products (shard, category, price, product_id, zone, in_stock, subcategory, withdrawn) WHERE withdrawn = 0;
CREATE INDEX products_category_listed ON products (shard, category, listed_at, product_id, zone, in_stock, subcategory, price, withdrawn) WHERE withdrawn = 0;
CREATE INDEX products_price ON products (shard, price, product_id, zone, in_stock, subcategory, withdrawn) WHERE withdrawn = 0;
CREATE INDEX products_listed ON products (shard, listed_at, product_id, zone, in_stock, subcategory, price, withdrawn) WHERE withdrawn = 0;
-- From a document's number, which the full-text index knows, to the document.
CREATE TABLE product_docs (doc INTEGER PRIMARY KEY AUTOINCREMENT, shard INTEGER NOT NULL, product_id BLOB NOT NULL, zone TEXT NOT NULL) STRICT;
-- place holds one word for the shard and one for the category, so that a match stays inside both.
CREATE VIRTUAL TABLE product_words USING fts5 (place, words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0');
CREATE TABLE product_attributes (
  shard INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, product_id BLOB NOT NULL, zone TEXT NOT NULL,
  PRIMARY KEY (shard, key, value, product_id, zone)
) STRICT, WITHOUT ROWID;

CREATE TABLE stock (
  shard INTEGER NOT NULL, product_id BLOB NOT NULL, zone TEXT NOT NULL, quantity INTEGER NOT NULL CHECK (quantity >= 0),
  PRIMARY KEY (shard, product_id, zone)
) STRICT, WITHOUT ROWID;

-- An order's id begins with its creation time, so new orders are appended; nothing else of theirs is.
CREATE TABLE orders (
  shard INTEGER NOT NULL, order_id BLOB NOT NULL, user_id BLOB NOT NULL, zone TEXT NOT NULL, status TEXT NOT NULL,
  total INTEGER NOT NULL, currency TEXT NOT NULL, updated_at INTEGER NOT NULL, unpaid_until INTEGER, items TEXT NOT NULL,
  PRIMARY KEY (shard, order_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX orders_by_status ON orders (shard, order_id, zone, status);
CREATE INDEX orders_unpaid ON orders (shard, unpaid_until) WHERE unpaid_until IS NOT NULL;
-- Everything that is looked up by buyer, side by side: one page of the file for most buyers, where indexes of their
-- own would each cost a page with every order. what = 'order' (ref: its id), 'key' (ref: an idempotency key, with the
-- order it made or the claim up to which it is void) or 'cart' (ref: a cart that was sold).
CREATE TABLE buyers (
  shard INTEGER NOT NULL, user_id BLOB NOT NULL, what TEXT NOT NULL, ref BLOB NOT NULL,
  status TEXT, zone TEXT, expect_amount INTEGER, expect_currency TEXT, cart_id BLOB, order_id BLOB, voided INTEGER,
  PRIMARY KEY (shard, user_id, what, ref)
) STRICT, WITHOUT ROWID;
-- One reference of a provider is one payment, whichever order it is for.
CREATE TABLE payments (
  provider TEXT NOT NULL, reference TEXT NOT NULL, order_id BLOB NOT NULL,
  amount INTEGER NOT NULL, currency TEXT NOT NULL, refund_due INTEGER NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (provider, reference)
) STRICT, WITHOUT ROWID;
-- Events are never deleted, so the next number is the highest and one.
CREATE TABLE events (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, happened TEXT NOT NULL) STRICT;

CREATE TABLE carts (
  shard INTEGER NOT NULL, owner TEXT NOT NULL, cart_id BLOB NOT NULL, generation INTEGER NOT NULL,
  user_id BLOB, session_id BLOB NOT NULL, zone TEXT NOT NULL, status TEXT NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, expires_at INTEGER,
  merged_into BLOB, capped TEXT, claim_no INTEGER NOT NULL, claim_key TEXT, claim_until INTEGER, lines TEXT NOT NULL,
  PRIMARY KEY (shard, owner)
) STRICT, WITHOUT ROWID;
CREATE INDEX carts_expiry ON carts (shard, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX carts_claimed ON carts (shard, claim_until) WHERE claim_until IS NOT NULL;
-- For layouts whose cart key does not follow from the owner: what the key is made of.
CREATE TABLE cart_owners (
  shard INTEGER NOT NULL, owner TEXT NOT NULL, cart_id BLOB NOT NULL, session_id BLOB NOT NULL, zone TEXT NOT NULL, status TEXT NOT NULL,
  PRIMARY KEY (shard, owner)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  shard INTEGER NOT NULL, session_id BLOB NOT NULL, digest BLOB NOT NULL, user_id BLOB, zone TEXT NOT NULL, status TEXT NOT NULL,
  ip TEXT, user_agent TEXT, created_at INTEGER NOT NULL, last_active INTEGER NOT NULL, expires_at INTEGER,
  PRIMARY KEY (shard, session_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_expiry ON sessions (shard, expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE accounts (
  shard INTEGER NOT NULL, email TEXT NOT NULL, user_id BLOB NOT NULL, password_hash TEXT NOT NULL, name TEXT, created_at INTEGER NOT NULL,
  PRIMARY KEY (shard, email)
) STRICT, WITHOUT ROWID;
";

/// The version of the store behind this connection; 0 = it is empty.
pub(crate) fn version(conn: &Connection) -> rusqlite::Result<i64> {
    conn.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Takes a store from its version to the present one, in one transaction that the caller commits.
pub(crate) fn upgrade(tx: &Transaction<'_>, from: i64) -> rusqlite::Result<()> {
    let done = usize::try_from(from).unwrap_or(STEPS.len());
    for step in STEPS.iter().skip(done) {
        tx.execute_batch(step)?;
    }
    tx.pragma_update(None, "user_version", VERSION)
}
