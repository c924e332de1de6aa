//! One password and its hash.

use std::cell::RefCell;
use std::sync::LazyLock;

use argon2::{Algorithm, Argon2, Block, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer};
use subtle::ConstantTimeEq as _;

use crate::problem::{Code, Problem};

/// The shortest password, in characters.
const MIN_CHARS: usize = 8;
/// The longest password, in bytes: enough for any sentence, too little to make hashing slow.
const MAX_BYTES: usize = 1024;

/// A password as somebody typed it. It is shown nowhere: `Debug` hides it and nothing serialises it.
#[derive(Debug, Clone)]
pub(crate) struct Password(SecretString);

impl Password {
    /// Checks a password that somebody chooses.
    pub(crate) fn check_new(&self) -> Result<(), Problem> {
        let chars = self.0.expose_secret().chars().count();
        if chars < MIN_CHARS {
            let detail = format!("the password has {chars} characters; choose at least {MIN_CHARS}");
            return Err(Problem::new(Code::WeakPassword, detail));
        }
        self.check_given()
    }

    /// Checks a password that somebody claims to have chosen.
    pub(crate) fn check_given(&self) -> Result<(), Problem> {
        let bytes = self.0.expose_secret().len();
        if bytes > MAX_BYTES {
            let detail = format!("password has {bytes} bytes; at most {MAX_BYTES} are possible");
            return Err(Problem::new(Code::InvalidBody, detail));
        }
        Ok(())
    }

    fn bytes(&self) -> &[u8] {
        self.0.expose_secret().as_bytes()
    }
}

impl<'de> Deserialize<'de> for Password {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Password(SecretString::from(text)))
    }
}

/// 19 MiB, two passes, one lane: what OWASP asks of Argon2id at least.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
/// How a hash of ours begins, in PHC form.
const PREFIX: &str = "$argon2id$v=19$m=19456,t=2,p=1$";

thread_local! {
    /// The memory that hashing fills. Taken anew for each hash it would stay behind in the allocator's arenas: 330 MiB
    /// after twenty logins, measured. So each thread of the pool keeps its own.
    static MEMORY: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
}

fn hasher() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None).expect("19 MiB, two passes and one lane are legal");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn derive(password: &Password, salt: &[u8]) -> Result<[u8; 32], argon2::Error> {
    let mut output = [0; 32];
    MEMORY.with_borrow_mut(|memory| {
        memory.resize_with(MEMORY_KIB as usize, Block::default);
        hasher().hash_password_into_with_memory(password.bytes(), salt, &mut output, memory)
    })?;
    Ok(output)
}

/// The hash of a password, in PHC form, with a salt of its own.
pub(crate) fn hash(password: &Password) -> Result<String, Problem> {
    let salt: [u8; 16] = rand::random();
    let output =
        derive(password, &salt).map_err(|error| Problem::internal(format!("cannot hash: {error}")))?;
    Ok(format!("{PREFIX}{}${}", STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(output)))
}

/// Salt and output of a hash that [`hash`] made.
fn parts(stored: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    let (salt, output) = stored.strip_prefix(PREFIX)?.split_once('$')?;
    Some((STANDARD_NO_PAD.decode(salt).ok()?, STANDARD_NO_PAD.decode(output).ok()?))
}

/// The hash of nobody's password. Whoever asks for an account that does not exist waits for it as long as for a
/// real one, and so does not learn from the clock which e-mails have accounts.
static NOBODY: LazyLock<String> = LazyLock::new(|| {
    hash(&Password(SecretString::from("nobody has this one".to_owned())))
        .expect("hashing a constant with legal parameters works")
});

/// Makes the hash of nobody's password now, so that no login waits for it.
pub(super) fn prepare() {
    LazyLock::force(&NOBODY);
}

/// Whether the password is the one of this hash. `None` = there is no account: it takes as long, and is false.
pub(crate) fn verify(password: &Password, stored: Option<&str>) -> Result<bool, Problem> {
    let broken =
        |problem: &str| Problem::internal(format!("a stored password hash does not read: {problem}"));
    let (salt, expected) =
        parts(stored.unwrap_or(NOBODY.as_str())).ok_or_else(|| broken("not of this store"))?;
    let output = derive(password, &salt).map_err(|error| broken(&error.to_string()))?;
    let matches = bool::from(output.as_slice().ct_eq(&expected));
    Ok(matches && stored.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        Password(SecretString::from(text.to_owned()))
    }

    #[test]
    fn only_the_same_password_verifies() {
        let stored = hash(&password("correct horse")).unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(verify(&password("correct horse"), Some(&stored)).unwrap());
        assert!(!verify(&password("correct horsf"), Some(&stored)).unwrap());
        assert!(!verify(&password("nobody has this one"), None).unwrap());
    }

    #[test]
    fn length_is_judged_in_characters_below_and_bytes_above() {
        assert_eq!(password("пароль7").check_new().unwrap_err().code(), Code::WeakPassword);
        assert!(password("пароль78").check_new().is_ok());
        assert!(password(&"x".repeat(1024)).check_new().is_ok());
        assert_eq!(password(&"x".repeat(1025)).check_new().unwrap_err().code(), Code::InvalidBody);
    }

    #[test]
    fn its_debug_form_hides_it() {
        assert!(!format!("{:?}", password("correct horse")).contains("horse"));
    }
}
