//! One connection in the middle of one operation, which takes note of every shard that it touches.

use std::cell::RefCell;

use mworld_placement::{Area, ShardId};
use mworld_shop::Result;
use rusqlite::{Connection, OptionalExtension, Params, Row};
use uuid::Uuid;

use crate::error::sql;
use crate::freshness::{Freshness, Moment};
use mworld_placement::touched::{Kind, Touch};

/// A connection and what the operation has touched so far.
pub(crate) struct Db<'c> {
    conn: &'c Connection,
    purpose: Purpose<'c>,
    touched: RefCell<Vec<Touch>>,
}

/// What the connection is used for.
#[derive(Clone, Copy)]
pub(crate) enum Purpose<'c> {
    /// Reading a snapshot that began after this moment.
    Reading(Moment),
    /// Writing in the group of this number.
    Writing(&'c Freshness, u64),
}

impl<'c> Db<'c> {
    pub(crate) fn new(conn: &'c Connection, purpose: Purpose<'c>) -> Db<'c> {
        Db { conn, purpose, touched: RefCell::default() }
    }

    /// When the snapshot began; `None` in a group of writes, which sees what is not committed.
    pub(crate) fn snapshot(&self) -> Option<Moment> {
        match self.purpose {
            Purpose::Reading(moment) => Some(moment),
            Purpose::Writing(..) => None,
        }
    }

    /// Takes note that a record changes of which there may be copies in memory.
    pub(crate) fn changes(&self, id: Uuid) {
        if let Purpose::Writing(freshness, group) = self.purpose {
            freshness.change(id, group);
        }
    }

    /// Takes note that a shard is read.
    pub(crate) fn reads(&self, area: Area, shard: ShardId) {
        self.note(Touch { area, shard, kind: Kind::Read });
    }

    /// Takes note that a shard is written.
    pub(crate) fn writes(&self, area: Area, shard: ShardId) {
        self.note(Touch { area, shard, kind: Kind::Write });
    }

    fn note(&self, touch: Touch) {
        let mut touched = self.touched.borrow_mut();
        if !touched.contains(&touch) {
            touched.push(touch);
        }
    }

    pub(crate) fn into_touched(self) -> Vec<Touch> {
        self.touched.into_inner()
    }

    /// The first row, if there is one.
    pub(crate) fn one<T>(
        &self,
        statement: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        let mut prepared = self.conn.prepare_cached(statement).map_err(sql)?;
        prepared.query_row(params, read).optional().map_err(sql)
    }

    /// Every row.
    pub(crate) fn all<T>(
        &self,
        statement: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let mut prepared = self.conn.prepare_cached(statement).map_err(sql)?;
        let rows = prepared.query_map(params, read).map_err(sql)?;
        rows.collect::<rusqlite::Result<Vec<T>>>().map_err(sql)
    }

    /// Runs a statement; how many rows it changed.
    pub(crate) fn run(&self, statement: &str, params: impl Params) -> Result<usize> {
        let mut prepared = self.conn.prepare_cached(statement).map_err(sql)?;
        prepared.execute(params).map_err(sql)
    }

    /// The connection, for a statement that is stepped by hand.
    pub(crate) fn conn(&self) -> &'c Connection {
        self.conn
    }
}
