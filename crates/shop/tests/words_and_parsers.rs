//! What comes from outside as text: parsers accept what they promise, refuse the rest in words, and never panic.

use mworld_shop::checkout::IdempotencyKey;
use mworld_shop::order::OrderStatus;
use mworld_shop::search::{Sort, words};
use mworld_shop::session::Email;
use mworld_shop::{Category, PageSize, Zone};
use proptest::prelude::*;

#[test]
fn words_of_a_russian_name() {
    let found = words("Смартфон Samsung Galaxy S24, чёрный (256 ГБ)");
    assert_eq!(found, ["смартфон", "samsung", "galaxy", "s24", "черный", "256", "гб"]);
}

#[test]
fn yo_is_ye_also_as_a_capital() {
    assert_eq!(words("ЁЛКА"), words("елка"));
    assert_eq!(words("ёлка"), ["елка"]);
}

proptest! {
    #[test]
    fn words_are_lower_case_letters_and_digits(text in "\\PC{0,60}") {
        for word in words(&text) {
            prop_assert!(!word.is_empty() && !word.contains('ё'));
            prop_assert!(!word.contains(char::is_whitespace));
        }
    }

    #[test]
    fn words_of_words_are_the_same_words(text in "[a-zA-Zа-яёА-ЯЁ0-9 ,.«»-]{0,60}") {
        let once = words(&text);
        prop_assert_eq!(words(&once.join(" ")), once);
    }

    #[test]
    fn case_and_signs_do_not_matter(text in "[a-zа-яё0-9 ]{0,40}") {
        prop_assert_eq!(words(&text.to_uppercase()), words(&text));
        prop_assert_eq!(words(&text.replace(' ', " - ")), words(&text));
    }

    #[test]
    fn an_email_is_lower_case_and_parses_again(text in "\\PC{0,40}|[A-Za-z.+]{1,9}@[A-Za-z]{1,9}\\.[a-z]{2,3}") {
        if let Ok(email) = text.parse::<Email>() {
            prop_assert_eq!(email.as_str(), email.as_str().to_lowercase());
            prop_assert_eq!(email.as_str().matches('@').count(), 1);
            prop_assert_eq!(&email.as_str().parse::<Email>().unwrap(), &email);
            prop_assert!(email.as_str().len() <= 254);
        }
    }

    #[test]
    fn two_spellings_are_one_email(name in "[a-z.+]{1,9}", host in "[a-z]{1,9}\\.[a-z]{2,3}") {
        let plain: Email = format!("{name}@{host}").parse().unwrap();
        let loud: Email = format!("  {}@{} ", name.to_uppercase(), host.to_uppercase()).parse().unwrap();
        prop_assert_eq!(plain, loud);
    }

    #[test]
    fn what_is_no_email_is_refused(
        text in "[a-z]{0,9}|@[a-z]{1,4}\\.ru|[a-z]{1,4}@|[a-z]{1,4}@[a-z]{1,4}|a@b@c\\.ru|a b@c\\.ru|a@\\.ru|a@b\\.\\.ru",
    ) {
        let refused = text.parse::<Email>().unwrap_err().to_string();
        prop_assert!(refused.contains("name@host.tld"), "{}", refused);
    }

    #[test]
    fn a_key_is_visible_ascii(text in "\\PC{0,20}|[!-~]{1,140}") {
        let legal = (1..=128).contains(&text.len()) && text.bytes().all(|byte| (b'!'..=b'~').contains(&byte));
        let parsed = text.parse::<IdempotencyKey>();
        prop_assert_eq!(parsed.is_ok(), legal);
        if let Ok(key) = parsed {
            prop_assert_eq!(key.as_str(), text);
        }
    }

    #[test]
    fn a_name_is_short_and_plain(text in "\\PC{0,40}|[a-z0-9_-]{0,40}") {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
        let legal = (1..=32).contains(&text.len()) && text.bytes().all(plain);
        prop_assert_eq!(Zone::new(&text).is_ok(), legal);
        prop_assert_eq!(Category::new(&text).is_ok(), legal);
        if legal {
            let zone = Zone::new(&text).unwrap();
            let json = serde_json::to_string(&zone).unwrap();
            prop_assert_eq!(serde_json::from_str::<Zone>(&json).unwrap(), zone);
        }
    }

    #[test]
    fn statuses_and_sorts_are_known_by_their_names_only(text in "\\PC{0,12}") {
        prop_assert_eq!(text.parse::<OrderStatus>().ok().map(OrderStatus::name), known_status(&text));
        if let Some(sort) = Sort::from_name(&text) {
            prop_assert_eq!(sort.name(), text);
        }
    }

    #[test]
    fn a_page_holds_one_to_a_hundred(size in any::<u32>()) {
        prop_assert_eq!(PageSize::new(size).is_some(), (1..=100).contains(&size));
    }
}

fn known_status(text: &str) -> Option<&'static str> {
    ["created", "paid", "shipped", "delivered", "cancelled"].into_iter().find(|name| *name == text)
}

#[test]
fn every_status_and_sort_has_its_name() {
    for status in OrderStatus::ALL {
        assert_eq!(status.name().parse::<OrderStatus>().unwrap(), status);
    }
    for (name, sort) in [("price", Sort::PriceUp), ("-price", Sort::PriceDown), ("newest", Sort::Newest)] {
        assert_eq!(Sort::from_name(name), Some(sort));
    }
}
