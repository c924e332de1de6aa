//! What this process knows of items that many want at once. Two writers of one record always conflict, and the loser has
//! worked for nothing; so whoever wants a contended item first takes a place, of which there are as many as there are
//! records of its stock. One record becomes many when its one place is not enough, and many become one when little is left.
//!
//! All of this only saves work. That nothing is sold twice is the transactions' affair, and holds whatever is known here.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mworld_shop::{ProductId, Zone};
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Conflicts within a second that make an item contended.
const CONTENDED: u32 = 3;

/// How long nobody must have wanted an item for it to be calm.
pub(crate) const CALM: Duration = Duration::from_secs(10);

/// A product in a zone.
pub(crate) type Item = (ProductId, Zone);

/// The items that are or were contended.
#[derive(Debug, Default)]
pub(crate) struct Hot(Mutex<HashMap<Item, State>>);

#[derive(Debug)]
struct State {
    places: Arc<Places>,
    /// Conflicts since `counting_since`.
    conflicts: u32,
    counting_since: Instant,
    last_wanted: Instant,
    wish: Option<Wish>,
}

/// What should be done with an item before it is sold on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Split its stock: one record is not enough.
    Split,
    /// Bring its stock home: what is left would have to be hunted over many records.
    Merge,
}

/// The records of an item's stock, each with a place for one buyer at a time. Zero buckets: the home record alone.
#[derive(Debug)]
struct Places {
    buckets: u32,
    free: Mutex<Vec<u32>>,
    permits: Arc<Semaphore>,
}

/// A buyer's place at one of an item's records, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    places: Arc<Places>,
    number: u32,
    _permit: OwnedSemaphorePermit,
}

impl Places {
    fn new(buckets: u32) -> Arc<Places> {
        let count = buckets.max(1);
        // Other processes begin elsewhere, so that two of them seldom meet.
        let turn = rand::random::<u32>() % count;
        let free = (0..count).map(|number| (number + turn) % count).collect();
        Arc::new(Places {
            buckets,
            free: Mutex::new(free),
            permits: Arc::new(Semaphore::new(count as usize)),
        })
    }
}

impl Place {
    /// The bucket that this place is at; `None` at the home record.
    pub(crate) fn bucket(&self) -> Option<u32> {
        (self.places.buckets > 0).then_some(self.number)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.free.lock().push(self.number);
    }
}

impl State {
    fn new(now: Instant, buckets: u32) -> State {
        State {
            places: Places::new(buckets),
            conflicts: 0,
            counting_since: now,
            last_wanted: now,
            wish: None,
        }
    }
}

impl Hot {
    /// A place at one of the item's records, if it is contended; `None` if anybody may simply try. Waits while all
    /// places are taken, and takes note that they were not enough.
    pub(crate) async fn place(&self, item: &Item) -> Option<Place> {
        let places = {
            let mut items = self.0.lock();
            let state = items.get_mut(item)?;
            state.last_wanted = Instant::now();
            if state.places.permits.available_permits() == 0 {
                state.is_not_enough();
            }
            Arc::clone(&state.places)
        };
        let permit = Arc::clone(&places.permits).acquire_owned().await.ok()?;
        let number = places.free.lock().pop().expect("there is one for each permit");
        Some(Place { places, number, _permit: permit })
    }

    /// Waits until nobody of this process has a place at the item, and keeps them all until it is dropped.
    pub(crate) async fn alone(&self, item: &Item) -> Option<OwnedSemaphorePermit> {
        let places = Arc::clone(&self.0.lock().get(item)?.places);
        let all = places.buckets.max(1);
        Arc::clone(&places.permits).acquire_many_owned(all).await.ok()
    }

    /// Two buyers met in a record of this item.
    pub(crate) fn conflicted(&self, item: &Item) {
        let now = Instant::now();
        let mut items = self.0.lock();
        let state = items.entry(item.clone()).or_insert_with(|| State::new(now, 0));
        state.last_wanted = now;
        if now.duration_since(state.counting_since) > Duration::from_secs(1) {
            (state.conflicts, state.counting_since) = (0, now);
        }
        state.conflicts += 1;
        if state.conflicts >= CONTENDED {
            state.conflicts = 0;
            state.is_not_enough();
        }
    }

    /// How many records the item's stock has, as was just seen.
    pub(crate) fn learn(&self, item: &Item, buckets: u32) {
        let now = Instant::now();
        let mut items = self.0.lock();
        let state = items.entry(item.clone()).or_insert_with(|| State::new(now, buckets));
        if state.places.buckets != buckets {
            *state = State { last_wanted: state.last_wanted, ..State::new(now, buckets) };
        }
    }

    /// The item's stock lies in one record, as was just seen. Whoever has never been contended stays so.
    pub(crate) fn merged(&self, item: &Item) {
        let known = self.0.lock().contains_key(item);
        if known {
            self.learn(item, 0);
        }
    }

    /// Little is left of the item.
    pub(crate) fn runs_out(&self, item: &Item) {
        if let Some(state) = self.0.lock().get_mut(item) {
            state.wish = Some(Wish::Merge);
        }
    }

    /// What should be done with the item now, said once.
    pub(crate) fn take_wish(&self, item: &Item) -> Option<Wish> {
        self.0.lock().get_mut(item)?.wish.take()
    }

    /// Forgets the items that nobody has wanted for a while.
    pub(crate) fn forget_calm(&self) {
        self.0.lock().retain(|_, state| state.last_wanted.elapsed() < CALM);
    }
}

impl State {
    fn is_not_enough(&mut self) {
        if self.places.buckets == 0 {
            self.wish = Some(Wish::Split);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item() -> Item {
        (ProductId::generate(), Zone::new("msk").unwrap())
    }

    #[tokio::test]
    async fn an_item_that_nobody_fights_for_needs_no_place() {
        let (hot, item) = (Hot::default(), item());
        assert!(hot.place(&item).await.is_none());
        assert_eq!(hot.take_wish(&item), None);
    }

    #[tokio::test]
    async fn conflicts_make_an_item_contended_and_ask_for_records_once() {
        let (hot, item) = (Hot::default(), item());
        for _ in 0..CONTENDED {
            hot.conflicted(&item);
        }
        assert_eq!(hot.take_wish(&item), Some(Wish::Split));
        assert_eq!(hot.take_wish(&item), None, "it is said once");
        let place = hot.place(&item).await.unwrap();
        assert_eq!(place.bucket(), None, "until it is split there is one place, at the home");
    }

    #[tokio::test]
    async fn no_two_buyers_have_the_same_place() {
        let (hot, item) = (Hot::default(), item());
        hot.learn(&item, 4);
        let mut held = Vec::new();
        for _ in 0..4 {
            held.push(hot.place(&item).await.unwrap());
        }
        let mut numbers: Vec<_> = held.iter().map(|place| place.bucket().unwrap()).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 1, 2, 3]);
        let waiting = tokio::time::timeout(Duration::from_millis(20), hot.place(&item)).await;
        assert!(waiting.is_err(), "a fifth buyer waits");
        assert_eq!(hot.take_wish(&item), None, "many records are enough, however many come");
        held.pop();
        assert!(hot.place(&item).await.is_some(), "a place that is given back is somebody else's");
    }
}
