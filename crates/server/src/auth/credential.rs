//! Where a request carries its token.

use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, COOKIE};

/// The cookie by which the web pages carry the session token.
pub(crate) const SESSION_COOKIE: &str = "mworld_session";

/// What a request shows of itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Credential<'a> {
    /// A bearer token or the session cookie.
    Token(&'a str),
    /// Neither.
    Nothing,
    /// An `Authorization` header of another kind. The cookie does not count then: who sends a header means it.
    Unreadable,
}

impl<'a> Credential<'a> {
    pub(super) fn of(headers: &'a HeaderMap) -> Credential<'a> {
        let Some(header) = headers.get(AUTHORIZATION) else {
            return session_cookie(headers).map_or(Credential::Nothing, Credential::Token);
        };
        let bearer = header.to_str().ok().and_then(|text| text.split_once(' '));
        match bearer {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => Credential::Token(token.trim()),
            _ => Credential::Unreadable,
        }
    }
}

fn session_cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|header| header.to_str().ok());
    let pairs = cookies.flat_map(|header| header.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, _)| *name == SESSION_COOKIE).map(|(_, value)| value).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn the_scheme_is_not_case_sensitive() {
        assert_eq!(Credential::of(&headers(&[("authorization", "bEaReR abc")])), Credential::Token("abc"));
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let headers = headers(&[("cookie", "theme=dark; mworld_session=abc; x=y")]);
        assert_eq!(Credential::of(&headers), Credential::Token("abc"));
    }

    #[test]
    fn a_foreign_header_is_not_overruled_by_the_cookie() {
        let headers = headers(&[("authorization", "Basic eHl6"), ("cookie", "mworld_session=abc")]);
        assert_eq!(Credential::of(&headers), Credential::Unreadable);
    }

    #[test]
    fn a_cookie_that_merely_ends_alike_is_another() {
        assert_eq!(Credential::of(&headers(&[("cookie", "not_mworld_session=abc")])), Credential::Nothing);
    }
}
