//! A value as somebody wrote it, and the forms that a setting may ask of it.
//!
//! Every form answers with what to write instead, such as `write a whole number from 1 to 64`.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use mworld_shop::Named;
use toml::de::DeValue;

use crate::units;

/// A value, whether it came from a file, the environment or a flag.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Given {
    Text(String),
    Whole(i64),
    List(Vec<Given>),
    Table(Vec<(String, Given)>),
    /// Something that no setting takes, as it was written.
    Other(String),
}

/// What to write instead of what was given.
pub(super) type Instead = String;

impl Given {
    /// From a TOML value.
    pub(super) fn from_toml(value: &DeValue<'_>) -> Given {
        match value {
            DeValue::String(text) => Given::Text(text.to_string()),
            DeValue::Integer(number) => {
                let parsed = i64::from_str_radix(&number.as_str().replace('_', ""), number.radix());
                parsed.map_or_else(|_| Given::Other(number.as_str().to_owned()), Given::Whole)
            }
            DeValue::Array(items) => {
                Given::List(items.iter().map(|item| Given::from_toml(item.get_ref())).collect())
            }
            DeValue::Table(table) => Given::Table(
                table
                    .iter()
                    .map(|(key, value)| (key.get_ref().to_string(), Given::from_toml(value.get_ref())))
                    .collect(),
            ),
            DeValue::Float(number) => Given::Other(number.as_str().to_owned()),
            DeValue::Boolean(truth) => Given::Other(truth.to_string()),
            DeValue::Datetime(time) => Given::Other(time.to_string()),
        }
    }

    /// From the environment or a flag, where everything is text: a number if it reads as one, a list if it is written
    /// like one in TOML or has commas.
    pub(super) fn from_text(text: &str) -> Given {
        if let Ok(number) = text.parse() {
            return Given::Whole(number);
        }
        if text.starts_with('[') {
            return match DeValue::parse(text) {
                Ok(value) => Given::from_toml(value.get_ref()),
                Err(_) => Given::Other(text.to_owned()),
            };
        }
        Given::Text(text.to_owned())
    }

    /// A text that is not empty.
    pub(super) fn text(&self, what: &str) -> Result<String, Instead> {
        match self {
            Given::Text(text) if !text.trim().is_empty() => Ok(text.clone()),
            // A directory or a file may well be called `2026` on the command line.
            Given::Whole(number) => Ok(number.to_string()),
            _ => Err(format!("write {what}")),
        }
    }

    /// A whole number within bounds.
    pub(super) fn whole<T: TryFrom<i64>>(&self, bounds: RangeInclusive<i64>) -> Result<T, Instead> {
        let inside = match self {
            Given::Whole(number) if bounds.contains(number) => T::try_from(*number).ok(),
            _ => None,
        };
        inside.ok_or_else(|| format!("write a whole number from {} to {}", bounds.start(), bounds.end()))
    }

    /// A duration up to a bound.
    pub(super) fn duration(&self, longest: Duration) -> Result<Duration, Instead> {
        let read = match self {
            Given::Text(text) => units::duration(text),
            _ => None,
        };
        read.filter(|duration| *duration <= longest).ok_or_else(|| {
            format!(
                "write a duration such as \"90s\", \"30m\" or \"7d\", at most {}",
                units::show_duration(longest)
            )
        })
    }

    /// A size within bounds, in bytes if it is a bare number.
    pub(super) fn size(&self, bounds: RangeInclusive<u64>) -> Result<usize, Instead> {
        let read = match self {
            Given::Text(text) => units::size(text),
            Given::Whole(bytes) => u64::try_from(*bytes).ok(),
            _ => None,
        };
        let inside =
            read.filter(|bytes| bounds.contains(bytes)).and_then(|bytes| usize::try_from(bytes).ok());
        let (least, most) = (units::show_size(*bounds.start()), units::show_size(*bounds.end()));
        inside.ok_or_else(|| format!("write a size such as \"64KiB\", from {least} to {most}"))
    }

    /// One of some words.
    pub(super) fn one_of<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, Instead> {
        let found = match self {
            Given::Text(text) => words.iter().find(|(word, _)| word == text),
            _ => None,
        };
        let known = || words.iter().map(|(word, _)| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
        found.map(|(_, value)| *value).ok_or_else(|| format!("write one of {}", known()))
    }

    /// A list of ids, or of tables with `id` and `name`. `name_of` knows what people call an id that came alone.
    pub(super) fn names<T: Clone + PartialEq>(
        &self,
        parse: impl Fn(&str) -> Option<T>,
        name_of: impl Fn(&str) -> Option<String>,
    ) -> Result<Vec<Named<T>>, Instead> {
        const FORM: &str = "write a list of 1 to 62 different ids, each 1 to 32 of a-z, 0-9, _ and -, \
                            such as [\"msk\", { id = \"spb\", name = \"Санкт-Петербург\" }]";
        let commas =
            |text: &String| text.split(',').map(|part| Given::Text(part.trim().to_owned())).collect();
        let items: Vec<Given> = match self {
            Given::List(items) => items.clone(),
            Given::Text(text) => commas(text),
            _ => Vec::new(),
        };
        let mut list: Vec<Named<T>> = Vec::new();
        for item in &items {
            let named = item.named(&parse, &name_of).ok_or(FORM)?;
            if list.iter().any(|earlier| earlier.id == named.id) {
                return Err(FORM.to_owned());
            }
            list.push(named);
        }
        if (1..=62).contains(&list.len()) { Ok(list) } else { Err(FORM.to_owned()) }
    }

    fn named<T>(
        &self,
        parse: impl Fn(&str) -> Option<T>,
        name_of: impl Fn(&str) -> Option<String>,
    ) -> Option<Named<T>> {
        match self {
            Given::Text(id) => {
                Some(Named { id: parse(id)?, name: name_of(id).unwrap_or_else(|| id.clone()) })
            }
            Given::Table(pairs) => {
                let field = |key: &str| match pairs.iter().find(|(name, _)| name == key) {
                    Some((_, Given::Text(text))) => Some(text.as_str()),
                    _ => None,
                };
                let known = pairs.iter().all(|(key, _)| key == "id" || key == "name");
                let name = field("name").filter(|name| (1..=100).contains(&name.chars().count()))?;
                known.then_some(())?;
                Some(Named { id: parse(field("id")?)?, name: name.to_owned() })
            }
            _ => None,
        }
    }
}

impl fmt::Display for Given {
    /// As it would stand in a message: recognisable, never long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Text(text) => {
                let start: String = text.chars().take(64).collect();
                write!(f, "{start:?}")
            }
            Given::Whole(number) => write!(f, "{number}"),
            Given::List(items) => write!(f, "this list of {}", items.len()),
            Given::Table(_) => f.write_str("a table"),
            Given::Other(text) => f.write_str(&text.chars().take(64).collect::<String>()),
        }
    }
}
