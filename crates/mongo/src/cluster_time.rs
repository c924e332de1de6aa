//! What time it is in the cluster. Its servers count in seconds and steps within them, and a read may demand to see
//! everything up to such a time: that is how an answer from a secondary is kept from being too old.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use mongodb::bson::{Document, Timestamp};
use parking_lot::Mutex;

/// The cluster's time as it was last heard, and when that was.
#[derive(Debug, Default)]
pub(crate) struct ClusterClock(Mutex<Option<(u32, Instant)>>);

impl ClusterClock {
    /// Takes the time from a server's answer.
    pub(crate) fn hear(&self, answer: &Document) {
        let gossip = answer.get_document("$clusterTime").ok();
        let Some(heard) = gossip.and_then(|gossip| gossip.get_timestamp("clusterTime").ok()) else { return };
        let mut last = self.0.lock();
        if last
            .is_none_or(|(seconds, at)| u64::from(heard.time) >= u64::from(seconds) + at.elapsed().as_secs())
        {
            *last = Some((heard.time, Instant::now()));
        }
    }

    /// Seconds since 1970: the later of what this machine thinks and what the cluster said. A cluster in which nobody
    /// writes may not have said anything for ten seconds, and a machine's clock may be wrong; the later of the two can only
    /// make an answer fresher than was asked for.
    fn now(&self) -> Duration {
        let own = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let heard = self.0.lock().map(|(seconds, at)| Duration::from_secs(u64::from(seconds)) + at.elapsed());
        heard.map_or(own, |heard| heard.max(own))
    }

    /// The time up to which everything must be seen, for an answer that is at most this old. Rounded up: a whole second
    /// is the finest that can be demanded.
    pub(crate) fn at_most(&self, old: Duration) -> Timestamp {
        let moment = self.now().saturating_sub(old).as_secs_f64().ceil();
        Timestamp { time: moment as u32, increment: 0 }
    }

    /// How old an answer is that has seen everything up to this time.
    pub(crate) fn age(&self, seen: Timestamp) -> Duration {
        self.now().saturating_sub(Duration::from_secs(u64::from(seen.time)))
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    fn said(time: u32) -> Document {
        doc! { "ok": 1, "$clusterTime": { "clusterTime": Timestamp { time, increment: 7 } } }
    }

    fn seconds() -> u32 {
        u32::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()).unwrap()
    }

    #[test]
    fn what_is_demanded_is_never_older_than_was_asked_for() {
        let clock = ClusterClock::default();
        let before = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let demanded = clock.at_most(Duration::from_secs(5));
        assert!(f64::from(demanded.time) >= before.as_secs_f64() - 5.0, "{demanded:?} {before:?}");
    }

    #[test]
    fn a_cluster_that_is_ahead_of_this_machine_is_believed() {
        let clock = ClusterClock::default();
        clock.hear(&said(seconds() + 100));
        assert!(clock.at_most(Duration::from_secs(5)).time >= seconds() + 94);
    }

    #[test]
    fn a_cluster_that_has_long_said_nothing_does_not_turn_the_clock_back() {
        let clock = ClusterClock::default();
        clock.hear(&said(seconds() - 100));
        assert!(clock.at_most(Duration::from_secs(5)).time >= seconds() - 6);
    }
}
