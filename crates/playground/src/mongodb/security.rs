//! What a cluster demands of those who come: a password, TLS, both or neither.

mod certificates;
mod secret;

use std::path::{Path, PathBuf};

use mworld_mongo::admin::Access;

use crate::error::{Result, on_path};

/// The administrator's name.
pub const USER: &str = "mworld";

const KEY_FILE: &str = "keyfile";
const PASSWORD_FILE: &str = "password";
const CA_FILE: &str = "ca.pem";
const CERTIFICATE_FILE: &str = "server.pem";

/// The files that hold it, whatever is demanded.
pub(crate) const FILES: [&str; 4] = [KEY_FILE, PASSWORD_FILE, CA_FILE, CERTIFICATE_FILE];

/// What is to be demanded; nothing by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Demands {
    /// A password.
    pub auth: bool,
    /// TLS.
    pub tls: bool,
}

/// What is demanded, with the files that it takes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Security {
    /// A password.
    pub auth: Option<Auth>,
    /// TLS.
    pub tls: Option<Tls>,
}

/// Passwords for clients, a shared key among the servers.
#[derive(Clone, PartialEq, Eq)]
pub struct Auth {
    /// The servers' key.
    pub key_file: PathBuf,
    /// Where the password of [`USER`] stands.
    pub password_file: PathBuf,
    /// The password itself.
    pub password: String,
}

/// Certificates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tls {
    /// The authority that a client must trust.
    pub ca_file: PathBuf,
    /// The servers' certificate and its key.
    pub certificate_file: PathBuf,
}

impl std::fmt::Debug for Auth {
    /// Without the password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Auth").field("password_file", &self.password_file).finish_non_exhaustive()
    }
}

impl Security {
    /// Makes the key, the password and the certificates that are demanded, in a folder that exists.
    pub fn make(demands: Demands, folder: &Path) -> Result<Security> {
        if demands.auth {
            secret::write(&folder.join(KEY_FILE))?;
            secret::write(&folder.join(PASSWORD_FILE))?;
        }
        if demands.tls {
            certificates::make(&folder.join(CA_FILE), &folder.join(CERTIFICATE_FILE))?;
        }
        Security::read(demands, folder)
    }

    /// Those that were made there before.
    pub fn read(demands: Demands, folder: &Path) -> Result<Security> {
        let auth = if demands.auth {
            let password_file = folder.join(PASSWORD_FILE);
            let password = std::fs::read_to_string(&password_file);
            let password =
                password.map_err(|error| on_path("reading", &password_file, error))?.trim().to_owned();
            Some(Auth { key_file: folder.join(KEY_FILE), password_file, password })
        } else {
            None
        };
        let tls = demands
            .tls
            .then(|| Tls { ca_file: folder.join(CA_FILE), certificate_file: folder.join(CERTIFICATE_FILE) });
        Ok(Security { auth, tls })
    }

    /// How to get in as the administrator.
    pub(super) fn access(&self) -> Access {
        let user = self.auth.as_ref().map(|auth| (USER.to_owned(), auth.password.clone()));
        Access { user, ..self.anonymous() }
    }

    /// How to get in as nobody, which is enough to ask a server how it is.
    pub(super) fn anonymous(&self) -> Access {
        Access { ca_file: self.tls.as_ref().map(|tls| tls.ca_file.clone()), user: None }
    }

    /// What an address says of it.
    pub(super) fn uri_options(&self) -> String {
        let mut options = Vec::new();
        if self.auth.is_some() {
            options.push("authSource=admin".to_owned());
        }
        if let Some(tls) = &self.tls {
            options.push(format!("tls=true&tlsCAFile={}", encoded(&tls.ca_file)));
        }
        if options.is_empty() { String::new() } else { format!("?{}", options.join("&")) }
    }
}

/// A path as an address may hold it.
fn encoded(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let bytes = path.as_os_str().as_encoded_bytes();
    bytes
        .iter()
        .map(|byte| if plain(*byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_what_is_demanded_and_no_password() {
        let auth = Auth { key_file: "/k".into(), password_file: "/p".into(), password: "secret".to_owned() };
        let tls = Tls { ca_file: "/my dir/ca.pem".into(), certificate_file: "/c".into() };
        assert_eq!(Security::default().uri_options(), "");
        let both = Security { auth: Some(auth), tls: Some(tls) };
        assert_eq!(both.uri_options(), "?authSource=admin&tls=true&tlsCAFile=/my%20dir/ca.pem");
        assert!(!format!("{both:?}").contains("secret"));
    }
}
