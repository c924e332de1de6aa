//! Durations (`90s`, `5m`, `24h`, `7d`) and sizes (`64KiB`), as people write them in a configuration.

use std::time::Duration;

/// A hundred years. A longer one is a slip of the pen, and sums of two stay far from overflow.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 86_400);

/// A whole number and one of `s m h d`.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return None,
    };
    let duration = Duration::from_secs(number.checked_mul(seconds)?);
    (duration <= LONGEST).then_some(duration)
}

/// A whole number and one of `B KiB MiB GiB`.
pub(crate) fn size(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let bytes = match unit {
        "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    number.checked_mul(bytes)
}

/// The duration in the largest unit that holds it whole; [`duration`] reads it back.
pub(crate) fn show_duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let units = [(86_400, "d"), (3_600, "h"), (60, "m")];
    match units.into_iter().find(|(unit, _)| seconds != 0 && seconds.is_multiple_of(*unit)) {
        Some((unit, name)) => format!("{}{name}", seconds / unit),
        None => format!("{seconds}s"),
    }
}

/// The size in the largest unit that holds it whole; [`size`] reads it back.
pub(crate) fn show_size(bytes: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.into_iter().find(|(unit, _)| bytes != 0 && bytes.is_multiple_of(*unit)) {
        Some((unit, name)) => format!("{}{name}", bytes / unit),
        None => format!("{bytes}B"),
    }
}

fn split(text: &str) -> Option<(u64, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..digits].parse().ok()?, &text[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_reads_back() {
        for text in ["0s", "90s", "5m", "36h", "7d"] {
            assert_eq!(duration(text).map(show_duration).as_deref(), Some(text));
        }
        for text in ["0B", "1B", "64KiB", "3MiB", "2GiB"] {
            assert_eq!(size(text).map(show_size).as_deref(), Some(text));
        }
    }

    #[test]
    fn other_forms_are_refused() {
        for wrong in ["", "7", "d", "7 d", "-1s", "1.5h", "7w", "18446744073709551615d", "36501d"] {
            assert_eq!(duration(wrong), None, "{wrong}");
        }
        for wrong in ["", "64", "64KB", "64kib", "18446744073709551615GiB"] {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }
}
