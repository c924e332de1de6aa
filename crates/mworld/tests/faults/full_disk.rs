//! The disk is full while the store sells, and has room again later.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bookkeeping::{Diary, acknowledged, audit};
use crate::goods::{self, Good};
use crate::http::{Answer, Call};
use crate::people::Buyer;
use crate::process::{Start, Store};
use crate::small_disk::SmallDisk;
use crate::{Run, alone, within};

const BUYERS: usize = 16;

/// A session's life is short here, so that its expiry has to be moved on while nothing can be written.
const LAYOUT: &str = "
name    = \"short-sessions\"
about   = \"for a test\"
extends = \"category-spread\"
[sessions]
engine = \"mongodb\"
[sessions.mongodb]
shard_key = [\"session_id:hashed\"]
ttl       = \"40s\"
";

/// Longer than the tenth of a session's life after which its use is written down.
const FULL_FOR: Duration = Duration::from_secs(5);

/// Fails when a commit that failed is acknowledged, when a look at one's cart has to write, or when the writer does
/// not go on after a failure.
#[test]
fn a_full_disk_stops_writes_only_and_only_while_it_is_full() {
    let _machine = alone();
    let disk = SmallDisk::mounted().unwrap_or_else(|why| {
        println!("a small file system cannot be mounted here ({why}); file sizes are limited instead");
        SmallDisk::limited()
    });
    within(Duration::from_secs(240), story(disk));
}

/// Here the log cannot be written either, as it is when it goes to a file on the same disk. Fails when a broken log
/// is a reason to panic.
#[test]
fn a_disk_that_takes_nothing_more_not_even_the_log_stops_writes_only() {
    let _machine = alone();
    within(Duration::from_secs(240), story(SmallDisk::limited()));
}

async fn story(disk: SmallDisk) {
    let elsewhere = tempfile::tempdir().unwrap();
    let layout = elsewhere.path().join("short-sessions.toml");
    std::fs::write(&layout, LAYOUT).unwrap();
    let start = Start::in_dir(&disk.data()).flag("--layout", layout.to_str().expect("a plain path"));
    let start = start.log_to(&elsewhere.path().join("log"));
    let mut store = start.open().await;
    let goods = goods::list(&store, 8, 100_000).await;
    let buyers = Buyer::crowd(&store, BUYERS).await;
    let mut people: Vec<(Buyer, Diary)> = buyers.into_iter().map(|b| (b, Diary::default())).collect();
    for round in 0..Run::wanted().choose(1, 5) {
        let before = acknowledged(&people);
        let refusals = fill_while_selling(&store, &disk, &goods, &mut people).await;
        let sold = acknowledged(&people) - before;
        assert!(sold > 0, "it sold before the disk was full");
        assert_eq!(refusals.len(), BUYERS, "every buyer hears of it");
        refusals.iter().for_each(is_truthful);
        told_nothing_untrue(&store, &people, &refusals).await;

        reads_go_on(&store, &goods, &people).await;
        assert!(store.is_up(), "the process stays up");

        disk.make_room(&store);
        let again = sells_again(&store, &goods, &mut people).await;
        println!(
            "round {round}: {sold} orders until it was full, selling again {again:?} after there was room"
        );
        assert!(again < Duration::from_secs(2), "selling again only after {again:?}");
        shop_a_little(&store, &goods, &mut people).await;
        audit(&store, &goods, &people).await;
    }
    store.terminate();
    assert_eq!(store.ended(Duration::from_secs(20)).await.code(), Some(0));
    is_whole(&disk.data());
}

/// Lets everybody buy until the store refuses, which it does because the disk is filled meanwhile.
async fn fill_while_selling(
    store: &Store,
    disk: &SmallDisk,
    goods: &[Good],
    people: &mut [(Buyer, Diary)],
) -> Vec<Answer> {
    let mut connections = Vec::new();
    for _ in 0..people.len() {
        connections.push(store.connect().await);
    }
    let shopping = people.iter_mut().zip(connections).map(|((buyer, diary), mut connection)| async move {
        diary.shop(buyer, &mut connection, goods, Duration::from_secs(30), &|| {}).await
    });
    let filling = async {
        tokio::time::sleep(Duration::from_millis(700)).await;
        disk.fill(store);
    };
    let (refusals, ()) = tokio::join!(futures_util::future::join_all(shopping), filling);
    refusals.into_iter().flatten().collect()
}

/// A refusal says that it is the store's fault, of which kind, and that it is worth trying again.
fn is_truthful(refusal: &Answer) {
    let problem = refusal.json();
    assert_eq!(refusal.status, 503, "{problem}");
    assert!(matches!(refusal.code().as_str(), "storage_full" | "unavailable"), "{problem}");
    assert!(refusal.header("retry-after").is_some(), "{problem}");
    assert_eq!(refusal.header("content-type"), Some("application/problem+json"));
    assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{problem}");
}

/// Whoever was told that nothing was written finds nothing.
async fn told_nothing_untrue(store: &Store, people: &[(Buyer, Diary)], refusals: &[Answer]) {
    let mut connection = store.connect().await;
    for ((buyer, diary), refusal) in people.iter().zip(refusals) {
        if refusal.code() == "storage_full" {
            let history = buyer.history(&mut connection).await;
            assert_eq!(
                history.len(),
                diary.acknowledged.len(),
                "`storage_full` says that nothing was written"
            );
        }
    }
}

/// As long as the disk is full: everything can be looked at, by everyone, and writes are refused or done.
async fn reads_go_on(store: &Store, goods: &[Good], people: &[(Buyer, Diary)]) {
    let mut connection = store.connect().await;
    let begun = Instant::now();
    while begun.elapsed() < FULL_FOR {
        for (n, (buyer, _)) in people.iter().enumerate() {
            let product = &goods[n % goods.len()].id;
            let calls = [
                Call::get("/api/v1/products?q=phone&limit=5"),
                Call::get(format!("/api/v1/products/{product}")),
                Call::get(format!("/api/v1/products/{product}/stock")),
                Call::get("/api/v1/cart").token(&buyer.token),
                Call::get("/api/v1/orders?limit=3").token(&buyer.token),
                Call::get("/api/v1/sessions/current").token(&buyer.token),
                Call::get("/healthz"),
            ];
            for call in calls {
                let answer = connection.send(&call).await.expect("the store answers");
                assert_eq!(answer.status, 200, "{call:?} while the disk is full: {}", answer.json());
            }
        }
        // A last small write may find a place where a large one did not.
        let put = people[0].0.put(&mut connection, &goods[0], 1).await.expect("the store answers");
        if put.status != 200 {
            is_truthful(&put);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// How long it takes until every order that was refused is placed under its own key.
async fn sells_again(store: &Store, goods: &[Good], people: &mut [(Buyer, Diary)]) -> Duration {
    let begun = Instant::now();
    let mut connection = store.connect().await;
    let (first, _) = &people[0];
    while first.put(&mut connection, &goods[0], 1).await.expect("the store answers").status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(30), "the store never recovers");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    for (buyer, diary) in people {
        diary.settle(buyer, &mut connection).await;
    }
    begun.elapsed()
}

async fn shop_a_little(store: &Store, goods: &[Good], people: &mut [(Buyer, Diary)]) {
    for (buyer, diary) in people {
        let mut connection = store.connect().await;
        let refused = diary.shop(buyer, &mut connection, goods, Duration::from_millis(30), &|| {}).await;
        assert!(refused.is_none(), "{:?}", refused.map(|answer| answer.json()).unwrap_or(Value::Null));
    }
}

/// SQLite's own check of the whole file finds nothing.
fn is_whole(data: &Path) {
    let health = mworld_embedded::inspect(data, true).expect("the file can be read");
    assert_eq!(health.complaints, Vec::<String>::new());
}
