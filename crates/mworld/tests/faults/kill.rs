//! The process dies in the middle of selling, without a chance to say anything.

use std::cell::Cell;
use std::time::Duration;

use crate::bookkeeping::{Diary, acknowledged, audit};
use crate::goods::{self, Good};
use crate::people::Buyer;
use crate::process::{Start, Store};
use crate::{Run, alone, within};

const BUYERS: usize = 24;

/// An unoptimised program reads its file more slowly.
const READY_WITHIN: Duration = Duration::from_secs(if cfg!(debug_assertions) { 5 } else { 2 });

/// Fails when an answer is sent before its commit, when the key is not part of the order's transaction, or when
/// stock and order are written in two.
#[test]
fn a_killed_store_has_everything_it_acknowledged_and_nothing_twice() {
    let _machine = alone();
    within(Duration::from_secs(900), async {
        let dir = tempfile::tempdir().unwrap();
        // The audit reads every order of a buyer with one token, faster than one person may.
        let start =
            Start::in_dir(&dir.path().join("data")).setting("MWORLD_LIMITS_PER_TOKEN_PER_SECOND", "0");
        let mut store = start.open().await;
        let goods = goods::list(&store, 20, 100_000).await;
        let buyers = Buyer::crowd(&store, BUYERS).await;
        let mut people: Vec<(Buyer, Diary)> = buyers.into_iter().map(|b| (b, Diary::default())).collect();
        for round in 0..Run::wanted().choose(3_u64, 20) {
            let before = acknowledged(&people);
            // Another moment in every round: early and late in a group of commits, before and after a checkpoint.
            let moment = Duration::from_millis(500 + 137 * (round % 7));
            kill_while_selling(&store, &goods, &mut people, moment).await;
            assert!(!store.ended(Duration::from_secs(5)).await.success(), "it was killed");
            let sold = acknowledged(&people) - before;
            assert!(sold > 0, "the store sold something before it was killed");

            store = start.open().await;
            let unanswered = people.iter().filter(|(_, diary)| diary.unanswered.is_some()).count();
            println!(
                "round {round}: {sold} orders, {unanswered} unanswered, ready again in {:?}",
                store.start_took
            );
            assert!(store.start_took < READY_WITHIN, "ready again only after {:?}", store.start_took);
            let mut connection = store.connect().await;
            for (buyer, diary) in &mut people {
                diary.settle(buyer, &mut connection).await;
            }
            audit(&store, &goods, &people).await;
        }
    });
}

/// Lets everybody buy. After a while the store is killed the very moment that somebody hears of an order: if it had
/// answered before its commit, that order would be lost. It ends when the last buyer has noticed.
async fn kill_while_selling(store: &Store, goods: &[Good], people: &mut [(Buyer, Diary)], moment: Duration) {
    let mut connections = Vec::new();
    for _ in 0..people.len() {
        connections.push(store.connect().await);
    }
    let (due, alive) = (Cell::new(false), Cell::new(true));
    let acknowledged = || {
        if due.get() && alive.replace(false) {
            store.kill();
        }
    };
    let (longest, acknowledged) = (Duration::from_secs(60), &acknowledged);
    let shopping = people.iter_mut().zip(connections).map(|((buyer, diary), mut connection)| async move {
        let refused = diary.shop(buyer, &mut connection, goods, longest, acknowledged).await;
        assert!(refused.is_none(), "nobody is refused: {}", refused.expect("it is one").json());
    });
    let waiting = async {
        tokio::time::sleep(moment).await;
        due.set(true);
    };
    tokio::join!(futures_util::future::join_all(shopping), waiting);
}
