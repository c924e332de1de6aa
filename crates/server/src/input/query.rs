//! Query strings.

use std::borrow::Cow;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use mworld_shop::{ListId, PageSize, Position};
use percent_encoding::percent_decode_str;

use super::excerpt;
use crate::app::Shared;
use crate::problem::{Code, Problem};

/// The query of one endpoint.
pub(crate) struct Query<T>(pub(crate) T);

/// What an endpoint may be asked.
pub(crate) trait ReadQuery: Sized + Send {
    /// The names of its parameters, for the message that refuses another one.
    const KNOWN: &'static [&'static str];

    /// Whether a name that is not in the list is a parameter all the same.
    fn is_known_family(_name: &str) -> bool {
        false
    }

    /// Reads them.
    fn read(parameters: &Parameters<'_>, app: &Shared) -> Result<Self, Problem>;
}

/// For an endpoint that takes no parameters.
pub(crate) struct NoParameters;

impl ReadQuery for NoParameters {
    const KNOWN: &'static [&'static str] = &[];

    fn read(_: &Parameters<'_>, _: &Shared) -> Result<NoParameters, Problem> {
        Ok(NoParameters)
    }
}

impl<T: ReadQuery> FromRequestParts<Shared> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Query<T>, Problem> {
        let parameters = Parameters::parse(parts.uri.query().unwrap_or_default())?;
        for (name, _) in &parameters.0 {
            if !T::KNOWN.contains(&name.as_ref()) && !T::is_known_family(name) {
                return Err(unknown(name, T::KNOWN));
            }
        }
        T::read(&parameters, app).map(Query)
    }
}

/// The parameters of one query, decoded, in the order in which they came.
#[derive(Debug)]
pub(crate) struct Parameters<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> Parameters<'a> {
    fn parse(query: &'a str) -> Result<Parameters<'a>, Problem> {
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let decoded = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Ok((decode(name)?, decode(value)?))
        });
        decoded.collect::<Result<_, _>>().map(Parameters)
    }

    /// A parameter that may come once.
    pub(crate) fn one(&self, name: &str) -> Result<Option<&str>, Problem> {
        let mut values = self.0.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_ref());
        let first = values.next();
        if values.next().is_some() {
            return Err(invalid(name, "comes twice; send it once"));
        }
        Ok(first)
    }

    /// A free text that may come once. An empty one asks for nothing: forms send those.
    pub(crate) fn words(&self, name: &str) -> Result<Option<&str>, Problem> {
        Ok(self.one(name)?.filter(|value| !value.is_empty()))
    }

    /// A parameter read by a function that says what is wrong with it.
    pub(crate) fn one_as<T, E: std::fmt::Display>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Problem> {
        let value = self.one(name)?;
        value.map(|value| read(value).map_err(|error| invalid(name, error))).transpose()
    }

    /// Every parameter whose name begins like this, with the rest of the name.
    pub(crate) fn family<'s>(&'s self, prefix: &'s str) -> impl Iterator<Item = (&'s str, &'s str)> {
        self.0.iter().filter_map(move |(name, value)| Some((name.strip_prefix(prefix)?, value.as_ref())))
    }

    /// A whole number within these bounds.
    pub(crate) fn whole(&self, name: &str, min: i64, max: i64) -> Result<Option<i64>, Problem> {
        self.one_as(name, |text| {
            let number = text.parse::<i64>().ok().filter(|number| (min..=max).contains(number));
            number.ok_or_else(|| format!("is {:?}; write a whole number from {min} to {max}", excerpt(text)))
        })
    }

    /// The page size.
    pub(crate) fn limit(&self) -> Result<Option<PageSize>, Problem> {
        let limit = self.whole("limit", 1, PageSize::MAX.into())?;
        Ok(limit.and_then(|limit| u32::try_from(limit).ok()).and_then(PageSize::new))
    }

    /// Where to go on in this list.
    pub(crate) fn cursor(&self, list: ListId) -> Result<Option<Position>, Problem> {
        Ok(self.words("cursor")?.map(|text| Position::decode(text, list)).transpose()?)
    }

    /// A text of at most so many characters.
    pub(crate) fn text(&self, name: &str, max_chars: usize) -> Result<Option<&str>, Problem> {
        let value = self.words(name)?;
        match value.map(|value| value.chars().count()) {
            Some(chars) if chars > max_chars => {
                Err(invalid(name, format!("has {chars} characters; write at most {max_chars}")))
            }
            _ => Ok(value),
        }
    }
}

/// A parameter that breaks a rule; the words name the value, the limit and the next step.
pub(crate) fn invalid(name: &str, problem: impl std::fmt::Display) -> Problem {
    Problem::new(Code::InvalidParameter, format!("{name}: {problem}"))
}

fn unknown(name: &str, known: &[&str]) -> Problem {
    let name = excerpt(name);
    let detail = match known {
        [] => format!("there is no parameter {name:?}; this path takes none"),
        known => format!("there is no parameter {name:?}; this path takes {}", known.join(", ")),
    };
    Problem::new(Code::UnknownParameter, detail)
}

fn decode(text: &str) -> Result<Cow<'_, str>, Problem> {
    let not_utf8 = |_| {
        let detail = format!("{:?} is not UTF-8; percent-encode the query as UTF-8", excerpt(text));
        Problem::new(Code::InvalidParameter, detail)
    };
    if text.contains('+') {
        let spaced = text.replace('+', " ");
        return Ok(Cow::Owned(percent_decode_str(&spaced).decode_utf8().map_err(not_utf8)?.into_owned()));
    }
    percent_decode_str(text).decode_utf8().map_err(not_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(query: &str) -> Parameters<'_> {
        Parameters::parse(query).unwrap()
    }

    #[test]
    fn values_are_decoded() {
        let parameters = parse("q=%D1%82%D0%B5%D0%BB%D0%B5%D1%84%D0%BE%D0%BD+x&empty=&attr.color=black");
        assert_eq!(parameters.one("q").unwrap(), Some("телефон x"));
        assert_eq!(parameters.one("empty").unwrap(), Some(""));
        assert_eq!(parameters.words("empty").unwrap(), None);
        assert_eq!(parameters.family("attr.").collect::<Vec<_>>(), [("color", "black")]);
    }

    #[test]
    fn limits_are_kept_and_named() {
        for bad in [
            "limit=",
            "limit=0",
            "limit=101",
            "limit=ten",
            "limit=-1",
            "limit=1.0",
            "limit=99999999999999999999",
        ] {
            let problem = parse(bad).limit().unwrap_err();
            assert_eq!(problem.code(), Code::InvalidParameter, "{bad}");
            assert!(problem.detail().contains("from 1 to 100"), "{}", problem.detail());
        }
        assert_eq!(parse("limit=100").limit().unwrap().unwrap().get(), 100);
    }

    #[test]
    fn a_parameter_that_comes_twice_is_refused() {
        let problem = parse("zone=msk&zone=spb").one("zone").unwrap_err();
        assert!(problem.detail().contains("twice"), "{}", problem.detail());
    }

    #[test]
    fn what_is_not_utf8_is_refused() {
        assert_eq!(Parameters::parse("q=%ff").unwrap_err().code(), Code::InvalidParameter);
    }

    #[test]
    fn an_unknown_parameter_hears_the_known_ones() {
        let problem = unknown("colour", &["q", "limit"]);
        assert_eq!(problem.code(), Code::UnknownParameter);
        assert!(problem.detail().contains("\"colour\"") && problem.detail().contains("q, limit"));
    }
}
