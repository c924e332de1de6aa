//! Commands to one server or to a whole cluster, as its keeper gives them: what a shop's operations never need, and
//! what those who start, watch and stop servers do.

use std::time::Duration;

pub use mongodb::bson::{self, Bson, Document, doc};
use mongodb::options::{ClientOptions, Credential, ServerAddress, Tls, TlsOptions};

/// A UUID as the store's documents have it.
pub fn id(uuid: uuid::Uuid) -> Bson {
    crate::bson::id(uuid)
}

/// Why a server did not do what it was told.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct AdminError {
    /// The server's number for it, if the server answered and gave one.
    pub code: Option<i32>,
    /// In words.
    pub message: String,
}

impl From<mongodb::error::Error> for AdminError {
    /// The kind alone: the whole error carries labels and the raw answer, which are nobody's next step.
    fn from(error: mongodb::error::Error) -> AdminError {
        AdminError { code: code(&error), message: error.kind.to_string() }
    }
}

/// The server's number; a refused password has it one error further down.
fn code(error: &mongodb::error::Error) -> Option<i32> {
    if let mongodb::error::ErrorKind::Command(command) = error.kind.as_ref() {
        return Some(command.code);
    }
    std::error::Error::source(error)?
        .downcast_ref::<Box<mongodb::error::Error>>()
        .and_then(|source| code(source))
}

/// How to get in.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// The certificate authority that the server's certificate must come from; `None` = no TLS.
    pub ca_file: Option<std::path::PathBuf>,
    /// User and password; `None` = no authentication.
    pub user: Option<(String, String)>,
}

/// A connection to exactly one server, whatever it says of others.
#[derive(Debug, Clone)]
pub struct Direct {
    client: mongodb::Client,
}

impl Direct {
    /// Connects when the first command is given; nothing waits longer than `patience` for a server.
    pub fn new(host: &str, port: u16, access: &Access, patience: Duration) -> Result<Direct, AdminError> {
        let mut options = ClientOptions::default();
        options.hosts = vec![ServerAddress::Tcp { host: host.to_owned(), port: Some(port) }];
        options.direct_connection = Some(true);
        options.server_selection_timeout = Some(patience);
        options.connect_timeout = Some(patience);
        if let Some(ca) = &access.ca_file {
            options.tls = Some(Tls::Enabled(TlsOptions::builder().ca_file_path(ca.clone()).build()));
        }
        if let Some((name, password)) = &access.user {
            let credential = Credential::builder()
                .username(name.clone())
                .password(password.clone())
                .source("admin".to_owned())
                .build();
            options.credential = Some(credential);
        }
        Ok(Direct { client: mongodb::Client::with_options(options)? })
    }

    /// Connects as an address says, with the user and the certificates that stand in it.
    pub async fn at(uri: &str, patience: Duration) -> Result<Direct, AdminError> {
        let mut options = ClientOptions::parse(uri).await?;
        options.server_selection_timeout = Some(patience);
        options.connect_timeout = Some(patience);
        Ok(Direct { client: mongodb::Client::with_options(options)? })
    }

    /// Runs one command on a database; its first key is the command's name.
    pub async fn run(&self, database: &str, command: Document) -> Result<Document, AdminError> {
        Ok(self.client.database(database).run_command(command).await?)
    }
}
