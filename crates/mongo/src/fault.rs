//! What can go wrong inside an operation, and what of it is worth another try.

use mongodb::error::{
    Error as DriverError, ErrorKind, TRANSIENT_TRANSACTION_ERROR, UNKNOWN_TRANSACTION_COMMIT_RESULT,
    WriteFailure,
};
use mworld_shop::{EngineError, EngineErrorKind, Error, Refusal};

/// Why an operation did not come to its end. The driver's errors stay what they are until the very end, because
/// their labels say whether the whole transaction may be tried again.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A rule of the shop says no, or the engine has given up.
    Shop(Error),
    /// The driver or the server failed.
    Driver(Box<DriverError>),
    /// Somebody else has changed what was read, before it was written back.
    Overtaken,
}

/// What an operation inside the engine comes to.
pub(crate) type Answer<T> = Result<T, Fault>;

/// The server's number for a record that is there already.
const DUPLICATE_KEY: i32 = 11_000;
/// The server's number for two transactions that met in one document.
const WRITE_CONFLICT: i32 = 112;

impl Fault {
    /// The whole transaction may be tried again: nothing of it happened.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Fault::Shop(_) => false,
            Fault::Overtaken => true,
            Fault::Driver(error) => {
                error.contains_label(TRANSIENT_TRANSACTION_ERROR) || code(error) == Some(WRITE_CONFLICT)
            }
        }
    }

    /// The commit may be asked for again: whether it happened is not known.
    pub(crate) fn is_unknown_commit(&self) -> bool {
        matches!(self, Fault::Driver(error) if error.contains_label(UNKNOWN_TRANSACTION_COMMIT_RESULT))
    }

    /// Two writers met in one document.
    pub(crate) fn is_conflict(&self) -> bool {
        matches!(self, Fault::Driver(error) if code(error) == Some(WRITE_CONFLICT))
    }

    /// A record with this unique key is there already.
    pub(crate) fn is_duplicate(&self) -> bool {
        matches!(self, Fault::Driver(error) if code(error) == Some(DUPLICATE_KEY))
    }

    /// As the shop hears it.
    pub(crate) fn into_shop(self) -> Error {
        match self {
            Fault::Shop(error) => error,
            Fault::Driver(error) => engine(&error).into(),
            Fault::Overtaken => EngineError::new(
                EngineErrorKind::Unavailable,
                "others were faster again and again, and nothing was done; try it once more",
            )
            .into(),
        }
    }
}

impl From<DriverError> for Fault {
    fn from(error: DriverError) -> Fault {
        Fault::Driver(Box::new(error))
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Shop(error)
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        Fault::Shop(refusal.into())
    }
}

impl From<EngineError> for Fault {
    fn from(error: EngineError) -> Fault {
        Fault::Shop(error.into())
    }
}

/// The server's number, wherever in the error it stands: writes through a router carry theirs inside.
pub(crate) fn code(error: &DriverError) -> Option<i32> {
    match error.kind.as_ref() {
        ErrorKind::Command(command) => Some(command.code),
        ErrorKind::Write(WriteFailure::WriteError(write)) => Some(write.code),
        ErrorKind::Write(WriteFailure::WriteConcernError(concern)) => Some(concern.code),
        ErrorKind::InsertMany(many) => many.write_errors.as_ref()?.first().map(|write| write.code),
        _ => None,
    }
}

/// A driver's error as the shop's engine error.
pub(crate) fn engine(error: &DriverError) -> EngineError {
    let kind = match error.kind.as_ref() {
        ErrorKind::BsonDeserialization(_) | ErrorKind::Bson(_) => EngineErrorKind::Corrupt,
        ErrorKind::InvalidArgument { .. } | ErrorKind::Transaction { .. } => EngineErrorKind::Internal,
        // Everything that names a key or an option which a server does not take is a fault of ours.
        _ => match code(error) {
            Some(2 | 9 | 20 | 59 | 61 | 72 | 73 | DUPLICATE_KEY) => EngineErrorKind::Internal,
            _ => EngineErrorKind::Unavailable,
        },
    };
    EngineError::new(kind, format!("the cluster did not do it: {}", error.kind))
}

/// A stored record that does not read as it was written.
pub(crate) fn corrupt(what: &str, problem: impl std::fmt::Display) -> Fault {
    EngineError::new(EngineErrorKind::Corrupt, format!("a stored {what} cannot be read: {problem}")).into()
}
