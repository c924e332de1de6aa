//! Which shards an operation touched, counted where it touched them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::area::Area;
use crate::range_map::ShardId;

/// How a shard was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Looked at.
    Read,
    /// Changed.
    Write,
}

impl Kind {
    /// The name in metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Read => "read",
            Kind::Write => "write",
        }
    }
}

/// One shard of one area, touched by one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Touch {
    /// What lies there.
    pub area: Area,
    /// Where.
    pub shard: ShardId,
    /// How it was used.
    pub kind: Kind,
}

/// Somebody who wants to know of every operation as it ends. The operations are the shop's, which this crate does not know.
pub trait Observer<O>: Send + Sync {
    /// An operation ended that touched these.
    fn touched(&self, operation: O, touches: &[Touch]);
}

/// Operations since the store was opened, by area, shard and kind.
pub struct Counters<O> {
    shards: u32,
    counts: Vec<AtomicU64>,
    observer: Option<Arc<dyn Observer<O>>>,
}

impl<O> Counters<O> {
    /// Nothing counted yet, on so many shards.
    pub fn new(shards: u32, observer: Option<Arc<dyn Observer<O>>>) -> Counters<O> {
        let cells = Area::ALL.len() * shards as usize * 2;
        Counters { shards, counts: (0..cells).map(|_| AtomicU64::new(0)).collect(), observer }
    }

    fn cell(&self, area: usize, shard: u32, kind: Kind) -> usize {
        (area * self.shards as usize + shard as usize) * 2 + usize::from(kind == Kind::Write)
    }

    /// Counts one operation, and tells whoever wants to know.
    pub fn record(&self, operation: O, touches: &[Touch]) {
        for touch in touches {
            let area = Area::ALL.iter().position(|area| *area == touch.area);
            let area = area.expect("every area is in Area::ALL");
            self.counts[self.cell(area, touch.shard.0, touch.kind)].fetch_add(1, Ordering::Relaxed);
        }
        if let Some(observer) = &self.observer {
            observer.touched(operation, touches);
        }
    }

    /// What is not zero.
    pub fn snapshot(&self) -> BTreeMap<Touch, u64> {
        let mut counts = BTreeMap::new();
        for (index, area) in Area::ALL.iter().enumerate() {
            for shard in 0..self.shards {
                for kind in [Kind::Read, Kind::Write] {
                    let count = self.counts[self.cell(index, shard, kind)].load(Ordering::Relaxed);
                    if count > 0 {
                        counts.insert(Touch { area: *area, shard: ShardId(shard), kind }, count);
                    }
                }
            }
        }
        counts
    }
}

impl<O> fmt::Debug for Counters<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.snapshot()).finish()
    }
}
