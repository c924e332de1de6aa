//! Copies of records in memory, bounded in size, used only while they are as good as the store.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use uuid::Uuid;

use crate::freshness::{Freshness, Moment};

/// Locks, so that readers on different cores seldom meet.
const PARTS: usize = 16;

/// Copies by id.
pub(crate) struct Cache<V> {
    parts: Vec<Mutex<Part<V>>>,
    freshness: Arc<Freshness>,
}

struct Copy<V> {
    value: Arc<V>,
    weight: usize,
    read_at: Moment,
}

/// Two generations instead of a list in order of use: what is used moves to the young one; when that is full it
/// becomes the old one, and what was old is forgotten.
struct Part<V> {
    young: HashMap<Uuid, Copy<V>>,
    old: HashMap<Uuid, Copy<V>>,
    young_bytes: usize,
    most_bytes: usize,
}

impl<V> Cache<V> {
    /// A cache of at most about this many bytes.
    pub(crate) fn new(bytes: usize, freshness: Arc<Freshness>) -> Cache<V> {
        let part = || Part {
            young: HashMap::new(),
            old: HashMap::new(),
            young_bytes: 0,
            most_bytes: bytes / PARTS / 2,
        };
        Cache { parts: (0..PARTS).map(|_| Mutex::new(part())).collect(), freshness }
    }

    fn part(&self, id: Uuid) -> &Mutex<Part<V>> {
        let (_, low) = id.as_u64_pair();
        &self.parts[(low % PARTS as u64) as usize]
    }

    /// The copy, if it is there and still good.
    pub(crate) fn get(&self, id: Uuid) -> Option<Arc<V>> {
        self.get_if(id, |_| true)
    }

    /// The copy, if it is what a snapshot begun at that moment holds: good, and not from after it.
    pub(crate) fn get_as_of(&self, id: Uuid, snapshot: Moment) -> Option<Arc<V>> {
        self.get_if(id, |read_at| read_at <= snapshot)
    }

    fn get_if(&self, id: Uuid, fits: impl Fn(Moment) -> bool) -> Option<Arc<V>> {
        let mut part = self.part(id).lock();
        if let Some(copy) = part.young.get(&id) {
            let usable = fits(copy.read_at) && self.freshness.is_good(id, copy.read_at);
            return usable.then(|| Arc::clone(&copy.value));
        }
        let copy = part.old.remove(&id)?;
        if !(fits(copy.read_at) && self.freshness.is_good(id, copy.read_at)) {
            return None;
        }
        let value = Arc::clone(&copy.value);
        part.insert(id, copy);
        Some(value)
    }

    /// Keeps a copy that was read from a snapshot begun at that moment.
    pub(crate) fn keep(&self, id: Uuid, value: &Arc<V>, weight: usize, read_at: Moment) {
        self.part(id).lock().insert(id, Copy { value: Arc::clone(value), weight, read_at });
    }
}

impl<V> Part<V> {
    fn insert(&mut self, id: Uuid, copy: Copy<V>) {
        self.young_bytes += copy.weight;
        if let Some(replaced) = self.young.insert(id, copy) {
            self.young_bytes -= replaced.weight;
        }
        if self.young_bytes > self.most_bytes {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(bytes: usize) -> (Arc<Freshness>, Cache<u32>) {
        let freshness = Arc::new(Freshness::new());
        (Arc::clone(&freshness), Cache::new(bytes, freshness))
    }

    #[test]
    fn a_copy_is_good_until_its_record_changes() {
        let (freshness, cache) = cache(1 << 20);
        let id = Uuid::now_v7();
        cache.keep(id, &Arc::new(1), 8, freshness.now());
        assert_eq!(cache.get(id).as_deref(), Some(&1));
        let group = freshness.begin();
        freshness.change(id, group);
        assert_eq!(cache.get(id), None, "a write is under way");
        freshness.publish(group);
        assert_eq!(cache.get(id), None, "the write is through, the copy is from before it");
        cache.keep(id, &Arc::new(2), 8, freshness.now());
        assert_eq!(cache.get(id).as_deref(), Some(&2));
    }

    #[test]
    fn a_copy_read_before_a_write_and_kept_after_it_is_not_used() {
        let (freshness, cache) = cache(1 << 20);
        let id = Uuid::now_v7();
        let snapshot = freshness.now();
        let group = freshness.begin();
        freshness.change(id, group);
        freshness.publish(group);
        cache.keep(id, &Arc::new(1), 8, snapshot);
        assert_eq!(cache.get(id), None);
    }

    #[test]
    fn a_snapshot_does_not_get_a_copy_from_after_it() {
        let (freshness, cache) = cache(1 << 20);
        let id = Uuid::now_v7();
        let before = freshness.now();
        let group = freshness.begin();
        freshness.change(id, group);
        freshness.publish(group);
        cache.keep(id, &Arc::new(2), 8, freshness.now());
        assert_eq!(cache.get_as_of(id, before), None);
        assert_eq!(cache.get_as_of(id, freshness.now()).as_deref(), Some(&2));
    }

    #[test]
    fn what_is_used_stays_and_the_rest_is_forgotten() {
        let (freshness, cache) = cache(PARTS * 2 * 1000);
        let used = Uuid::from_u128(0);
        cache.keep(used, &Arc::new(0), 10, freshness.now());
        let ids: Vec<Uuid> = (1..2_000_u32).map(|n| Uuid::from_u128(u128::from(n) * PARTS as u128)).collect();
        for id in &ids {
            cache.keep(*id, &Arc::new(1), 10, freshness.now());
            assert!(cache.get(used).is_some(), "it is in use");
        }
        let kept = ids.iter().filter(|id| cache.get(**id).is_some()).count();
        assert!((100..=202).contains(&kept), "{kept} of two generations of 100 are kept");
    }
}
