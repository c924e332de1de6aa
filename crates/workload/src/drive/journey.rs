//! One journey under way: what its steps have learned, and which step has to wait for which.
//!
//! An open model waits for nobody. A step waits only if what it *says* depends on an answer that is not there yet: no
//! token, no order number, a cart that is still being filled. It keeps its intended moment while it waits, so the
//! delay is in its latency.

use std::sync::Arc;

use mworld_shop::OrderId;

use crate::plan::{Act, Buyer};

/// What a journey knows.
#[derive(Debug)]
pub(super) struct Journey {
    session: Session,
    order: Option<OrderId>,
    /// Steps that were begun and are not over, in the order of the plan.
    unfinished: Vec<(u64, Kind)>,
}

/// The session of a journey.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Session {
    /// There is none: it is not opened yet, or that did not work, or its token was lost.
    None,
    /// The token to use.
    Open(Arc<str>),
}

/// What other steps may have to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Needs no session: the catalogue and the operator.
    Free,
    Open,
    Login,
    CartWrite,
    Place,
    /// Needs the session and nothing more: reads the cart, the history.
    Plain,
    /// About the journey's order.
    OfOrder,
}

/// Whether a step may be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum May {
    /// With this token, if it needs one.
    Go(Option<Arc<str>>),
    /// Something that it builds on is still under way.
    Wait,
    /// What it builds on did not come about.
    Never,
}

/// What came of a step, as far as the journey is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Learned {
    Nothing,
    /// A session, or a new token for it.
    Token(String),
    /// The token that there was may be dead, and no other is known.
    TokenLost,
    Order(OrderId),
}

impl Journey {
    /// A journey whose first step is that buyer's; `token` is that of the user, whom set-up has logged in.
    pub(super) fn new(buyer: Buyer, token: Option<&Arc<str>>) -> Journey {
        let session = match (buyer, token) {
            (Buyer::User(_), Some(token)) => Session::Open(Arc::clone(token)),
            _ => Session::None,
        };
        Journey { session, order: None, unfinished: Vec::new() }
    }

    /// A step is begun; steps are begun in the order of the plan.
    pub(super) fn begin(&mut self, n: u64, act: &Act) {
        self.unfinished.push((n, kind(act)));
    }

    /// Whether step `n` may be taken now.
    pub(super) fn may(&self, n: u64, act: &Act) -> May {
        let kind = kind(act);
        let earlier = self.unfinished.iter().take_while(|(other, _)| *other < n).map(|(_, kind)| *kind);
        if earlier.into_iter().any(|earlier| waits_for(kind, earlier)) {
            return May::Wait;
        }
        match (kind, &self.session) {
            (Kind::Free | Kind::Open, _) => May::Go(None),
            (Kind::OfOrder, _) if self.order.is_none() && *act != Act::Status => May::Never,
            (_, Session::Open(token)) => May::Go(Some(Arc::clone(token))),
            (_, Session::None) => May::Never,
        }
    }

    /// A step is over.
    pub(super) fn end(&mut self, n: u64, learned: Learned) {
        self.unfinished.retain(|(other, _)| *other != n);
        match learned {
            Learned::Nothing => {}
            Learned::Token(token) => self.session = Session::Open(token.into()),
            Learned::TokenLost => self.session = Session::None,
            Learned::Order(order) => self.order = Some(order),
        }
    }

    /// The journey's last order.
    pub(super) fn order(&self) -> Option<OrderId> {
        self.order
    }

    /// Whether none of its steps is under way.
    pub(super) fn is_quiet(&self) -> bool {
        self.unfinished.is_empty()
    }
}

/// Whether somebody must have a session to do this.
pub(super) const fn needs_session(act: &Act) -> bool {
    !matches!(kind(act), Kind::Free | Kind::Open)
}

const fn kind(act: &Act) -> Kind {
    match act {
        Act::Search(_) | Act::Product(_) | Act::Stock(_) | Act::Reprice { .. } | Act::Restock { .. } => {
            Kind::Free
        }
        Act::Open => Kind::Open,
        Act::Login(_) => Kind::Login,
        Act::Put { .. } | Act::Remove(_) => Kind::CartWrite,
        Act::Place => Kind::Place,
        Act::Cart | Act::History { .. } => Kind::Plain,
        Act::Pay | Act::Cancel | Act::Status => Kind::OfOrder,
    }
}

