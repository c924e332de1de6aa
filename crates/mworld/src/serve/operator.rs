//! The operator's token: brought by the operator, or made for this start.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::SecretString;

use crate::config::{Config, OPERATOR_TOKEN};
use crate::failure::{Outcome, wrong_input};

/// Who opens the operator's endpoints.
#[derive(Debug)]
pub(crate) enum Operator {
    /// The operator brought a token; where from.
    Brought(SecretString, &'static str),
    /// One was made just now and must be shown, because nobody will see it again.
    Made(SecretString),
}

impl Operator {
    /// What the server compares with.
    pub(crate) fn token(&self) -> SecretString {
        match self {
            Operator::Brought(token, _) | Operator::Made(token) => token.clone(),
        }
    }
}

/// The environment comes before the file; without either, thirty-two random bytes are made for this start. They
/// are written down nowhere: who reads the data directory cannot act as the operator.
pub(crate) fn operator(config: &Config, variable: Option<String>) -> Outcome<Operator> {
    if let Some(token) = variable {
        return Ok(Operator::Brought(checked(&token, OPERATOR_TOKEN)?, OPERATOR_TOKEN));
    }
    let Some(file) = &config.operator_token_file else {
        return Ok(Operator::Made(SecretString::from(URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()))));
    };
    let text = std::fs::read_to_string(file).map_err(|error| {
        wrong_input(format!(
            "operator_token_file {} cannot be read: {error}; write the token into it, or remove the setting",
            file.display()
        ))
    })?;
    let token = checked(text.trim_end(), &format!("the token in {}", file.display()))?;
    Ok(Operator::Brought(token, "operator_token_file"))
}

/// A token must survive a header: visible ASCII, and not too much of it.
fn checked(token: &str, from: &str) -> Outcome<SecretString> {
    let length = token.chars().count();
    if (1..=256).contains(&length) && token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(SecretString::from(token));
    }
    // The value is a secret, so only its length is told.
    Err(wrong_input(format!(
        "{from} ({length} characters) cannot be an operator token; write 1 to 256 visible ASCII characters without spaces"
    )))
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn a_token_that_nobody_brought_is_long_and_new_every_time() {
        let made = || operator(&Config::default(), None).unwrap().token();
        assert_eq!(made().expose_secret().len(), 43);
        assert_ne!(made().expose_secret(), made().expose_secret());
    }

    #[test]
    fn a_brought_token_wins_and_is_checked() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("token");
        std::fs::write(&file, "from-the-file\n").unwrap();
        let config = Config { operator_token_file: Some(file.clone()), ..Config::default() };
        assert_eq!(operator(&config, None).unwrap().token().expose_secret(), "from-the-file");
        assert_eq!(operator(&config, Some("mine".to_owned())).unwrap().token().expose_secret(), "mine");
        for wrong in ["", "two words", "ключ"] {
            let failure = operator(&config, Some(wrong.to_owned())).unwrap_err();
            assert!(failure.message().contains("1 to 256 visible ASCII"), "{wrong}");
        }
        std::fs::remove_file(file).unwrap();
        assert!(operator(&config, None).unwrap_err().message().contains("operator_token_file"));
    }
}
