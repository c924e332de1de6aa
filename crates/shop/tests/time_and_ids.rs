//! Laws of times and of the ids that carry them.

use std::time::Duration;

use mworld_shop::cart::Owner;
use mworld_shop::{Clock, ManualClock, OrderId, SessionId, SystemClock, Timestamp, UserId};
use proptest::prelude::*;
use uuid::Uuid;

fn moment() -> impl Strategy<Value = Timestamp> {
    (Timestamp::MIN.micros()..=Timestamp::MAX.micros()).prop_map(Timestamp::from_micros)
}

/// Moments that lie close together, so that their order hangs on the last microseconds.
fn close() -> impl Strategy<Value = (Timestamp, Timestamp)> {
    (moment(), -3_000_i64..3_000).prop_map(|(a, by)| (a, Timestamp::from_micros(a.micros() + by)))
}

#[test]
fn the_ends_of_time_can_be_written_and_read() {
    for end in [Timestamp::MIN, Timestamp::MAX] {
        assert_eq!(end.to_string().parse::<Timestamp>().unwrap(), end);
    }
    assert_eq!(Timestamp::from_micros(i64::MAX), Timestamp::MAX);
    assert_eq!(Timestamp::from_micros(-1), Timestamp::MIN);
    assert_eq!(Timestamp::MAX.plus(Duration::MAX), Timestamp::MAX);
    assert_eq!(Timestamp::MIN.minus(Duration::MAX), Timestamp::MIN);
}

#[test]
fn clocks_do_not_run_backwards() {
    let clock = SystemClock::default();
    let times: Vec<Timestamp> = (0..1_000).map(|_| clock.now()).collect();
    assert!(times.is_sorted());
    let clock = ManualClock::at(times[0]);
    let same = clock.clone();
    clock.advance(Duration::from_micros(5));
    assert_eq!(same.now(), times[0].plus(Duration::from_micros(5)), "a clone is the same clock");
}

proptest! {
    #[test]
    fn a_time_reads_back_as_it_was_written(time in moment()) {
        prop_assert_eq!(time.to_string().parse::<Timestamp>().unwrap(), time);
        let json = serde_json::to_string(&time).unwrap();
        prop_assert_eq!(serde_json::from_str::<Timestamp>(&json).unwrap(), time);
    }

    #[test]
    fn texts_sort_as_the_times_do((a, b) in close()) {
        prop_assert_eq!(a.to_string().cmp(&b.to_string()), a.cmp(&b));
    }

    #[test]
    fn any_text_is_a_time_or_refused(text in ".{0,40}|[0-9]{1,6}-[0-9]{2}-[0-9]{2}T[0-9:.]{0,12}Z?") {
        if let Ok(time) = text.parse::<Timestamp>() {
            prop_assert!((Timestamp::MIN..=Timestamp::MAX).contains(&time));
        }
    }

    #[test]
    fn a_write_time_is_after_both_clock_and_record((now, previous) in close()) {
        let written = now.after(previous);
        prop_assert!(written > previous && written >= now);
        prop_assert!(written == now || written.micros() == previous.micros() + 1);
    }

    #[test]
    fn plus_and_minus_undo_each_other(time in 0_i64..1 << 50, by in 0_u64..1 << 40) {
        let (time, by) = (Timestamp::from_micros(time), Duration::from_micros(by));
        prop_assert_eq!(time.plus(by).minus(by), time);
    }

    #[test]
    fn an_order_id_tells_its_time(time in moment(), random in any::<[u8; 8]>()) {
        let id = OrderId::at(time, random);
        prop_assert_eq!(id.created_at(), time);
        prop_assert_eq!(id.uuid().get_version_num(), 7);
        prop_assert_eq!(id.uuid().get_variant(), uuid::Variant::RFC4122);
        prop_assert!(OrderId::first_at(time) <= id && id <= OrderId::last_at(time));
        prop_assert_eq!(id.to_string().parse::<OrderId>().unwrap(), id);
    }

    #[test]
    fn order_ids_sort_as_their_times_do(
        (a, b) in close(), first in any::<[u8; 8]>(), second in any::<[u8; 8]>(),
    ) {
        if a != b {
            prop_assert_eq!(OrderId::at(a, first).cmp(&OrderId::at(b, second)), a.cmp(&b));
            let (early, late) = (a.min(b), a.max(b));
            prop_assert!(OrderId::last_at(early) < OrderId::first_at(late), "a period is a range of ids");
        }
    }

    #[test]
    fn a_foreign_id_has_some_time_and_no_panic(id in any::<u128>()) {
        let time = OrderId::from_uuid(Uuid::from_u128(id)).created_at();
        prop_assert!((Timestamp::MIN..=Timestamp::MAX).contains(&time));
    }

    #[test]
    fn a_cart_id_follows_from_owner_and_generation(
        a in any::<u128>(), b in any::<u128>(), m in 0_u64..4, n in 0_u64..4,
    ) {
        let user = |id| Owner::User(UserId::from_uuid(Uuid::from_u128(id)));
        let guest = |id| Owner::Guest(SessionId::from_uuid(Uuid::from_u128(id)));
        prop_assert_eq!(user(a).cart_id(m), user(a).cart_id(m));
        prop_assert_eq!(user(a).cart_id(m) == user(a).cart_id(n), m == n);
        prop_assert_eq!(user(a).cart_id(m) == user(b).cart_id(m), a == b);
        prop_assert_ne!(user(a).cart_id(m), guest(a).cart_id(m));
    }
}
