//! The way to a cluster: an address, checked before anything is done with it.

use std::time::Duration;

use mongodb::bson::{Document, doc};
use mongodb::options::{ClientOptions, Credential};
use secrecy::{ExposeSecret, SecretString};

use crate::fault::code;
use crate::open_error::OpenError;

/// The oldest server that has what this engine uses.
const OLDEST: (i64, i64) = (7, 0);

/// How long a server that does not answer is waited for when a store is opened.
const PATIENCE: Duration = Duration::from_secs(5);

/// Connections to one router. An operation holds one only while a command of its is under way.
const CONNECTIONS: u32 = 256;

/// The database of an address that names none.
pub const DEFAULT_DATABASE: &str = "mworld";

/// Where a cluster is and how to get in.
#[derive(Debug, Clone)]
pub struct Address {
    /// `mongodb://host:port/database`, with or without a user.
    pub uri: String,
    /// The password, if it does not stand in the address.
    pub password: Option<SecretString>,
}

impl Address {
    /// An address that says everything itself.
    pub fn new(uri: impl Into<String>) -> Address {
        Address { uri: uri.into(), password: None }
    }

    /// The address as it may be shown: without the password.
    pub fn shown(&self) -> String {
        let Some((scheme, rest)) = self.uri.split_once("://") else { return self.uri.clone() };
        let end = rest.find('/').unwrap_or(rest.len());
        let Some(at) = rest[..end].rfind('@') else { return self.uri.clone() };
        let user = rest[..at].split(':').next().unwrap_or_default();
        format!("{scheme}://{user}@{}", &rest[at + 1..])
    }
}

/// A cluster that answers, is one, and is new enough.
pub(crate) struct Cluster {
    pub(crate) client: mongodb::Client,
    pub(crate) database: mongodb::Database,
}

impl Cluster {
    /// Connects and looks at what is there, within seconds.
    pub(crate) async fn connect(address: &Address) -> Result<Cluster, OpenError> {
        let shown = address.shown();
        let bad = |error: &mongodb::error::Error| OpenError::BadAddress {
            address: shown.clone(),
            problem: error.kind.to_string(),
        };
        let mut options = ClientOptions::parse(&address.uri).await.map_err(|error| bad(&error))?;
        options.app_name.get_or_insert_with(|| "mworld".to_owned());
        options.max_pool_size.get_or_insert(CONNECTIONS);
        options.server_selection_timeout.get_or_insert(PATIENCE);
        options.connect_timeout.get_or_insert(PATIENCE);
        if let Some(password) = &address.password {
            let credential = options.credential.get_or_insert_with(Credential::default);
            credential.password = Some(password.expose_secret().to_owned());
        }
        let name = options.default_database.clone().unwrap_or_else(|| DEFAULT_DATABASE.to_owned());
        let client = mongodb::Client::with_options(options).map_err(|error| bad(&error))?;
        let admin = client.database("admin");
        let ask = |command: Document| {
            let admin = admin.clone();
            let work = tokio::spawn(async move { admin.run_command(command).await });
            let shown = shown.clone();
            async move {
                match tokio::time::timeout(PATIENCE + Duration::from_secs(2), work).await {
                    Ok(Ok(Ok(answer))) => Ok(answer),
                    Ok(Ok(Err(error))) => Err(refused(&shown, &error)),
                    Ok(Err(_)) | Err(_) => Err(OpenError::Silent {
                        address: shown,
                        problem: "it accepted the connection and did not answer".to_owned(),
                    }),
                }
            }
        };
        let hello = ask(doc! { "hello": 1 }).await?;
        if hello.get_str("msg").ok() != Some("isdbgrid") {
            let what = match hello.get_str("setName") {
                Ok(set) => format!("a member of the replica set {set}"),
                Err(_) => "a single server".to_owned(),
            };
            return Err(OpenError::NotARouter { address: shown, what });
        }
        // Needs rights, unlike hello: whoever is not let in hears it now and not at the first sale.
        let built = ask(doc! { "buildInfo": 1 }).await?;
        let version = built.get_str("version").unwrap_or_default();
        if !is_new_enough(version) {
            return Err(OpenError::TooOld { address: shown, version: version.to_owned() });
        }
        ask(doc! { "listShards": 1 }).await?;
        Ok(Cluster { database: client.database(&name), client })
    }
}

fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or(0));
    let (major, minor) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    (major, minor) >= OLDEST
}

/// Why a cluster did not let us in.
fn refused(address: &str, error: &mongodb::error::Error) -> OpenError {
    let (address, problem) = (address.to_owned(), error.kind.to_string());
    let unauthenticated = matches!(error.kind.as_ref(), mongodb::error::ErrorKind::Authentication { .. })
        || code(error) == Some(18);
    if unauthenticated {
        return OpenError::WrongPassword { address };
    }
    match code(error) {
        Some(13) => OpenError::NoRights { address, problem },
        _ => OpenError::Silent { address, problem },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        let shown = |uri: &str| Address::new(uri).shown();
        assert_eq!(shown("mongodb://shop:s3cret@db:27017/mw"), "mongodb://shop@db:27017/mw");
        assert_eq!(shown("mongodb://shop:p@ss@db/mw?x=a@b"), "mongodb://shop@db/mw?x=a@b");
        assert_eq!(shown("mongodb://db:27017"), "mongodb://db:27017");
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(is_new_enough("8.2.0") && is_new_enough("10.0.1") && is_new_enough("7.0.0"));
        assert!(!is_new_enough("6.0.19") && !is_new_enough("nonsense"));
    }
}
