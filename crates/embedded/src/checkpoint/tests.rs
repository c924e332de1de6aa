use std::fs::copy;

use super::*;
use crate::writer::configure;

const SHORT: Lengths = Lengths { copy_from: 32, hurry_every: 32, restart_left: 8, restart_anyway: 512 };

#[test]
fn a_log_is_copied_until_little_is_left_and_then_restarted() {
    let step = |pages, copied| next_step(Fill { busy: false, pages, copied }, SHORT);
    assert_eq!(step(31, 0), Step::Nothing);
    assert_eq!(step(32, 0), Step::Copy(Round { pages: 32, at_once: 2 }));
    assert_eq!(step(64, 32), Step::Copy(Round { pages: 32, at_once: 4 }));
    assert_eq!(step(9999, 0), Step::Copy(Round { pages: 9999, at_once: 64 }));
    assert_eq!(step(64, 56), Step::Restart);
}

#[test]
fn a_small_store_has_a_small_log() {
    assert_eq!(Lengths::for_file(0).copy_from, 1_024);
    assert_eq!(Lengths::for_file(8_192).copy_from, 2_048);
    assert_eq!(Lengths::for_file(1 << 30).copy_from, 16_384);
    assert_eq!(Lengths::for_file(1 << 30).restart_anyway, 49_152);
}

/// A store that is written to as fast as the disk takes it.
struct Written {
    dir: tempfile::TempDir,
    conn: Connection,
    checkpoints: Checkpoints,
    _file: Arc<File>,
}

impl Written {
    fn begin() -> Written {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("store");
        let conn = Connection::open(&path).unwrap();
        configure(&conn).unwrap();
        conn.execute_batch("CREATE TABLE t (x INTEGER PRIMARY KEY, y TEXT) STRICT").unwrap();
        let file = Arc::new(File::open(&path).unwrap());
        let checkpoints = Checkpoints::with_lengths(&path, &file, Some(SHORT)).unwrap();
        Written { dir, conn, checkpoints, _file: file }
    }

    /// A row somewhere in the tree, so that old pages change too.
    fn write(&mut self, n: i64) {
        let key = n.wrapping_mul(7919) % 100_003;
        self.conn.execute("INSERT INTO t VALUES (?1, ?2)", (key, "text ".repeat(100))).unwrap();
        self.checkpoints.after_commit(&self.conn);
    }

    /// What a process that is killed now leaves: the files as they are.
    fn rows_after_a_crash(&self, name: &str) -> i64 {
        let copied = self.dir.path().join(name);
        let wal = |path: &Path| PathBuf::from(format!("{}-wal", path.display()));
        let path = self.dir.path().join("store");
        copy(&path, &copied).unwrap();
        copy(wal(&path), wal(&copied)).unwrap();
        let conn = Connection::open(&copied).unwrap();
        let sound: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(sound, "ok");
        conn.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap()
    }
}

#[test]
fn at_every_moment_file_and_log_together_hold_every_commit() {
    let mut store = Written::begin();
    for n in 1..=3000 {
        store.write(n);
        if n % 97 == 0 {
            assert_eq!(store.rows_after_a_crash(&format!("copy-{n}")), n);
        }
    }
}

#[test]
fn a_log_that_is_always_written_to_stays_short() {
    let mut store = Written::begin();
    for n in 1..=3000 {
        store.write(n);
    }
    let longest = log_pages(&store.checkpoints.log);
    assert!(longest < SHORT.restart_anyway + 100, "{longest} pages");
    let fill = fill(&store.conn).unwrap();
    assert!(fill.pages < 3000, "it was started again: {fill:?}");
}

#[test]
fn an_orderly_end_leaves_everything_in_the_file() {
    let mut store = Written::begin();
    for n in 1..=200 {
        store.write(n);
    }
    store.checkpoints.finish(&store.conn);
    assert_eq!(log_pages(&store.checkpoints.log), 0);
    let conn = Connection::open(store.dir.path().join("store")).unwrap();
    let rows: i64 = conn.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 200);
}
