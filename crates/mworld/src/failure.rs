//! How a command ends when it does not end well.

use std::process::ExitCode;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input was wrong: exit code 2.
    WrongInput(String),
    /// The input was wrong, and the text has been drawn already, with the offending lines underlined: exit code 2.
    Drawn(String),
    /// It was tried and did not work, or the verdict is bad: exit code 1.
    Failed(String),
    /// The same, and everything that is to be said has been said.
    BadVerdict,
}

impl Failure {
    /// What the shell sees.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Failure::WrongInput(_) | Failure::Drawn(_) => ExitCode::from(2),
            Failure::Failed(_) | Failure::BadVerdict => ExitCode::FAILURE,
        }
    }

    /// What a person reads on standard error.
    pub(crate) fn message(&self) -> String {
        match self {
            Failure::WrongInput(message) | Failure::Failed(message) => format!("error: {message}\n"),
            Failure::Drawn(drawn) => drawn.clone(),
            Failure::BadVerdict => String::new(),
        }
    }
}

/// The result of a command.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// The input was wrong.
pub(crate) fn wrong_input(message: impl Into<String>) -> Failure {
    Failure::WrongInput(message.into())
}

/// It did not work.
pub(crate) fn failed(message: impl Into<String>) -> Failure {
    Failure::Failed(message.into())
}
