//! What the disk itself takes to keep a promise: an append of 16 KiB, about what one group commit writes, and a sync.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;

const BYTES: usize = 16 * 1024;
/// Between two moments: twice what a sync usually takes, and more often than not.
const BETWEEN: Duration = Duration::from_millis(1);

/// How long syncs took, in microseconds.
pub(crate) struct Syncs {
    /// From the beginning of each.
    pub(crate) alone: Histogram<u64>,
    /// From the moment at which each should have begun: a disk that stands still is met by all whose moment passes
    /// meanwhile, as by the buyers that it is compared with.
    pub(crate) from_moment: Histogram<u64>,
}

/// A file that is appended to and synced.
pub(crate) struct Disk {
    file: File,
    block: Vec<u8>,
}

impl Disk {
    /// A new file in the directory of the stores, so that both are on the same disk.
    pub(crate) fn new(dir: &Path) -> std::io::Result<Disk> {
        let file = File::create(dir.join("sync-probe"))?;
        Ok(Disk { file, block: vec![0x5a; BYTES] })
    }

    /// Appends and syncs at fixed moments.
    pub(crate) fn probe(&mut self, duration: Duration) -> std::io::Result<Syncs> {
        let mut syncs = Syncs { alone: histogram(), from_moment: histogram() };
        let begun = Instant::now();
        let mut moment = begun;
        while moment < begun + duration {
            std::thread::sleep(moment.saturating_duration_since(Instant::now()));
            let started = Instant::now();
            self.file.write_all(&self.block)?;
            self.file.sync_data()?;
            syncs.alone.saturating_record(micros(started.elapsed()));
            syncs.from_moment.saturating_record(micros(moment.elapsed()));
            moment += BETWEEN;
        }
        // A file that grows for ever would meet other parts of the disk than the store does.
        self.file.set_len(0)?;
        std::io::Seek::rewind(&mut self.file)?;
        Ok(syncs)
    }
}

/// Whole microseconds.
pub(crate) fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// An empty histogram of microseconds: up to a minute, to three digits.
pub(crate) fn histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, 60_000_000, 3).expect("the bounds are legal")
}
