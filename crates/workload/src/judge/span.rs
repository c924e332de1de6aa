//! When something took effect, as far as the driver's clock can tell.

use crate::record::{Call, Got, Micros, Why};

/// Later than everything.
pub(super) const NEVER: Micros = Micros::MAX;

/// One instant, no earlier than `from` and no later than `by`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: Micros,
    pub(super) by: Micros,
}

impl Span {
    /// Before the first call.
    pub(super) const BEGINNING: Span = Span { from: 0, by: 0 };

    /// While the call was under way: when an answered call was carried out, and when its answer was true.
    pub(super) const fn of(call: &Call) -> Span {
        Span { from: call.sent, by: call.ended }
    }

    /// Whether this was over before the other one began. Two that touch are not told apart.
    pub(super) const fn surely_before(self, other: Span) -> bool {
        self.by < other.from
    }
}

/// Whether and when a call changed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// It did, in this span.
    Sure(Span),
    /// It did in this span, or never will.
    Maybe(Span),
    /// It did not.
    None,
}

impl Effect {
    /// What the answer says about it. A refused call changed nothing, nor did one that found no connection; any other
    /// call without an answer may lie in a queue somewhere and be carried out long after it was given up.
    pub(super) const fn of(call: &Call) -> Effect {
        match call.got {
            Got::Refused { .. } | Got::Unknown(Why::NotConnected) => Effect::None,
            Got::Unknown(_) => Effect::Maybe(Span { from: call.sent, by: NEVER }),
            _ => Effect::Sure(Span::of(call)),
        }
    }

    /// The span, if there may have been an effect.
    pub(super) const fn span(self) -> Option<Span> {
        match self {
            Effect::Sure(span) | Effect::Maybe(span) => Some(span),
            Effect::None => None,
        }
    }
}
