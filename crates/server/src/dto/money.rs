//! Money.

use mworld_shop::{Currency, Money};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use super::whole::whole;
use crate::problem::{Code, Problem};

/// An amount as the shop says it.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = Money)]
pub(crate) struct MoneyJson {
    /// Minor units, such as kopecks.
    #[schema(minimum = 0, maximum = 1_000_000_000_000_000_i64)]
    amount: i64,
    /// ISO 4217.
    #[serde(serialize_with = "code")]
    #[schema(value_type = String, pattern = "^[A-Z]{3}$", example = "RUB")]
    currency: Currency,
}

fn code<S: Serializer>(currency: &Currency, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(currency.as_str())
}

impl From<Money> for MoneyJson {
    fn from(money: Money) -> MoneyJson {
        MoneyJson { amount: money.amount(), currency: money.currency() }
    }
}

/// An amount as a client says it.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoneyBody {
    /// Minor units, such as kopecks.
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 1_000_000_000_000_000_i64)]
    amount: i64,
    /// ISO 4217.
    #[schema(pattern = "^[A-Z]{3}$", example = "RUB")]
    currency: String,
}

/// How the price of one piece is described: as [`MoneyBody`], with the limit of a price.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "it only describes; a price is read as any amount, and the shop checks its limit"
)]
pub(crate) struct PriceBody {
    /// Minor units, such as kopecks.
    #[schema(minimum = 0, maximum = 10_000_000_000_i64)]
    amount: i64,
    /// ISO 4217; the store's own currency.
    #[schema(pattern = "^[A-Z]{3}$", example = "RUB")]
    currency: String,
}

impl MoneyBody {
    /// The amount, or what is wrong with this field.
    pub(crate) fn read(&self, field: &str) -> Result<Money, Problem> {
        let refused = |words: String| Problem::new(Code::InvalidBody, format!("{field}: {words}"));
        let currency: Currency = self.currency.parse().map_err(|error: mworld_shop::InvalidCurrency| {
            let words: String = error.to_string().chars().take(200).collect();
            refused(words)
        })?;
        Money::new(self.amount, currency).map_err(|error| refused(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_amount_names_its_field_and_the_limit() {
        let body: MoneyBody = serde_json::from_str(r#"{"amount": -1, "currency": "RUB"}"#).unwrap();
        let problem = body.read("price").unwrap_err();
        assert!(problem.detail().starts_with("price: amount -1 is out of range"), "{}", problem.detail());
    }

    #[test]
    fn money_reads_as_the_contract_says() {
        let money = MoneyJson::from(Money::new(1_299_000, Currency::RUB).unwrap());
        assert_eq!(serde_json::to_string(&money).unwrap(), r#"{"amount":1299000,"currency":"RUB"}"#);
    }
}
