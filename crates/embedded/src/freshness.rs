//! How a copy in memory is known to be as good as the store.
//!
//! Groups of writes are numbered. A record that a group changes is stamped with the group's number *before* the
//! commit, and the number is published *after* it. A reader takes the published number before its snapshot begins;
//! what it reads then contains every group up to that number. So a copy is good as long as its record's stamp is
//! not above the number it was read at: no write since, committed or about to be, can have changed it.

use std::sync::atomic::{AtomicU64, Ordering};

use uuid::Uuid;

/// Records share stamps by a hash of their id; sharing only makes a copy look old too early.
const STAMPS: usize = 1 << 16;

/// A number that was published before a snapshot began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(u64);

/// The stamps of all records, and the number of the last group that is through.
#[derive(Debug)]
pub(crate) struct Freshness {
    published: AtomicU64,
    stamps: Box<[AtomicU64]>,
}

impl Freshness {
    pub(crate) fn new() -> Freshness {
        Freshness { published: AtomicU64::new(0), stamps: (0..STAMPS).map(|_| AtomicU64::new(0)).collect() }
    }

    fn stamp(&self, id: Uuid) -> &AtomicU64 {
        let (high, low) = id.as_u64_pair();
        // The odd constant is 2^64 divided by the golden ratio: it spreads ids that differ in few bits.
        let mixed = (high ^ low.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.stamps[(mixed >> 48) as usize]
    }

    /// Before a snapshot begins.
    pub(crate) fn now(&self) -> Moment {
        Moment(self.published.load(Ordering::SeqCst))
    }

    /// Whether a copy that was read at this moment is still good.
    pub(crate) fn is_good(&self, id: Uuid, read_at: Moment) -> bool {
        self.stamp(id).load(Ordering::SeqCst) <= read_at.0
    }

    /// The number of the next group. There is one writer, so nobody else takes it.
    pub(crate) fn begin(&self) -> u64 {
        self.published.load(Ordering::SeqCst) + 1
    }

    /// A group changes a record.
    pub(crate) fn change(&self, id: Uuid, group: u64) {
        self.stamp(id).store(group, Ordering::SeqCst);
    }

    /// A group is through, committed or not, and not yet acknowledged.
    pub(crate) fn publish(&self, group: u64) {
        self.published.store(group, Ordering::SeqCst);
    }
}
