//! Look-ups kept in memory, as long as the layout allows. Each is only a hint: a cart lies where a look-up says, or
//! nowhere, because a new cart and the end of the one before it are one transaction. So whoever finds a cart by a kept
//! look-up has found the owner's present one, and whoever finds none looks the owner up anew.

use std::collections::HashMap;
use std::time::Duration;

use mworld_placement::{Entity, Layout};
use mworld_shop::Timestamp;
use mworld_shop::cart::Owner;
use parking_lot::Mutex;

use super::owners::LookUp;

/// How many look-ups one half holds. Both together are some tens of megabytes.
const HALF: usize = 65_536;

/// Kept look-ups. The older half is dropped whole when the younger is full, so that nothing has to be searched for
/// what may go.
#[derive(Debug)]
pub(crate) struct Kept {
    life: Duration,
    halves: Mutex<Halves>,
}

#[derive(Debug, Default)]
struct Halves {
    young: HashMap<Owner, Entry>,
    old: HashMap<Owner, Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    look_up: LookUp,
    until: Timestamp,
}

impl Kept {
    /// As long as the layout says; not at all if it says nothing.
    pub(crate) fn of(layout: &Layout) -> Kept {
        let carts = layout.entities.get(&Entity::Carts).and_then(|placed| placed.mongodb.as_ref());
        Kept { life: carts.map(|on| on.owner_cache).unwrap_or_default(), halves: Mutex::default() }
    }

    /// What is known of the owner.
    pub(super) fn get(&self, owner: Owner, now: Timestamp) -> Option<LookUp> {
        if self.life.is_zero() {
            return None;
        }
        let halves = self.halves.lock();
        let entry = halves.young.get(&owner).or_else(|| halves.old.get(&owner))?;
        (entry.until > now).then(|| entry.look_up.clone())
    }

    /// Keeps what was read or written just now.
    pub(super) fn keep(&self, look_up: &LookUp, now: Timestamp) {
        if self.life.is_zero() {
            return;
        }
        let entry = Entry { look_up: look_up.clone(), until: now.plus(self.life) };
        let mut halves = self.halves.lock();
        if halves.young.len() >= HALF {
            halves.old = std::mem::take(&mut halves.young);
        }
        halves.young.insert(look_up.owner, entry);
    }

    /// Forgets what has turned out wrong.
    pub(super) fn forget(&self, owner: Owner) {
        let mut halves = self.halves.lock();
        halves.young.remove(&owner);
        halves.old.remove(&owner);
    }
}

#[cfg(test)]
mod tests {
    use mworld_shop::{SessionId, Settings};

    use super::*;

    fn kept(life: u64) -> Kept {
        Kept { life: Duration::from_secs(life), halves: Mutex::default() }
    }

    fn look_up() -> LookUp {
        let session = SessionId::generate();
        let owner = Owner::Guest(session);
        let zone = Settings::default().default_zone();
        LookUp { owner, cart: owner.cart_id(1), generation: 1, session, zone, status: None }
    }

    #[test]
    fn a_look_up_is_kept_as_long_as_the_layout_says() {
        let (now, look_up) = (Timestamp::from_micros(1_000), look_up());
        let (kept, never) = (kept(60), kept(0));
        for kept in [&kept, &never] {
            kept.keep(&look_up, now);
        }
        let owner = look_up.owner;
        assert_eq!(kept.get(owner, now.plus(Duration::from_secs(59))), Some(look_up));
        assert_eq!(kept.get(owner, now.plus(Duration::from_secs(60))), None);
        assert_eq!(never.get(owner, now), None);
        kept.forget(owner);
        assert_eq!(kept.get(owner, now), None);
    }

    #[test]
    fn the_oldest_go_when_there_are_too_many() {
        let (now, kept, first) = (Timestamp::from_micros(1_000), kept(60), look_up());
        kept.keep(&first, now);
        let keep = |number: usize| (0..number).for_each(|_| kept.keep(&look_up(), now));
        keep(HALF);
        assert!(kept.get(first.owner, now).is_some(), "the older half is still asked");
        keep(HALF);
        assert_eq!(kept.get(first.owner, now), None, "memory is bounded");
    }
}
