//! Copies of a store that sells, and what may become a store again.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mworld_embedded::{BackupError, FILE_NAME, backup, inspect, restore};
use mworld_shop::{OrderId, UserId};

use crate::till::Till;

/// Fails when the copy is not one moment of the store, or begins before what was acknowledged was committed.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_copy_made_while_eight_sell_is_one_moment_of_the_store() {
    let home = tempfile::tempdir().unwrap();
    let (data, file, again) = (home.path().join("data"), home.path().join("copy"), home.path().join("again"));
    let till = Till::furnish(&data, 200).await;
    let (stop, placed) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(BTreeSet::<OrderId>::new())));
    let notes = Arc::clone(&placed);
    let clerks = till.sell_until(8, &stop, move |order| {
        notes.lock().unwrap().insert(order.id);
    });
    tokio::time::sleep(Duration::from_millis(700)).await;
    let before = placed.lock().unwrap().clone();
    let (from, to) = (data.clone(), file.clone());
    let mut last = None;
    let copying = tokio::task::spawn_blocking(move || {
        backup(&from, &to, |progress| last = Some(progress)).map(|()| last)
    });
    let last = copying.await.unwrap().unwrap().expect("progress is told");
    assert_eq!(last.done, last.total);
    let during = placed.lock().unwrap().len() - before.len();
    stop.store(true, Ordering::Relaxed);
    for clerk in clerks {
        clerk.await.unwrap();
    }
    println!("{} orders before the copy, {during} while it was made", before.len());
    assert!(!before.is_empty());

    restore(&file, &again).unwrap();
    assert_eq!(inspect(&again, true).unwrap().complaints, Vec::<String>::new());
    let copy = Till::open(&again, till.products.clone()).unwrap();
    copy.balance().await;
    let found: BTreeSet<OrderId> = copy.orders().await.unwrap().iter().map(|order| order.id).collect();
    assert!(found.is_superset(&before), "every order acknowledged before the copy began is in it");
    let placed = placed.lock().unwrap().clone();
    assert!(found.is_subset(&placed), "and none that never was");
    copy.sell(UserId::generate(), 0).await.expect("the restored store sells");
    till.balance().await;
}

#[tokio::test]
async fn a_copy_overwrites_nothing() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("data");
    let _till = Till::furnish(&data, 1).await;
    let target = home.path().join("taken");
    std::fs::write(&target, "mine").unwrap();
    let refused = backup(&data, &target, |_| {}).unwrap_err();
    assert!(matches!(refused, BackupError::Exists(_)), "{refused}");
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "mine");
    let refused = backup(&home.path().join("nowhere"), &home.path().join("new"), |_| {}).unwrap_err();
    assert!(matches!(refused, BackupError::NoStore(_)), "{refused}");
    assert!(!home.path().join("new").exists());
}

#[tokio::test]
async fn only_a_whole_copy_into_an_empty_directory_becomes_a_store() {
    let home = tempfile::tempdir().unwrap();
    let (data, good) = (home.path().join("data"), home.path().join("good"));
    let till = Till::furnish(&data, 100).await;
    backup(&data, &good, |_| {}).unwrap();

    let refused = restore(&good, &data).unwrap_err();
    assert!(matches!(refused, BackupError::NotEmpty(_)), "{refused}");
    till.balance().await;

    let refused = restore(&home.path().join("nothing"), &home.path().join("a")).unwrap_err();
    assert!(matches!(refused, BackupError::Io { .. }), "{refused}");
    let whole = std::fs::read(&good).unwrap();
    let spoilt = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = home.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let holed = |at: usize| {
        let (mut bytes, page) = (whole.clone(), at / 4096 * 4096);
        bytes[page..page + 4096].fill(0xa5);
        bytes
    };
    for file in [
        spoilt("empty", &[]),
        spoilt("garbage", &vec![42; 64 * 1024]),
        spoilt("a third", &whole[..whole.len() / 3]),
        spoilt("a page short", &whole[..whole.len() - 4096]),
        spoilt("holed in the middle", &holed(whole.len() / 2)),
        spoilt("holed after two thirds", &holed(whole.len() / 3 * 2)),
        spoilt("holed near the end", &holed(whole.len() - 3 * 4096)),
    ] {
        let into = home.path().join("into");
        let refused = restore(&file, &into).err().unwrap_or_else(|| panic!("{} is refused", file.display()));
        assert!(matches!(refused, BackupError::Unsound { .. }), "{}: {refused}", file.display());
        assert!(!into.join(FILE_NAME).exists(), "nothing half made is left behind");
    }
    restore(&good, &home.path().join("into")).expect("the whole copy is welcome after all that");
}

#[tokio::test]
async fn a_store_with_its_log_is_no_backup() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("data");
    let till = Till::furnish(&data, 100).await;
    let store = data.join(mworld_embedded::FILE_NAME);
    let refused = restore(&store, &home.path().join("new")).unwrap_err();
    assert!(refused.to_string().contains("mworld backup"), "its newest orders are in the log: {refused}");
    till.balance().await;
}
