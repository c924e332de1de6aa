//! What the shop says, as HTTP says it.

use std::time::Duration;

use mworld_shop::{EngineError, EngineErrorKind, Error, Refusal};

use super::{Code, Problem};
use crate::dto::problem::ShortageJson;

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Engine(error) => error.into(),
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        let problem = Problem::new(code_of(&refusal), refusal.to_string());
        match refusal {
            Refusal::InsufficientStock(short) => {
                problem.with_items(short.iter().map(ShortageJson::from).collect())
            }
            Refusal::StockBelowZero { product_id, delta, available, .. } => {
                let requested = u32::try_from(delta.unsigned_abs()).unwrap_or(u32::MAX);
                problem.with_items(vec![ShortageJson { product_id: product_id.uuid(), requested, available }])
            }
            Refusal::PriceChanged { total, .. } => problem.with_total(total),
            Refusal::ClaimVoided | Refusal::CartBusy => problem.retry_after(Duration::from_secs(1)),
            _ => problem,
        }
    }
}

const fn code_of(refusal: &Refusal) -> Code {
    match refusal {
        Refusal::ProductNotFound(_) => Code::ProductNotFound,
        Refusal::NotForSale(_) => Code::NotForSale,
        Refusal::InvalidQuantity { .. } => Code::InvalidQuantity,
        Refusal::CartFull { .. } => Code::CartFull,
        Refusal::CartEmpty => Code::CartEmpty,
        Refusal::CartBusy => Code::CartBusy,
        Refusal::InsufficientStock(_) | Refusal::StockBelowZero { .. } => Code::InsufficientStock,
        Refusal::InvalidStock { .. } => Code::InvalidStock,
        Refusal::PriceChanged { .. } => Code::PriceChanged,
        Refusal::IdempotencyMismatch => Code::IdempotencyMismatch,
        Refusal::ClaimVoided => Code::CheckoutCalledOff,
        Refusal::UnknownZone { .. } => Code::UnknownZone,
        Refusal::UnknownCategory { .. } => Code::UnknownCategory,
        Refusal::OrderNotFound(_) => Code::OrderNotFound,
        Refusal::IllegalTransition { .. } | Refusal::AlreadyPaid(_) => Code::IllegalTransition,
        Refusal::OrderCancelled(_) => Code::OrderCancelled,
        Refusal::ReferenceTaken(_) => Code::ReferenceTaken,
        Refusal::WrongAmount { .. } => Code::WrongAmount,
        Refusal::EmailTaken => Code::EmailTaken,
        Refusal::SessionOver => Code::Unauthorized,
        Refusal::Invalid { .. } => Code::InvalidBody,
        Refusal::BadCursor => Code::BadCursor,
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Problem {
        let problem = match error.kind {
            EngineErrorKind::Overloaded => {
                Problem::new(Code::Overloaded, "the store is busy and did nothing; try again in a moment")
            }
            EngineErrorKind::StorageFull => {
                let detail = "the store has no space left and wrote nothing; an operator must make room";
                Problem::new(Code::StorageFull, detail).with_cause(error.message)
            }
            EngineErrorKind::Unavailable => {
                let detail = "the store's database did not answer; whether a write happened is unknown: repeat it \
                              with the same key";
                Problem::new(Code::Unavailable, detail).with_cause(error.message)
            }
            EngineErrorKind::Corrupt | EngineErrorKind::Internal => Problem::internal(error.message),
        };
        match error.retry_after {
            Some(wait) => problem.retry_after(wait),
            None => problem,
        }
    }
}

#[cfg(test)]
mod tests {
    use mworld_shop::{Currency, Money, OrderId, ProductId};
    use uuid::Uuid;

    use super::*;

    fn refusals() -> Vec<(Refusal, u16)> {
        let product = ProductId::from_uuid(Uuid::nil());
        let order = OrderId::from_uuid(Uuid::nil());
        let money = Money::zero(Currency::RUB);
        let text = String::new;
        vec![
            (Refusal::ProductNotFound(product), 404),
            (Refusal::OrderNotFound(order), 404),
            (Refusal::NotForSale(product), 409),
            (Refusal::InsufficientStock(vec![]), 409),
            (Refusal::CartEmpty, 409),
            (Refusal::CartBusy, 409),
            (Refusal::PriceChanged { total: money, expected: money }, 409),
            (Refusal::OrderCancelled(order), 409),
            (Refusal::AlreadyPaid(order), 409),
            (Refusal::ReferenceTaken(order), 409),
            (Refusal::WrongAmount { total: money, paid: money }, 409),
            (Refusal::EmailTaken, 409),
            (Refusal::InvalidQuantity { given: 0, max: 9 }, 422),
            (Refusal::CartFull { limit: 1 }, 422),
            (Refusal::IdempotencyMismatch, 422),
            (Refusal::UnknownZone { given: text(), known: text() }, 422),
            (Refusal::UnknownCategory { given: text(), known: text() }, 422),
            (Refusal::Invalid { field: "name", problem: text() }, 422),
            (Refusal::InvalidStock { given: -1, max: 9 }, 422),
            (Refusal::BadCursor, 400),
            (Refusal::SessionOver, 401),
            (Refusal::ClaimVoided, 503),
        ]
    }

    #[test]
    fn refusals_keep_their_code_and_get_their_status() {
        for (refusal, status) in refusals() {
            let expected = refusal.code();
            let problem = Problem::from(refusal);
            assert_eq!(problem.code().name(), expected);
            assert_eq!(problem.status().as_u16(), status, "{expected}");
        }
    }

    #[test]
    fn an_engine_fault_does_not_show_its_cause() {
        let problem = Problem::from(EngineError::new(EngineErrorKind::Corrupt, "page 7 of shop.db is torn"));
        assert_eq!(problem.status().as_u16(), 500);
        assert!(!problem.detail().contains("torn"), "{}", problem.detail());
    }

    #[test]
    fn an_unknown_outcome_is_said_to_be_unknown() {
        let problem =
            Problem::from(EngineError::new(EngineErrorKind::Unavailable, "no answer from 10.0.0.7"));
        assert_eq!(problem.code(), Code::Unavailable);
        assert!(problem.detail().contains("unknown"), "{}", problem.detail());
    }
}
