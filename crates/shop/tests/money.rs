//! Laws of money: nothing overflows, nothing is lost.

use mworld_shop::cart::total;
use mworld_shop::{CartLimits, Currency, Money, MoneyError};
use proptest::prelude::*;

fn roubles(amount: i64) -> Money {
    Money::new(amount, Currency::RUB).expect("the laws are about legal amounts")
}

#[test]
fn the_fullest_cart_at_the_highest_price_has_a_total() {
    let limits = CartLimits::default();
    let lines = (0..limits.max_lines).map(|_| (roubles(Money::MAX_PRICE), limits.max_quantity));
    let sum = total(lines, Currency::RUB).expect("the limits are chosen so that it fits");
    assert_eq!(sum.amount(), 100 * 999 * Money::MAX_PRICE);
}

proptest! {
    #[test]
    fn a_legal_cart_never_overflows(
        lines in prop::collection::vec((0..=Money::MAX_PRICE, 1_u32..=999), 0..=100),
    ) {
        let sum = total(lines.iter().map(|(price, quantity)| (roubles(*price), *quantity)), Currency::RUB);
        let wanted: i64 = lines.iter().map(|(price, quantity)| price * i64::from(*quantity)).sum();
        prop_assert_eq!(sum.map(Money::amount), Ok(wanted));
    }

    #[test]
    fn an_amount_is_legal_exactly_within_its_range(amount in any::<i64>()) {
        let legal = (0..=Money::MAX_AMOUNT).contains(&amount);
        prop_assert_eq!(Money::new(amount, Currency::RUB).is_ok(), legal);
    }

    #[test]
    fn plus_commutes_and_says_when_it_is_too_much(a in 0..=Money::MAX_AMOUNT, b in 0..=Money::MAX_AMOUNT) {
        let (a, b) = (roubles(a), roubles(b));
        prop_assert_eq!(a.plus(b), b.plus(a));
        prop_assert_eq!(a.plus(Money::zero(Currency::RUB)), Ok(a));
        prop_assert_eq!(a.plus(b).is_ok(), a.amount() + b.amount() <= Money::MAX_AMOUNT);
    }

    #[test]
    fn plus_is_associative(a in 0..1_i64 << 48, b in 0..1_i64 << 48, c in 0..1_i64 << 48) {
        let (a, b, c) = (roubles(a), roubles(b), roubles(c));
        prop_assert_eq!(a.plus(b).and_then(|sum| sum.plus(c)), b.plus(c).and_then(|sum| a.plus(sum)));
    }

    #[test]
    fn times_is_repeated_plus(amount in 0..=Money::MAX_AMOUNT, quantity in any::<u32>()) {
        let product = i128::from(amount) * i128::from(quantity);
        let wanted = i64::try_from(product).ok().filter(|amount| *amount <= Money::MAX_AMOUNT);
        prop_assert_eq!(roubles(amount).times(quantity).ok().map(Money::amount), wanted);
    }

    #[test]
    fn times_distributes_over_plus(a in 0_i64..1 << 30, b in 0_i64..1 << 30, quantity in 0_u32..1_000) {
        let (a, b) = (roubles(a), roubles(b));
        let together = a.plus(b).and_then(|sum| sum.times(quantity));
        prop_assert_eq!(together, a.times(quantity).and_then(|a| a.plus(b.times(quantity)?)));
    }

    #[test]
    fn the_text_tells_the_amount(amount in 0..=Money::MAX_AMOUNT) {
        let text = roubles(amount).to_string();
        let (number, currency) = text.split_once(' ').unwrap();
        let (whole, rest) = number.split_once('.').unwrap();
        prop_assert_eq!((currency, rest.len()), ("RUB", 2));
        prop_assert_eq!(whole.parse::<i64>().unwrap() * 100 + rest.parse::<i64>().unwrap(), amount);
    }

    #[test]
    fn currencies_never_mix(a in 0..1_000_i64, b in 0..1_000_i64) {
        let euro: Currency = "EUR".parse().unwrap();
        let refused = roubles(a).plus(Money::new(b, euro).unwrap());
        prop_assert_eq!(refused, Err(MoneyError::MixedCurrencies(Currency::RUB, euro)));
    }

    #[test]
    fn a_currency_is_three_capital_letters(text in ".{0,5}|[A-Z]{3}") {
        let legal = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        let parsed = text.parse::<Currency>();
        prop_assert_eq!(parsed.is_ok(), legal);
        if let Ok(currency) = parsed {
            prop_assert_eq!(currency.as_str(), text);
        }
    }
}
