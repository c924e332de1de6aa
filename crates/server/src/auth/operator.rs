//! Those who run the store.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::credential::Credential;
use super::token::SessionToken;
use crate::app::Shared;
use crate::problem::{Code, Problem};

/// The digest of the operator's token. Comparing digests in constant time tells an attacker neither how much of
/// a guess was right nor how long the token is.
pub(crate) struct OperatorSecret([u8; 32]);

impl OperatorSecret {
    pub(crate) fn new(token: &SecretString) -> OperatorSecret {
        OperatorSecret(Sha256::digest(token.expose_secret()).into())
    }

    fn opens_with(&self, digest: &[u8; 32]) -> bool {
        self.0.ct_eq(digest).into()
    }
}

/// Proof that the caller has the operator's token.
pub(crate) struct Operator;

impl FromRequestParts<Shared> for Operator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Operator, Problem> {
        let Credential::Token(given) = Credential::of(&parts.headers) else {
            return Err(unauthorized());
        };
        let digest: [u8; 32] = Sha256::digest(given).into();
        app.rates.admit(&digest)?;
        if app.operator.opens_with(&digest) {
            return Ok(Operator);
        }
        // A buyer who is known by name hears that the door is not for buyers; a stranger hears only that the
        // token opens nothing.
        let Some(token) = SessionToken::parse(given) else {
            return Err(unauthorized());
        };
        match app.store.session(token.session_id(), &token.digest()).await? {
            Some(_) => Err(Problem::new(
                Code::OperatorOnly,
                "a session's token does not open this; send the operator token as Authorization: Bearer TOKEN",
            )),
            None => Err(unauthorized()),
        }
    }
}

fn unauthorized() -> Problem {
    let detail = "there is no valid token; send the operator token, which the store printed at its start, \
                  as Authorization: Bearer TOKEN";
    Problem::new(Code::Unauthorized, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_itself_opens() {
        let secret = OperatorSecret::new(&SecretString::from("open sesame".to_owned()));
        assert!(secret.opens_with(&Sha256::digest("open sesame").into()));
        for wrong in ["", "open sesam", "open sesame ", "OPEN SESAME"] {
            assert!(!secret.opens_with(&Sha256::digest(wrong).into()), "{wrong}");
        }
    }
}
