//! A key with its value: taking it as the wanted type, or saying what stands there instead.

use std::ops::{Range, RangeInclusive};
use std::time::Duration;

use toml::de::DeValue;

use super::faults::{Faults, offer};
use super::section::Section;
use super::share::Share;

/// A key with its value, each with its place in the text.
pub(super) struct Item<'a> {
    pub(super) key: String,
    pub(super) key_at: Range<usize>,
    pub(super) at: Range<usize>,
    pub(super) value: DeValue<'a>,
}

impl<'a> Item<'a> {
    pub(super) fn text(&self, faults: &mut Faults) -> Option<String> {
        match &self.value {
            DeValue::String(text) => Some(text.to_string()),
            _ => self.wrong_type("a text in quotes", faults),
        }
    }

    /// One of a few names.
    pub(super) fn choice<T: Copy>(&self, choices: &[(&'static str, T)], faults: &mut Faults) -> Option<T> {
        let written = self.text(faults)?;
        if let Some((_, value)) = choices.iter().find(|(name, _)| *name == written) {
            return Some(*value);
        }
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let title = format!("`{}` cannot be {written:?}", self.key);
        faults.add("unknown-name", &self.at, title, "not one of its names", offer(&written, &names));
        None
    }

    /// A number, whole or not, of that range.
    pub(super) fn number(&self, range: RangeInclusive<f64>, faults: &mut Faults) -> Option<f64> {
        let Some(number) = self.bare_number() else {
            return self.wrong_type("a number", faults);
        };
        if range.contains(&number) {
            return Some(number);
        }
        self.out_of_range(number, format_args!("{} to {}", range.start(), range.end()), faults)
    }

    /// A whole number of that range.
    pub(super) fn amount(&self, range: RangeInclusive<i64>, faults: &mut Faults) -> Option<i64> {
        let Some(number) = whole(&self.value) else {
            return self.wrong_type("a whole number", faults);
        };
        if range.contains(&number) {
            return Some(number);
        }
        self.out_of_range(number, format_args!("{} to {}", range.start(), range.end()), faults)
    }

    /// A count of that range.
    pub(super) fn count(&self, range: RangeInclusive<u32>, faults: &mut Faults) -> Option<u32> {
        let amount = self.amount(i64::from(*range.start())..=i64::from(*range.end()), faults)?;
        u32::try_from(amount).ok()
    }

    /// Percent, to the hundredth.
    pub(super) fn share(&self, faults: &mut Faults) -> Option<Share> {
        let percent = self.number(0.0..=100.0, faults)?;
        let share = Share::percent(percent);
        if share.is_none() {
            faults.add(
                "too-fine",
                &self.at,
                format!("`{}` is {percent} %", self.key),
                "finer than a hundredth of a percent",
                "write at most two digits behind the point: 10,000 operations hold every share exactly",
            );
        }
        share
    }

    /// Two whole numbers, the first not above the second.
    pub(super) fn span(&self, range: RangeInclusive<i64>, faults: &mut Faults) -> Option<[i64; 2]> {
        let form = "two whole numbers, from and to, such as [1, 9]";
        let DeValue::Array(list) = &self.value else {
            return self.wrong_type(form, faults);
        };
        let numbers: Option<Vec<i64>> = list.iter().map(|item| whole(item.get_ref())).collect();
        let Some(&[from, to]) = numbers.as_deref() else {
            return self.wrong_type(form, faults);
        };
        if let Some(outside) = [from, to].into_iter().find(|number| !range.contains(number)) {
            return self.out_of_range(outside, format_args!("{} to {}", range.start(), range.end()), faults);
        }
        if from > to {
            let title = format!("`{}` goes from {from} down to {to}", self.key);
            faults.add(
                "upside-down",
                &self.at,
                title,
                "nothing lies between",
                format!("write [{to}, {from}]"),
            );
            return None;
        }
        Some([from, to])
    }

    pub(super) fn duration(&self, longest: Duration, faults: &mut Faults) -> Option<Duration> {
        let DeValue::String(written) = &self.value else {
            return self.wrong_type("a duration in quotes, such as \"60s\"", faults);
        };
        let read = duration(written).filter(|duration| !duration.is_zero() && *duration <= longest);
        if read.is_none() {
            faults.add(
                "bad-duration",
                &self.at,
                format!("`{}` cannot be {written:?}", self.key),
                format!("a whole number and one of s, m, h, from 1s to {}s", longest.as_secs()),
                "write it as \"90s\", \"5m\" or \"1h\"",
            );
        }
        read
    }

    /// The numbers of a list of lists, each with the place of its list.
    pub(super) fn rows(&self, faults: &mut Faults) -> Option<Vec<(Range<usize>, Vec<f64>)>> {
        let form = "pairs of numbers, such as [[0, 20], [50, 100], [100, 40]]";
        let DeValue::Array(list) = &self.value else {
            return self.wrong_type(form, faults);
        };
        let row = |item: &toml::Spanned<DeValue<'_>>| match item.get_ref() {
            DeValue::Array(row) => {
                row.iter().map(|value| number(value.get_ref())).collect::<Option<Vec<f64>>>()
            }
            _ => None,
        };
        let rows: Option<Vec<_>> =
            list.iter().map(|item| row(item).map(|numbers| (item.span(), numbers))).collect();
        match rows {
            Some(rows) => Some(rows),
            None => self.wrong_type(form, faults),
        }
    }

    /// The table that the value is.
    pub(super) fn section(self, faults: &mut Faults) -> Option<Section<'a>> {
        match self.value {
            DeValue::Table(table) => Some(Section::new(format!("[{}]", self.key), self.key_at, table)),
            _ => self.wrong_type(&format!("a table: `[{}]` or {{ key = value }}", self.key), faults),
        }
    }

    fn bare_number(&self) -> Option<f64> {
        number(&self.value)
    }

    fn wrong_type<T>(&self, wanted: &str, faults: &mut Faults) -> Option<T> {
        let title = format!("`{}` is {}", self.key, type_name(&self.value));
        faults.add("wrong-type", &self.at, title, "of the wrong type or shape", format!("write {wanted}"));
        None
    }

    fn out_of_range<T>(
        &self,
        number: impl std::fmt::Display,
        range: std::fmt::Arguments<'_>,
        faults: &mut Faults,
    ) -> Option<T> {
        let title = format!("`{}` is {number}", self.key);
        faults.add(
            "out-of-range",
            &self.at,
            title,
            format!("not from {range}"),
            "write a number in that range",
        );
        None
    }
}

fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

fn whole(value: &DeValue<'_>) -> Option<i64> {
    match value {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    }
}

fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(number) => number.as_str().parse().ok(),
        value => whole(value).map(|number| number as f64),
    }
}

/// A whole number and one of `s m h`.
fn duration(text: &str) -> Option<Duration> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let seconds = match &text[digits..] {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        _ => return None,
    };
    Some(Duration::from_secs(text[..digits].parse::<u64>().ok()?.checked_mul(seconds)?))
}
