//! The cluster's own clock, by which transactions that met in a record can be put in the order of their commits.

use mongodb::bson::{Timestamp, serialize_to_document};
use mworld_shop::{EngineError, EngineErrorKind};

use super::Db;
use crate::fault::Answer;

impl Db {
    /// The cluster's time as this operation's transaction has seen it, seconds and a counter in one number.
    ///
    /// A shard's answer to a write is never older than the last commit that changed the written record, and a commit
    /// is always younger than what its own transaction saw before it. So of two transactions that wrote the same
    /// record, the one that committed first has the smaller number, whatever the clocks of their machines say; the
    /// number must be taken after the write, or after a read of what is then written.
    pub(crate) fn stamp(&self) -> Answer<i64> {
        let seen = self.session.as_ref().and_then(|session| session.cluster_time());
        let seen = seen.and_then(|seen| serialize_to_document(seen).ok());
        let seen = seen.and_then(|seen| seen.get_timestamp("clusterTime").ok());
        let unknown = "the cluster did not say what time it has; is every member of it a replica set's?";
        let seen = seen.ok_or_else(|| EngineError::new(EngineErrorKind::Unavailable, unknown))?;
        Ok(number(seen))
    }
}

/// Seconds above, the counter within the second below: numbers sort as times do, and a u32 of seconds leaves the sign
/// alone.
fn number(time: Timestamp) -> i64 {
    (i64::from(time.time) << 31) | i64::from(time.increment & 0x7fff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_sort_as_times_do() {
        let times = [(0, 0), (0, 7), (1, 0), (1_800_000_000, 1), (1_800_000_000, 2), (u32::MAX, 0x7fff_ffff)];
        let numbers = times.map(|(time, increment)| number(Timestamp { time, increment }));
        assert!(numbers.is_sorted_by(|earlier, later| earlier < later) && numbers[0] >= 0, "{numbers:?}");
    }
}
