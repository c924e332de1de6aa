//! How each operation reads and writes, from the layout's policy.

use std::collections::HashMap;
use std::time::Duration;

use mongodb::options::{Acknowledgment, ReadConcern, ReadPreference, SelectionCriteria, WriteConcern};
use mworld_placement::Layout;
use mworld_placement::layout::model::Policy as Written;
use mworld_shop::Operation;

/// How one operation reads and writes outside transactions. Inside one, the primary is read and a majority written.
#[derive(Debug, Clone)]
pub(crate) struct Policy {
    pub(crate) read: ReadPreference,
    pub(crate) read_concern: ReadConcern,
    pub(crate) write_concern: WriteConcern,
    /// How old an answer from a secondary may be.
    pub(crate) max_age: Option<Duration>,
}

impl Policy {
    fn of(written: Option<&Written>) -> Policy {
        let text = |value: fn(&Written) -> Option<&String>| written.and_then(value).map(String::as_str);
        Policy {
            read: match text(|policy| policy.read.as_ref()) {
                Some("primaryPreferred") => ReadPreference::PrimaryPreferred { options: None },
                Some("secondary") => ReadPreference::Secondary { options: None },
                Some("secondaryPreferred") => ReadPreference::SecondaryPreferred { options: None },
                Some("nearest") => ReadPreference::Nearest { options: None },
                _ => ReadPreference::Primary,
            },
            read_concern: match text(|policy| policy.read_concern.as_ref()) {
                Some("local") => ReadConcern::local(),
                Some("snapshot") => ReadConcern::snapshot(),
                _ => ReadConcern::majority(),
            },
            write_concern: match text(|policy| policy.write.as_ref()).map(str::parse) {
                Some(Ok(nodes)) => WriteConcern::builder().w(Acknowledgment::Nodes(nodes)).build(),
                _ => WriteConcern::majority(),
            },
            max_age: written.and_then(|policy| policy.max_age),
        }
    }

    /// Whether a member may answer that is not the primary.
    pub(crate) fn may_lag(&self) -> bool {
        !matches!(self.read, ReadPreference::Primary)
    }

    /// Which members may answer.
    pub(crate) fn selection(&self) -> SelectionCriteria {
        SelectionCriteria::ReadPreference(self.read.clone())
    }
}

/// The policy of every operation.
#[derive(Debug)]
pub(crate) struct Policies(HashMap<Operation, Policy>);

impl Policies {
    pub(crate) fn of(layout: &Layout) -> Policies {
        let policy = |operation: &Operation| (*operation, Policy::of(layout.policy.get(operation.name())));
        Policies(Operation::ALL.iter().map(policy).collect())
    }

    /// Whether a buyer's orders are ever read from a member that may lag.
    pub(crate) fn orders_may_lag(&self) -> bool {
        [Operation::OrderStatus, Operation::OrderHistory]
            .iter()
            .any(|read| self.of_operation(*read).may_lag())
    }

    pub(crate) fn of_operation(&self, operation: Operation) -> &Policy {
        self.0.get(&operation).expect("every operation got a policy when the store was opened")
    }
}
