//! Events as they are stored: before they have their number, and after.

use mongodb::bson::serde_helpers::HumanReadable;
use mworld_shop::Timestamp;
use mworld_shop::event::{Event, EventId, Happened, StockChange};
use serde::{Deserialize, Serialize};

/// An event inside the order that it tells of.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Unfed {
    /// Which change of the order it is.
    pub(super) version: i64,
    /// The cluster's time, see [`crate::db::Db::stamp`].
    pub(super) stamp: i64,
    at: i64,
    happened: HumanReadable<Happened>,
}

impl Unfed {
    pub(crate) fn new(version: i64, stamp: i64, at: Timestamp, happened: Happened) -> Unfed {
        Unfed { version, stamp, at: at.micros(), happened: HumanReadable(happened) }
    }

    /// With its number. The id follows from order and version, so that nothing is fed twice.
    pub(super) fn numbered(self, id: String, seq: i64) -> Numbered {
        Numbered { id, seq, at: self.at, happened: self.happened }
    }
}

/// An event of its own that has no number yet.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Unnumbered {
    #[serde(rename = "_id")]
    pub(super) id: String,
    /// The cluster's time, under the name that orders have for it.
    pub(super) unfed_at: i64,
    at: i64,
    happened: HumanReadable<Happened>,
}

impl Unnumbered {
    pub(super) fn new(id: String, stamp: i64, at: Timestamp, happened: Happened) -> Unnumbered {
        Unnumbered { id, unfed_at: stamp, at: at.micros(), happened: HumanReadable(happened) }
    }

    pub(super) fn numbered(self, seq: i64) -> Numbered {
        Numbered { id: self.id, seq, at: self.at, happened: self.happened }
    }
}

/// An event in its place.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Numbered {
    #[serde(rename = "_id")]
    id: String,
    /// Its number; without gaps.
    seq: i64,
    at: i64,
    happened: HumanReadable<Happened>,
}

impl Numbered {
    /// The changes of stock that it tells of.
    pub(super) fn changes(&mut self) -> &mut [StockChange] {
        match &mut self.happened.0 {
            Happened::Order { stock, .. } => stock,
            Happened::Stock { change } => std::slice::from_mut(change),
            Happened::RefundDue { .. } => &mut [],
        }
    }

    pub(super) fn read(self) -> Event {
        Event {
            id: EventId(self.seq.to_string()),
            at: Timestamp::from_micros(self.at),
            happened: self.happened.0,
        }
    }
}
