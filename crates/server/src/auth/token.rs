//! The session's bearer token: the session's id and 32 secret bytes, as 64 URL-safe characters.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mworld_shop::SessionId;
use mworld_shop::session::TokenDigest;
use rand::Rng as _;
use sha2::{Digest, Sha256};
use uuid::Uuid;

const ID_BYTES: usize = 16;
const SECRET_BYTES: usize = 32;

/// A token. It names its session, so that a look-up by id finds it; the store keeps only a digest of the secret.
pub(crate) struct SessionToken {
    id: SessionId,
    secret: [u8; SECRET_BYTES],
}

impl SessionToken {
    /// A fresh secret for this session.
    pub(crate) fn generate(id: SessionId) -> SessionToken {
        let mut secret = [0; SECRET_BYTES];
        rand::rng().fill_bytes(&mut secret);
        SessionToken { id, secret }
    }

    /// Reads what [`SessionToken::expose`] wrote; `None` for anything else.
    pub(crate) fn parse(text: &str) -> Option<SessionToken> {
        let mut bytes = [0; ID_BYTES + SECRET_BYTES];
        // The length is checked first, since a longer text would not fit into the array.
        if text.len() != 64 || URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok()? != bytes.len() {
            return None;
        }
        let (id, secret) = bytes.split_first_chunk::<ID_BYTES>()?;
        let id = SessionId::from_uuid(Uuid::from_bytes(*id));
        Some(SessionToken { id, secret: secret.try_into().ok()? })
    }

    /// The session that it claims to open.
    pub(crate) fn session_id(&self) -> SessionId {
        self.id
    }

    /// What the store keeps. A plain hash suffices: the secret has 256 random bits, nobody can guess it.
    pub(crate) fn digest(&self) -> TokenDigest {
        TokenDigest(Sha256::digest(self.secret).into())
    }

    /// The token as the client sends it.
    pub(crate) fn expose(&self) -> String {
        let mut bytes = [0; ID_BYTES + SECRET_BYTES];
        bytes[..ID_BYTES].copy_from_slice(self.id.uuid().as_bytes());
        bytes[ID_BYTES..].copy_from_slice(&self.secret);
        URL_SAFE_NO_PAD.encode(bytes)
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SessionToken({}, …)", self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let token = SessionToken::generate(SessionId::generate());
        let text = token.expose();
        assert_eq!(text.len(), 64);
        let read = SessionToken::parse(&text).unwrap();
        assert_eq!(read.session_id(), token.session_id());
        assert_eq!(read.digest(), token.digest());
    }

    #[test]
    fn other_texts_are_no_tokens() {
        let good = SessionToken::generate(SessionId::generate()).expose();
        let with_stroke = format!("/{}", &good[1..]);
        for text in ["", "abc", &good[1..], &format!("{good}A"), &with_stroke, &"é".repeat(32)] {
            assert!(SessionToken::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn its_debug_form_hides_the_secret() {
        let token = SessionToken::generate(SessionId::generate());
        assert!(!format!("{token:?}").contains(&token.expose()[24..]));
    }
}
