//! Why a run did not come about, or came to no end.

/// Why a run did not come about, or came to no end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Nobody listens there.
    #[error(
        "the store at {url} cannot be reached: {cause}; start it with `mworld serve` or name another with --url"
    )]
    Unreachable {
        /// Where.
        url: String,
        /// What the system says.
        cause: String,
    },
    /// The operator token is another one.
    #[error(
        "the store at {url} does not take this operator token ({complaint}); set MWORLD_OPERATOR_TOKEN to its own"
    )]
    TokenRefused {
        /// Where.
        url: String,
        /// What the store says.
        complaint: String,
    },
    /// The scenario wants what the store does not have.
    #[error(
        "the store at {url} has no {what}: it has {known}; write a scenario that uses these, or configure the store"
    )]
    Missing {
        /// Where.
        url: String,
        /// Which zone or category.
        what: String,
        /// What there is.
        known: String,
    },
    /// The store does not do what set-up needs.
    #[error("set-up failed: the store at {url} would not {what}: {complaint}; see its log")]
    SetUp {
        /// Where.
        url: String,
        /// What was wanted.
        what: String,
        /// What the store says.
        complaint: String,
    },
    /// What the judge needs could not be read.
    #[error(
        "the run could not be judged: {what} was not answered within {seconds} s after the end ({complaint}); \
         see whether the store is up, then run again"
    )]
    NotJudged {
        /// What was asked.
        what: String,
        /// How long.
        seconds: u64,
        /// What came instead.
        complaint: String,
    },
}
