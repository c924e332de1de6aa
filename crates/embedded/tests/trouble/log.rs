//! The log beside the store's file stays small while the store sells and somebody reads slowly.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mworld_embedded::FILE_NAME;
use rusqlite::{Connection, OpenFlags};

use crate::till::Till;

/// More than the log reaches before the writer waits for its copying: three quarters of the file, which is small after
/// a few seconds, and 192 MiB at most. Without that it grew by 45 MiB a second, even in an unoptimised build.
fn largest_log(seconds: u64) -> u64 {
    if seconds > 5 { 256 << 20 } else { 64 << 20 }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_log_stays_bounded_while_somebody_reads_slowly() {
    let lasting = if std::env::var_os("MWORLD_LONG").is_some() { 30 } else { 5 };
    let dir = tempfile::tempdir().unwrap();
    let till = Till::furnish(dir.path(), 50).await;
    let (stop, sold) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&sold);
    let clerks = till.sell_until(64, &stop, move |_| {
        count.fetch_add(1, Ordering::Relaxed);
    });
    let reader = {
        let (file, stop) = (dir.path().join(FILE_NAME), Arc::clone(&stop));
        std::thread::spawn(move || read_slowly(&file, &stop))
    };
    let log = dir.path().join(format!("{FILE_NAME}-wal"));
    let (begun, mut largest) = (Instant::now(), 0);
    while begun.elapsed() < Duration::from_secs(lasting) {
        largest = largest.max(std::fs::metadata(&log).map_or(0, |meta| meta.len()));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stop.store(true, Ordering::Relaxed);
    for clerk in clerks {
        clerk.await.unwrap();
    }
    let snapshots = reader.join().unwrap();
    let sold = sold.load(Ordering::Relaxed);
    println!(
        "{sold} orders in {lasting} s beside {snapshots} slow reads: the log had at most {} KiB",
        largest >> 10
    );
    assert!(snapshots > 1 && sold > 100);
    assert!(largest < largest_log(lasting), "{largest} bytes");
    till.balance().await;
}

/// Holds a snapshot of the store for a quarter of a second, half of the time.
fn read_slowly(file: &Path, stop: &AtomicBool) -> usize {
    let reader = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let mut snapshots = 0;
    while !stop.load(Ordering::Relaxed) {
        reader.execute_batch("BEGIN").unwrap();
        let count =
            || reader.query_row("SELECT count(*) FROM orders", [], |row| row.get::<_, i64>(0)).unwrap();
        let before = count();
        std::thread::sleep(Duration::from_millis(250));
        assert_eq!(count(), before, "a snapshot does not move");
        reader.execute_batch("COMMIT").unwrap();
        snapshots += 1;
        std::thread::sleep(Duration::from_millis(250));
    }
    snapshots
}
