//! Laws of cursors: they come back as they went, fit their own list only, and garbage is refused politely.

use mworld_shop::order::{OrderQuery, OrderStatus};
use mworld_shop::search::{Search, Sort};
use mworld_shop::{ListId, PageSize, Position, Refusal, Timestamp, UserId, Zone};
use proptest::prelude::*;
use uuid::Uuid;

fn position() -> impl Strategy<Value = Position> {
    (any::<i64>(), any::<u128>()).prop_map(|(value, id)| Position { value, id: Uuid::from_u128(id) })
}

fn search() -> impl Strategy<Value = Search> {
    let text = || prop::option::of("[a-zё ]{0,6}");
    let sort = prop::sample::select(vec![Sort::PriceUp, Sort::PriceDown, Sort::Newest]);
    let bound = || prop::option::of(0_i64..5);
    (text(), text(), bound(), bound(), prop::collection::vec(("[ab]", "[ab]"), 0..3), sort).prop_map(
        |(q, subcategory, min_price, max_price, attributes, sort)| Search {
            q,
            subcategory,
            min_price,
            max_price,
            attributes,
            sort,
            ..Search::default()
        },
    )
}

fn is_bad_cursor(text: &str, list: ListId) -> bool {
    Position::decode(text, list).is_err_and(|error| error.refusal() == Some(&Refusal::BadCursor))
}

proptest! {
    #[test]
    fn a_cursor_comes_back_as_it_went(position in position(), search in search()) {
        let text = position.encode(search.list_id());
        prop_assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{}", text);
        prop_assert_eq!(Position::decode(&text, search.list_id()).unwrap(), position);
    }

    #[test]
    fn a_cursor_fits_no_other_list(position in position(), parts in prop::collection::vec("[ab]{0,2}", 0..4),
        others in prop::collection::vec("[ab]{0,2}", 0..4),
    ) {
        let list = ListId::of(parts.iter().map(String::as_str));
        let other = ListId::of(others.iter().map(String::as_str));
        prop_assert_eq!(list == other, parts == others, "parts are told apart however they are cut");
        prop_assert_eq!(is_bad_cursor(&position.encode(list), other), parts != others);
    }

    #[test]
    fn garbage_is_refused_and_never_panics(text in ".{0,64}", bytes in "[A-Za-z0-9_-]{44}") {
        let list = Search::default().list_id();
        prop_assert!(is_bad_cursor(&text, list));
        prop_assert!(is_bad_cursor(&bytes, list));
    }

    #[test]
    fn a_changed_cursor_never_panics(position in position(), at in 0_usize..44, with in "[A-Za-z0-9_-]") {
        let list = Search::default().list_id();
        let mut text = position.encode(list);
        text.replace_range(at..=at, &with);
        // It may read as another position of the same list, but only if format and list are untouched.
        if at < 11 && Position::decode(&text, list).is_ok() {
            prop_assert_eq!(text, position.encode(list));
        }
    }

    #[test]
    fn the_page_and_the_order_of_attributes_do_not_make_another_list(
        search in search(), position in position(), size in 1_u32..=100,
    ) {
        let mut turned = search.clone();
        turned.attributes.reverse();
        turned.limit = PageSize::new(size);
        turned.after = Some(position);
        turned.q = turned.q.map(|q| format!("  {} ", q.to_uppercase().replace('Ё', "Е")));
        prop_assert_eq!(turned.list_id(), search.list_id());
    }

    #[test]
    fn each_filter_makes_another_list(search in search()) {
        let list = search.list_id();
        let dearer = search.min_price.map_or(0, |price| price + 1);
        let other_sort = if search.sort == Sort::Newest { Sort::PriceUp } else { Sort::Newest };
        let mut more = search.attributes.clone();
        more.push(("c".to_owned(), "c".to_owned()));
        let changed = [
            Search { q: Some(format!("{} zz", search.q.clone().unwrap_or_default())), ..search.clone() },
            Search { subcategory: Some("zz".to_owned()), ..search.clone() },
            Search { zone: Some(Zone::new("msk").unwrap()), ..search.clone() },
            Search { min_price: Some(dearer), ..search.clone() },
            Search { max_price: Some(dearer + 10), ..search.clone() },
            Search { sort: other_sort, ..search.clone() },
            Search { attributes: more, ..search.clone() },
        ];
        for other in changed {
            prop_assert_ne!(other.list_id(), list, "{:?}", other);
        }
    }

    #[test]
    fn each_filter_of_orders_makes_another_list(from in 1_i64..1_000, to in 1_i64..1_000) {
        let time = |micros| Some(Timestamp::from_micros(micros));
        let query = OrderQuery { from: time(from), to: time(to), ..OrderQuery::default() };
        let user = UserId::generate();
        let lists = [
            query.list_id(None),
            query.list_id(Some(user)),
            OrderQuery { status: Some(OrderStatus::Paid), ..query.clone() }.list_id(None),
            OrderQuery { zone: Some(Zone::new("msk").unwrap()), ..query.clone() }.list_id(None),
            OrderQuery { from: None, ..query.clone() }.list_id(None),
            OrderQuery { to: None, ..query.clone() }.list_id(None),
        ];
        for (i, list) in lists.iter().enumerate() {
            prop_assert!(lists[..i].iter().all(|earlier| earlier != list), "list {}", i);
        }
        let next_page = OrderQuery { limit: PageSize::new(3), ..query.clone() };
        prop_assert_eq!(next_page.list_id(None), query.list_id(None));
    }
}
