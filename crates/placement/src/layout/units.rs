//! Durations (`90s`, `5m`, `24h`, `7d`), sizes (`1024KiB`) and times of day (`03:00`).

use std::time::Duration;

/// The longest duration a layout may name. Longer ones are slips, and sums of two stay far from overflow.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// A duration: a whole number and one of `s m h d`.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = split_unit(text)?;
    let seconds_per_unit = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return None,
    };
    let duration = Duration::from_secs(number.checked_mul(seconds_per_unit)?);
    (duration <= LONGEST).then_some(duration)
}

/// A duration in the largest unit that holds it whole; [`duration`] reads it back.
pub(crate) fn write_duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0 => "0s".to_owned(),
        _ if seconds.is_multiple_of(86_400) => format!("{}d", seconds / 86_400),
        _ if seconds.is_multiple_of(3_600) => format!("{}h", seconds / 3_600),
        _ if seconds.is_multiple_of(60) => format!("{}m", seconds / 60),
        _ => format!("{seconds}s"),
    }
}

/// A size in bytes: a whole number and one of `B KiB MiB GiB`.
pub(crate) fn size(text: &str) -> Option<u64> {
    let (number, unit) = split_unit(text)?;
    let bytes_per_unit = match unit {
        "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    number.checked_mul(bytes_per_unit)
}

/// A size in the largest unit up to KiB that holds it whole, as Cassandra's own settings are written.
pub(crate) fn write_size(bytes: u64) -> String {
    if bytes.is_multiple_of(1024) { format!("{}KiB", bytes / 1024) } else { format!("{bytes}B") }
}

/// A time of day, as minutes after midnight.
pub(crate) fn minute_of_day(text: &str) -> Option<u32> {
    let (hours, minutes) = text.split_once(':')?;
    let two_digits = |part: &str| {
        (part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse::<u32>().ok())?
    };
    let (hours, minutes) = (two_digits(hours)?, two_digits(minutes)?);
    (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)
}

fn split_unit(text: &str) -> Option<(u64, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..digits].parse().ok()?, &text[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_a_number_and_a_unit() {
        assert_eq!(duration("90s"), Some(Duration::from_secs(90)));
        assert_eq!(duration("7d"), Some(Duration::from_secs(604_800)));
        for wrong in ["", "7", "d", "7 d", "-1s", "1.5h", "7w", "99999999999999999999s", "36501d"] {
            assert_eq!(duration(wrong), None, "{wrong}");
        }
        for text in ["0s", "61s", "5m", "25h", "10d"] {
            assert_eq!(duration(text).map(write_duration).as_deref(), Some(text));
        }
    }

    #[test]
    fn sizes_and_times_of_day() {
        assert_eq!(size("1024KiB"), Some(1_048_576));
        assert_eq!(size("1024KB"), None);
        assert_eq!(size("18446744073709551615GiB"), None);
        assert_eq!(write_size(1_048_576), "1024KiB");
        assert_eq!(minute_of_day("03:05"), Some(185));
        for wrong in ["24:00", "3:00", "03:60", "0300", "+3:00"] {
            assert_eq!(minute_of_day(wrong), None, "{wrong}");
        }
    }
}
