//! Handing a file's changed pages to the disk a few at a time.

use std::fs::File;
use std::io::{ErrorKind, Result};

use super::Round;

const WINDOW: std::ops::RangeInclusive<u64> = 64 << 10..=16 << 20;

/// Writes the changed pages back, window by window, each waited for. It makes the sync that must follow short, and
/// does not replace it. A failing disk may tell so only once, here, so the error counts.
pub(super) fn write_back(file: &File, round: Round) -> Result<()> {
    let length = file.metadata()?.len();
    let window = window(length, round);
    let mut offset = 0;
    while offset < length {
        match write_range(file, offset, window) {
            Ok(()) => offset += window,
            // Another kind of system or of file: the sync does it all.
            Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// So wide that the pages, if they lie evenly, come a few at a time.
fn window(length: u64, round: Round) -> u64 {
    let changed = u64::try_from(round.pages).unwrap_or(0).max(1);
    let even = length.saturating_mul(round.at_once) / changed;
    even.clamp(*WINDOW.start(), *WINDOW.end())
}

/// Writes what is changed in a range and waits for it.
#[cfg(target_os = "linux")]
fn write_range(file: &File, offset: u64, length: u64) -> Result<()> {
    use std::os::fd::AsRawFd;
    let (Ok(offset), Ok(length)) = (i64::try_from(offset), i64::try_from(length)) else {
        return Err(ErrorKind::InvalidInput.into());
    };
    let how =
        libc::SYNC_FILE_RANGE_WAIT_BEFORE | libc::SYNC_FILE_RANGE_WRITE | libc::SYNC_FILE_RANGE_WAIT_AFTER;
    #[expect(unsafe_code, reason = "no safe wrapper of this call is published")]
    // SAFETY: the descriptor is open as long as `file` is borrowed, and the call touches no memory of ours.
    let done = unsafe { libc::sync_file_range(file.as_raw_fd(), offset, length, how) };
    if done == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

#[cfg(not(target_os = "linux"))]
fn write_range(_: &File, _: u64, _: u64) -> Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn windows_fit_the_number_of_pages() {
        let window = |length, pages, at_once| window(length, Round { pages, at_once });
        assert_eq!(window(1 << 30, 2048, 2), 1 << 20);
        assert_eq!(window(1 << 30, 2048, 8), 4 << 20);
        assert_eq!(window(1 << 30, 0, 2), 16 << 20);
        assert_eq!(window(1 << 20, 4096, 2), 64 << 10);
    }

    #[test]
    fn a_file_is_written_back_to_its_end() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![7; 300_000]).unwrap();
        write_back(&file, Round { pages: 10, at_once: 2 }).unwrap();
        assert_eq!(write_range(&file, 0, 300_000).is_ok(), cfg!(target_os = "linux"));
    }
}