/// Whether a step must wait while an earlier one of its journey is under way.
const fn waits_for(step: Kind, earlier: Kind) -> bool {
    match (step, earlier) {
        (Kind::Free, _) | (_, Kind::Free) => false,
        // Both decide which token is the right one.
        (_, Kind::Open | Kind::Login) => true,
        // It kills the token that the earlier ones are using.
        (Kind::Login, _) => true,
        // What is ordered is what was put before.
        (Kind::Place, Kind::CartWrite) => true,
        // Which order?
        (Kind::OfOrder, Kind::Place) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::stage::{ProductNo, UserNo};

    const PUT: Act = Act::Put { product: ProductNo(0), quantity: 1 };
    const LOGIN: Act = Act::Login(UserNo(0));

    fn guest() -> Journey {
        Journey::new(Buyer::Guest, None)
    }

    fn user() -> Journey {
        Journey::new(Buyer::User(UserNo(0)), Some(&Arc::from("token")))
    }

    fn go(token: &str) -> May {
        May::Go(Some(Arc::from(token)))
    }

    #[test]
    fn a_guest_waits_for_the_session_and_the_catalogue_for_nothing() {
        let mut journey = guest();
        journey.begin(1, &Act::Open);
        journey.begin(2, &Act::Stock(ProductNo(0)));
        journey.begin(3, &PUT);
        assert_eq!(journey.may(1, &Act::Open), May::Go(None));
        assert_eq!(journey.may(2, &Act::Stock(ProductNo(0))), May::Go(None));
        assert_eq!(journey.may(3, &PUT), May::Wait);
        journey.end(1, Learned::Token("t".to_owned()));
        assert_eq!(journey.may(3, &PUT), go("t"));
    }

    #[test]
    fn without_a_session_there_is_nothing_to_do() {
        let mut journey = guest();
        journey.begin(1, &PUT);
        assert_eq!(journey.may(1, &PUT), May::Never, "the step that opens it was never begun");
        journey.begin(2, &Act::Open);
        journey.begin(3, &PUT);
        journey.end(2, Learned::Nothing);
        assert_eq!(journey.may(3, &PUT), May::Never, "it was refused");
    }

    #[test]
    fn a_login_waits_for_all_that_use_the_old_token_and_all_later_steps_for_it() {
        let mut journey = guest();
        journey.end(0, Learned::Token("guest".to_owned()));
        journey.begin(1, &Act::Cart);
        journey.begin(2, &LOGIN);
        journey.begin(3, &Act::Cart);
        assert_eq!(journey.may(2, &LOGIN), May::Wait);
        journey.end(1, Learned::Nothing);
        assert_eq!(journey.may(2, &LOGIN), go("guest"));
        assert_eq!(journey.may(3, &Act::Cart), May::Wait);
        journey.end(2, Learned::Token("user".to_owned()));
        assert_eq!(journey.may(3, &Act::Cart), go("user"));
    }

    #[test]
    fn a_lost_login_ends_the_session() {
        let mut journey = guest();
        journey.end(0, Learned::Token("guest".to_owned()));
        journey.begin(1, &LOGIN);
        journey.end(1, Learned::TokenLost);
        assert_eq!(journey.may(2, &Act::Cart), May::Never);
    }

    #[test]
    fn a_checkout_waits_for_the_carts_writes_but_not_for_its_reads() {
        let mut journey = user();
        journey.begin(1, &Act::Cart);
        journey.begin(2, &PUT);
        journey.begin(3, &Act::Place);
        assert_eq!(journey.may(2, &PUT), go("token"), "nothing waits for a read");
        assert_eq!(journey.may(3, &Act::Place), May::Wait);
        journey.end(2, Learned::Nothing);
        assert_eq!(journey.may(3, &Act::Place), go("token"));
    }

    #[test]
    fn what_is_about_an_order_waits_for_it() {
        let mut journey = user();
        journey.begin(1, &Act::Place);
        journey.begin(2, &Act::Pay);
        assert_eq!(journey.may(2, &Act::Pay), May::Wait);
        journey.end(1, Learned::Order(OrderId::from_uuid(Uuid::nil())));
        assert_eq!(journey.may(2, &Act::Pay), go("token"));

        let mut refused = user();
        refused.begin(1, &Act::Place);
        refused.end(1, Learned::Nothing);
        assert_eq!(refused.may(2, &Act::Pay), May::Never);
        assert_eq!(refused.may(2, &Act::Status), go("token"), "an earlier order will do");
    }
}
