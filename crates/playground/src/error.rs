//! Why a playground did not do what it was asked.

use std::fmt::Display;
use std::path::Path;

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The person's: what was asked makes no sense or does not fit what is there.
    WrongInput,
    /// The machine's: it was tried and did not work.
    Failed,
}

/// What went wrong, for a person: the value, the limit and the next step.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct PlaygroundError {
    kind: Kind,
    message: String,
}

/// What can go wrong here.
pub type Result<T> = std::result::Result<T, PlaygroundError>;

impl PlaygroundError {
    /// Whose turn it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }
}

/// The input was wrong.
pub(crate) fn wrong_input(message: impl Into<String>) -> PlaygroundError {
    PlaygroundError { kind: Kind::WrongInput, message: message.into() }
}

/// It did not work.
pub(crate) fn failed(message: impl Into<String>) -> PlaygroundError {
    PlaygroundError { kind: Kind::Failed, message: message.into() }
}

/// A file or directory could not be had; `doing` names what was wanted of it.
pub(crate) fn on_path(doing: &str, path: &Path, error: impl Display) -> PlaygroundError {
    failed(format!(
        "{doing} {} failed: {error}; see that the disk has room and that you may write there",
        path.display()
    ))
}
