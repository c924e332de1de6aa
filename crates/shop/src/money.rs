//! Money: integer minor units with a currency, never a float.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An ISO 4217 code, such as `RUB`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Currency([u8; 3]);

impl Currency {
    /// Roubles, the default of a new store.
    pub const RUB: Currency = Currency(*b"RUB");

    /// The code as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("a currency is three ASCII letters by construction")
    }
}

/// Why a text is no currency.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no currency code; write three capital letters, such as RUB")]
pub struct InvalidCurrency(String);

impl FromStr for Currency {
    type Err = InvalidCurrency;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes: [u8; 3] = text.as_bytes().try_into().map_err(|_| InvalidCurrency(text.to_owned()))?;
        if bytes.iter().all(u8::is_ascii_uppercase) {
            Ok(Currency(bytes))
        } else {
            Err(InvalidCurrency(text.to_owned()))
        }
    }
}

impl TryFrom<String> for Currency {
    type Error = InvalidCurrency;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> String {
        currency.as_str().to_owned()
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An amount that is never negative and never above [`Money::MAX_AMOUNT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Money {
    amount: i64,
    currency: Currency,
}

/// Why an amount is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// Below zero or above the limit.
    #[error("amount {0} is out of range; it must lie between 0 and {max} minor units", max = Money::MAX_AMOUNT)]
    OutOfRange(i128),
    /// Two currencies met.
    #[error("{0} and {1} cannot be added; a store sells in one currency")]
    MixedCurrencies(Currency, Currency),
}

impl Money {
    /// Ten trillion major units. 100 lines of 999 pieces at the highest price ([`Money::MAX_PRICE`])
    /// stay below it, so that the total of a legal cart never overflows.
    pub const MAX_AMOUNT: i64 = 1_000_000_000_000_000;

    /// The highest price of one piece, in minor units: 100 million major units.
    pub const MAX_PRICE: i64 = 10_000_000_000;

    /// An amount in minor units.
    pub fn new(amount: i64, currency: Currency) -> Result<Money, MoneyError> {
        if (0..=Money::MAX_AMOUNT).contains(&amount) {
            Ok(Money { amount, currency })
        } else {
            Err(MoneyError::OutOfRange(amount.into()))
        }
    }

    /// Nothing, in this currency.
    pub const fn zero(currency: Currency) -> Money {
        Money { amount: 0, currency }
    }

    /// Minor units.
    pub const fn amount(self) -> i64 {
        self.amount
    }

    /// Its currency.
    pub const fn currency(self) -> Currency {
        self.currency
    }

    /// The sum of two amounts of one currency.
    pub fn plus(self, other: Money) -> Result<Money, MoneyError> {
        if self.currency != other.currency {
            return Err(MoneyError::MixedCurrencies(self.currency, other.currency));
        }
        Money::new(self.amount + other.amount, self.currency)
    }

    /// So many times the amount.
    pub fn times(self, quantity: u32) -> Result<Money, MoneyError> {
        let amount = i128::from(self.amount) * i128::from(quantity);
        let narrow = i64::try_from(amount).map_err(|_| MoneyError::OutOfRange(amount))?;
        Money::new(narrow, self.currency)
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02} {}", self.amount / 100, self.amount % 100, self.currency)
    }
}
