//! Numbers as people read them: few digits, a unit, thousands apart.

/// A latency given in milliseconds: `0.42 ms`, `12.3 ms`, `480 ms`, `2.10 s`.
pub fn latency(ms: f64) -> String {
    if ms >= 1_000.0 { format!("{} s", few_digits(ms / 1_000.0)) } else { format!("{} ms", few_digits(ms)) }
}

/// A whole number: `12,345`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share from 0 to 1: `0 %`, `0.03 %`, `12.5 %`.
pub fn share(share: f64) -> String {
    format!("{} %", few_digits(share * 100.0))
}

/// Three digits or so, and no more than two after the point.
pub fn few_digits(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 {
        "0".to_owned()
    } else if size < 9.995 {
        format!("{number:.2}")
    } else if size < 99.95 {
        format!("{number:.1}")
    } else {
        let whole = count(size.round() as u64);
        if number < 0.0 { format!("-{whole}") } else { whole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_change_their_unit() {
        let texts = [0.0, 0.42, 12.34, 99.96, 480.4, 2_100.0].map(latency);
        assert_eq!(texts, ["0 ms", "0.42 ms", "12.3 ms", "100 ms", "480 ms", "2.10 s"]);
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(few_digits(-1_234.5), "-1,235");
        assert_eq!([0.0, 0.000_3, 0.125, 1.0].map(share), ["0 %", "0.03 %", "12.5 %", "100 %"]);
    }
}
