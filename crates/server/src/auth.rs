//! Who is asking. Every extractor here runs before path, query and body are looked at, so that a stranger learns
//! nothing but that a token is missing.

mod credential;
mod operator;
mod rates;
mod token;
mod visitor;

pub(crate) use self::operator::{Operator, OperatorSecret};
pub(crate) use self::rates::TokenRates;
pub(crate) use self::token::SessionToken;
pub(crate) use self::visitor::{User, Visitor};
